import Type, { type Static } from 'typebox';
import { fewestMonths, mostMonths } from '../../../access/projects/retention.ts';
import { DateTime, Integer, Nullable } from '../../../platform/http/fields.ts';

/** Months after the end of a row's own month. Null keeps it for ever. */
const Months = (fewest: number) => Nullable(Integer(fewest, mostMonths));

export const RetentionPut = Type.Object({
  messages: Months(fewestMonths.messages),
  files: Months(fewestMonths.files),
  events: Months(fewestMonths.events),
  attempts: Months(fewestMonths.attempts),
  audit: Months(fewestMonths.audit),
  /** Nothing of the project is removed while this is set. */
  legal_hold: Type.Boolean(),
  /** Whether rows are archived before they are removed. */
  archives: Type.Boolean(),
});

export type RetentionPut = Static<typeof RetentionPut>;

export const RetentionPage = Type.Object({
  ...RetentionPut.properties,
  /** The last change, if there was one. */
  changed_by: Nullable(Type.String()),
  changed_at: Nullable(DateTime),
  /** The moment to which the page refers. */
  now: DateTime,
});

export type RetentionPage = Static<typeof RetentionPage>;
