/** The limit on the places that one subject may hold at the same time. */
export type Room = { subject: string; most: number };

/** The places held in this process: connections, or bytes in transit. */
export type Places = {
  /**
   * Takes places for each of the subjects, and returns the function that gives them back. Takes none and returns null
   * when a subject has no room.
   */
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
