import Type, { type Static } from 'typebox';
import { Choice, Integer, Line, Nullable, Text } from '../../../platform/http/fields.ts';
import { countries } from '../../../platform/phone.ts';
import { Words } from '../consent/schema.ts';

const TimeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' });

export const Settings = Type.Object({
  name: Type.String(),
  tracks_links: Type.Boolean(),
  open_session_on_message: Type.Boolean(),
  /** The country for national phone numbers in files and in the console. Null for none. */
  default_country: Nullable(Type.String()),
  /** No mailing reaches a client in these hours, `HH:MM` where the client is. Both are null without quiet hours. */
  quiet_from: Nullable(Type.String()),
  quiet_until: Nullable(Type.String()),
  /** The time zone of clients whose own is unknown. */
  timezone: Type.String(),
  /** A client gets at most so many mailings in so many days. Both are null without a cap. */
  cap_messages: Nullable(Type.Integer()),
  cap_days: Nullable(Type.Integer()),
  /** A client whose whole message is one of these leaves all mailings, or comes back. */
  leave_words: Type.Array(Type.String()),
  return_words: Type.Array(Type.String()),
  /** Those words, and the words of topics, that are also keywords of scenarios. */
  taken_words: Type.Array(Type.Object({ word: Type.String(), scenario: Type.String() })),
  /** What they are answered. Null for our own words, and empty for no answer. */
  leave_answer: Nullable(Type.String()),
  return_answer: Nullable(Type.String()),
  /** A mailing to more recipients than this is tested before its start. Null without this rule. */
  test_above: Nullable(Type.Integer()),
  /** Whether a mailing that a person makes waits for the approval of another person. */
  needs_approval: Type.Boolean(),
  /** For how many days after a mailing's message a conversion counts for that mailing. */
  conversion_days: Type.Integer(),
  /** The countries to choose from. */
  countries: Type.Array(Type.String()),
});

export type Settings = Static<typeof Settings>;

const Answer = Type.String({ maxLength: 1_000 });

/** Absent fields stay. */
export const SettingsPatch = Type.Object({
  name: Type.Optional(Line(255)),
  tracks_links: Type.Optional(Type.Boolean()),
  open_session_on_message: Type.Optional(Type.Boolean()),
  default_country: Type.Optional(Nullable(Choice(countries))),
  /** Both or neither. */
  quiet_from: Type.Optional(Nullable(TimeOfDay)),
  quiet_until: Type.Optional(Nullable(TimeOfDay)),
  timezone: Type.Optional(Text(255)),
  /** Both or neither. */
  cap_messages: Type.Optional(Nullable(Integer(1, 100))),
  cap_days: Type.Optional(Nullable(Integer(1, 90))),
  leave_words: Type.Optional(Words),
  return_words: Type.Optional(Words),
  leave_answer: Type.Optional(Nullable(Answer)),
  return_answer: Type.Optional(Nullable(Answer)),
  test_above: Type.Optional(Nullable(Integer(0, 1_000_000_000))),
  needs_approval: Type.Optional(Type.Boolean()),
  conversion_days: Type.Optional(Integer(1, 90)),
});

export type SettingsPatch = Static<typeof SettingsPatch>;
