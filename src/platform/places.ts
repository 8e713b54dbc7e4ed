/** How much of something one subject may have at the same time. */
export type Room = { subject: string; most: number };

/** What is held in this process at the moment: connections, or bytes that are on their way. */
export type Places = {
  /** Takes so many for each of the subjects, and gives what gives them back; null when one has no room, and takes none. */
  take(wanted: number, rooms: readonly Room[]): (() => void) | null;
};

export function createPlaces(): Places {
  const held = new Map<string, number>();
  const change = (subject: string, by: number): void => {
    const left = (held.get(subject) ?? 0) + by;
    if (left > 0) held.set(subject, left);
    else held.delete(subject);
  };
  return {
    take(wanted, rooms) {
      if (rooms.some(({ subject, most }) => (held.get(subject) ?? 0) + wanted > most)) return null;
      for (const { subject } of rooms) change(subject, wanted);
      let isHeld = true;
      return () => {
        if (isHeld) for (const { subject } of rooms) change(subject, -wanted);
        isHeld = false;
      };
    },
  };
}
