import type { Clock } from '../lib/clock.ts';
import { Throttled } from '../lib/problem.ts';

const windowMs = 10_000;
const mostInWindow = 20;

/** Refuses more than twenty messages of one chat in ten seconds, counted in this process. Throws `Throttled`. */
export function floodGate(clock: Clock): (address: string) => void {
  const counts = new Map<string, number>();
  let windowEnd = 0;
  return (address) => {
    const now = clock.now().getTime();
    if (now >= windowEnd) {
      counts.clear();
      windowEnd = now + windowMs;
    }
    const count = (counts.get(address) ?? 0) + 1;
    if (count > mostInWindow) throw new Throttled(Math.ceil((windowEnd - now) / 1000));
    counts.set(address, count);
  };
}
