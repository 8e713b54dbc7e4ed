/**
 * Shared by a thread that cannot receive messages while it runs statements: its count of steps, and the limit of one
 * step.
 */
export type Progress = Int32Array;

const steps = 0;
const limit = 1;
const idle = 0;

export const createProgress = (): Progress => new Int32Array(new SharedArrayBuffer(8));

/** The thread's side: `begin` a statement with a limit between two calls of `step`, and `end` it. */
export function startProgress(progress: Progress) {
  const step = () => void Atomics.add(progress, steps, 1);
  return {
    step,
    begin(limitMs: number): void {
      step();
      Atomics.store(progress, limit, limitMs);
    },
    end: () => void Atomics.store(progress, limit, idle),
  };
}

const lookEveryMs = 250;

/** The watcher's side: reports once when a step exceeds its limit. Returns the function that ends the watch. */
export function watchProgress(progress: Progress, onStuck: (limitMs: number) => void): () => void {
  let seen = -1;
  let since = 0;
  const timer = setInterval(() => {
    const limitMs = Atomics.load(progress, limit);
    const step = Atomics.load(progress, steps);
    const now = performance.now();
    if (limitMs === idle || step !== seen) {
      seen = step;
      since = now;
    } else if (now - since >= limitMs) {
      clearInterval(timer);
      onStuck(limitMs);
    }
  }, lookEveryMs).unref();
  return () => clearInterval(timer);
}
