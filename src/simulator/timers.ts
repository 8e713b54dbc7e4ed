/** Work that begins a little later, unless everything has ended. */
export type Timers = {
  later(ms: number, work: () => Promise<void>): void;
  areOver(): boolean;
  stop(): void;
};

export function createTimers(failed: () => void): Timers {
  const running = new Set<NodeJS.Timeout>();
  let isOver = false;
  return {
    later(ms, work) {
      if (isOver) return;
      const timer = setTimeout(() => {
        running.delete(timer);
        work().catch(failed);
      }, ms);
      running.add(timer.unref());
    },
    areOver: () => isOver,
    stop() {
      isOver = true;
      for (const timer of running) clearTimeout(timer);
    },
  };
}
