import type { Platform } from '../../../../channels/contract/platforms.ts';

export type Planned = { uuid: string; at: Date; platforms: readonly Platform[] };

const hourMs = 3_600_000;

/** Nobody reads more of one entry. */
const mostNamed = 10;

/**
 * For each entry the places of those that collide with it: other mailings that begin less than an hour apart and go to a
 * platform of this one. At most ten are named. The entries are in the order of time.
 */
export const collisionsOf = (entries: readonly Planned[]): number[][] =>
  entries.map((entry, place) => {
    const found: number[] = [];
    for (const step of [-1, 1]) {
      for (let at = place + step; found.length < mostNamed; at += step) {
        const other = entries[at];
        if (!other || Math.abs(other.at.getTime() - entry.at.getTime()) >= hourMs) break;
        const shares = other.platforms.some((name) => entry.platforms.includes(name));
        if (other.uuid !== entry.uuid && shares) found.push(at);
      }
    }
    return found.sort((one, other) => one - other);
  });
