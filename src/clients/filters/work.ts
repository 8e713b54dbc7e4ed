/** The remaining budget of a decision for one recipient, in characters to be read. */
export type Work = {
  left: number;
  /** Texts in lower case, each folded once. */
  readonly folded: Map<string, string>;
};

/** About fifty milliseconds here, and some hundred in a database. A thousand conditions on a text of a thousand characters take a hundredth of it. */
export const mostWork = 100_000_000;

export const newWork = (): Work => ({ left: mostWork, folded: new Map() });

/** A decision would exceed its budget. */
export class TooMuchWork extends Error {}

/** Throws `TooMuchWork` before work that would exceed the budget. */
export function spend(work: Work, characters: number): void {
  work.left -= characters;
  if (work.left < 0) throw new TooMuchWork('more is to be looked at than one decision may cost');
}
