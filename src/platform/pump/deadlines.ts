const longestWorkMs = 15_000;

/** Work that begins within this time shares a timer. */
const stepMs = 100;

/** The end of work that begins now, however often its lease is renewed. */
export const workDeadline = (): AbortSignal => AbortSignal.timeout(longestWorkMs);

/** Work deadlines for thousands of items a second: a timer for each costs more than the call. */
export function sharedDeadlines(): () => AbortSignal {
  let until = Number.NEGATIVE_INFINITY;
  let signal = AbortSignal.abort();
  return () => {
    const now = performance.now();
    if (signal.aborted || now >= until) {
      until = now + stepMs;
      signal = workDeadline();
    }
    return signal;
  };
}
