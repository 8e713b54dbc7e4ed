import { deviateFor, leadersOf, type Share, shareOf } from '../measure.ts';

/** A variant at the decision: how many had got it, and how many of them had reacted. */
export type Counted = { sent: number; reacted: number };

/** The share of each variant, with intervals for as many comparisons as the test has. */
export const sharesAt = (counts: readonly Counted[]): Share[] =>
  counts.map(({ sent, reacted }) => shareOf(reacted, sent, deviateFor(counts.length)));

/**
 * The variants, from 1 on, that are not shown to be worse than the best one. A single one is the winner. The test is
 * looked at once, at its moment: who looks again and again finds a difference by chance (P. Armitage et al., 1969).
 */
export const leadersAt = (counts: readonly Counted[]): number[] =>
  leadersOf(sharesAt(counts)).map((place) => place + 1);

/** What the rest gets: never a variant that is shown to be worse. Null if a person is asked. */
export function variantFor(leaders: readonly number[], otherwise: 'first' | 'ask'): number | null {
  const [leader] = leaders;
  if (leader !== undefined && leaders.length === 1) return leader;
  return otherwise === 'first' ? (leader ?? 1) : null;
}
