import Type, { type Static } from 'typebox';
import { platforms } from '../../../../channels/contract/platforms.ts';
import { Choice, DateTime, Nullable, Uuid } from '../../../../platform/http/fields.ts';
import { views } from './dates.ts';

/** `day` is any day of the period, `YYYY-MM-DD`. By default it is today. */
export const CalendarQuery = Type.Object({
  view: Type.Optional(Choice(views)),
  day: Type.Optional(Type.String()),
});

const Entry = Type.Object({
  uuid: Uuid,
  name: Type.String(),
  at: DateTime,
  /** In the project's time zone, `HH:MM`. */
  time: Type.String(),
  /** `rest`: the sample of an A/B test decides, and the rest is sent. */
  kind: Choice(['planned', 'awaits', 'started', 'rest']),
  is_regular: Type.Boolean(),
  /** Whether it is then in the project's quiet hours, by the project's clock. */
  is_quiet: Type.Boolean(),
  /** Those that the mailing may go to. */
  platforms: Type.Array(Choice(platforms)),
  collides_with: Type.Array(Type.Object({ uuid: Uuid, name: Type.String(), time: Type.String() })),
});

export const Calendar = Type.Object({
  timezone: Type.String(),
  quiet_from: Nullable(Type.String()),
  quiet_until: Nullable(Type.String()),
  today: Type.String(),
  start: Type.String(),
  previous: Type.String(),
  next: Type.String(),
  /** All days of the period. */
  days: Type.Array(Type.Object({ day: Type.String(), entries: Type.Array(Entry) })),
  /** Whether there are more entries than are listed. */
  is_cut: Type.Boolean(),
});

export type Calendar = Static<typeof Calendar>;
