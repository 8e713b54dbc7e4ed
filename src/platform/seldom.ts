const everyMs = 5_000;

/** Passes on a text or an error if the last one is five seconds old, and drops others. `now` is in milliseconds. */
export function seldom<Said>(say: (said: Said) => void, now = () => performance.now()): (said: Said) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (said) => {
    if (now() - saidAt < everyMs) return;
    saidAt = now();
    say(said);
  };
}
