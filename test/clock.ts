import type { Clock } from '../src/platform/clock.ts';

export type ManualClock = Clock & { advance(ms: number): void };

/** A clock that stands still until a test moves it. */
export function manualClock(start = new Date('2026-11-20T12:00:00.000Z')): ManualClock {
  let time = start.getTime();
  return {
    now: () => new Date(time),
    advance: (ms) => {
      time += ms;
    },
  };
}
