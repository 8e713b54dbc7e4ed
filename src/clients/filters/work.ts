/** What deciding for one recipient may cost, in characters that are looked at. */
export type Work = {
  left: number;
  /** Texts in small letters: each is folded once. */
  readonly folded: Map<string, string>;
};

/** As much as fifty milliseconds, or for a database as three hundred. A thousand conditions on a text of a thousand characters take a hundredth of it. */
export const mostWork = 100_000_000;

export const newWork = (): Work => ({ left: mostWork, folded: new Map() });

/** There is more to be looked at than one decision may cost. */
export class TooMuchWork extends Error {}

/** Throws `TooMuchWork` before what would cost too much is done. */
export function spend(work: Work, characters: number): void {
  work.left -= characters;
  if (work.left < 0) throw new TooMuchWork('more is to be looked at than one decision may cost');
}
