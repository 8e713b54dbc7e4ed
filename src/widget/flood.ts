import type { Clock } from '../lib/clock.ts';
import { Throttled } from '../lib/problem.ts';

/** How much of one chat is let through. */
export type FloodLimit = { most: number; inMs: number };

export const messageFlood: FloodLimit = { most: 20, inMs: 10_000 };
export const uploadFlood: FloodLimit = { most: 10, inMs: 60_000 };

/** Refuses what of one chat is more than the limit, counted in this process. Throws `Throttled`. */
export function floodGate(clock: Clock, { most, inMs }: FloodLimit): (address: string) => void {
  const counts = new Map<string, number>();
  let windowEnd = 0;
  return (address) => {
    const now = clock.now().getTime();
    if (now >= windowEnd) {
      counts.clear();
      windowEnd = now + inMs;
    }
    const count = (counts.get(address) ?? 0) + 1;
    if (count > most) throw new Throttled(Math.ceil((windowEnd - now) / 1000));
    counts.set(address, count);
  };
}
