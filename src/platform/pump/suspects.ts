import type { Lane } from './look.ts';

/**
 * Work whose worker died this often may be the cause. It then runs alone, so that only the guilty item is interrupted
 * further, and its neighbours are spared.
 */
export const suspectAfter = 3;

/** A suspect that is interrupted this often is given up. */
export const mostInterruptions = 12;

/** The due rows behind a key: its suspects, or all others. */
export type Due = Lane & { areSuspects: boolean };

const suffix = '/suspects';

/** The suspects behind a key have their own lane. */
export const dueLane = ({ key, areSuspects, ...due }: Due): Lane => ({
  ...due,
  key: areSuspects ? key + suffix : key,
});

export const laneName = (lane: string): Pick<Due, 'key' | 'areSuspects'> =>
  lane.endsWith(suffix)
    ? { key: lane.slice(0, -suffix.length), areSuspects: true }
    : { key: lane, areSuspects: false };

/** Holds one item at a time. */
export type Cell = { enter(): boolean; leave(): void };

/** One for the whole process, because a crash ends all of it. */
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
