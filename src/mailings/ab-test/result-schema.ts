import Type, { type Static } from 'typebox';
import { Choice, DateTime, Nullable } from '../../platform/http/fields.ts';
import { decidingMeasures } from './limits.ts';

/**
 * `sampling` sends the sample, `waiting` waits for its reactions, `asking` waits for a person, `sending` sends the rest,
 * or everything where there is no sample.
 */
export const abStates = ['planned', 'sampling', 'waiting', 'asking', 'sending', 'ended'] as const;

const Count = Type.Integer();

/** So many of so many, with the interval in which the true share lies. */
export const Share = Type.Object({
  count: Type.Integer(),
  of: Type.Integer(),
  rate: Type.Number(),
  low: Type.Number(),
  high: Type.Number(),
});

/** In the order of the variants. */
const Measured = Type.Object({
  measure: Choice(decidingMeasures),
  shares: Type.Array(Share),
  /** The variants, from 1 on, that are not shown to be worse than the best one. A single one is the winner. */
  leaders: Type.Array(Type.Integer()),
});

export const AbTestResult = Type.Object({
  state: Choice(abStates),
  /** The moment of the decision, once it is known. */
  decide_at: Nullable(DateTime),
  variants: Type.Array(
    Type.Object({
      variant: Type.Integer(),
      share: Type.Integer(),
      planned: Count,
      sent: Count,
      delivered: Count,
      read: Count,
      jumped: Count,
      clicked: Count,
      replied: Count,
      converted: Count,
    }),
  ),
  /** What the sample showed at the moment of the decision. `variant` is what the rest gets. Absent before. */
  decision: Type.Optional(
    Type.Object({
      ...Measured.properties,
      decided_at: DateTime,
      variant: Nullable(Type.Integer()),
      author: Nullable(Type.String()),
    }),
  ),
  /** Without a sample, once the mailing has ended. Empty before: an early look finds differences by chance. */
  measures: Type.Array(Measured),
});

export type AbTestResult = Static<typeof AbTestResult>;
