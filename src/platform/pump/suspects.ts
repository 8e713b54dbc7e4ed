import type { Lane } from './look.ts';

/**
 * Work that was interrupted so often, by the death of its worker each time, that it may be what kills. It is done alone
 * from then on, so that only the guilty piece is interrupted further, and what was under way beside it is kept.
 */
export const suspectAfter = 3;

/** What is interrupted so often, and alone in the end, is given up. */
export const mostInterruptions = 12;

/** What waits behind a key, and is due: its suspects, or all others. */
export type Due = { key: string; areSuspects: boolean; dueAt: Date };

const suffix = '/suspects';

/** The suspects behind a key have a lane of their own. */
export const dueLane = ({ key, areSuspects, dueAt }: Due): Lane => ({
  key: areSuspects ? key + suffix : key,
  dueAt,
});

export const laneName = (lane: string): Pick<Due, 'key' | 'areSuspects'> =>
  lane.endsWith(suffix)
    ? { key: lane.slice(0, -suffix.length), areSuspects: true }
    : { key: lane, areSuspects: false };

/** Holds one at a time. */
export type Cell = { enter(): boolean; leave(): void };

/** One for the whole process, as it dies as a whole. */
export function createCell(): Cell {
  let isTaken = false;
  return {
    enter() {
      if (isTaken) return false;
      isTaken = true;
      return true;
    },
    leave() {
      isTaken = false;
    },
  };
}
