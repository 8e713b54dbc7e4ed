const everyMs = 5_000;

/** Passes a text on at most every five seconds. `now` is in milliseconds. */
export function seldom(say: (text: string) => void, now: () => number): (text: string) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (text) => {
    if (now() - saidAt < everyMs) return;
    saidAt = now();
    say(text);
  };
}
