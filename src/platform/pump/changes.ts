/** Lets several loops wait for the same changes. */
export type Changes = {
  /** Resolves at the next change, or after this time. */
  next(afterMs?: number): Promise<void>;
  tell(): void;
};

export function createChanges(): Changes {
  const waiters = new Set<() => void>();
  return {
    next: (afterMs) =>
      new Promise((resolve) => {
        const timer = afterMs === undefined ? undefined : setTimeout(done, afterMs);
        function done(): void {
          clearTimeout(timer);
          waiters.delete(done);
          resolve();
        }
        waiters.add(done);
      }),
    tell: () => {
      for (const waiter of [...waiters]) waiter();
    },
  };
}
