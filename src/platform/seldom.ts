const everyMs = 5_000;

/** Passes on a text if the last one is five seconds old, and drops others. `now` is in milliseconds. */
export function seldom(say: (text: string) => void, now: () => number): (text: string) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (text) => {
    if (now() - saidAt < everyMs) return;
    saidAt = now();
    say(text);
  };
}
