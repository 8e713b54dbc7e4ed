import Type, { type Static } from 'typebox';
import { Choice, Line, Nullable, Text } from '../../../platform/http/fields.ts';
import { countries } from '../../../platform/phone.ts';

const Keywords = Type.Array(Type.Object({ keyword: Text(255), scenario: Text() }), { maxItems: 500 });

export const Settings = Type.Object({
  name: Type.String(),
  tracks_links: Type.Boolean(),
  open_session_on_message: Type.Boolean(),
  /** The country for national phone numbers in files and in the console. Null for none. */
  default_country: Nullable(Type.String()),
  /** The countries to choose from. */
  countries: Type.Array(Type.String()),
  /** The scenario that starts with a client's first message. */
  welcome: Nullable(Type.String()),
  /** Scenarios that start with a message of exactly this word. */
  keywords: Keywords,
  /** The names to choose from. */
  scenarios: Type.Array(Type.String()),
});

export type Settings = Static<typeof Settings>;

/** Absent fields stay. `keywords` replaces all of them. */
export const SettingsPatch = Type.Object({
  name: Type.Optional(Line(255)),
  tracks_links: Type.Optional(Type.Boolean()),
  open_session_on_message: Type.Optional(Type.Boolean()),
  default_country: Type.Optional(Nullable(Choice(countries))),
  welcome: Type.Optional(Nullable(Type.String())),
  keywords: Type.Optional(Keywords),
});

export type SettingsPatch = Static<typeof SettingsPatch>;
