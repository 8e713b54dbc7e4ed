import Type, { type Static } from 'typebox';
import { Choice, Line, Nullable } from '../../../platform/http/fields.ts';
import { countries } from '../../../platform/phone.ts';

export const Settings = Type.Object({
  name: Type.String(),
  tracks_links: Type.Boolean(),
  open_session_on_message: Type.Boolean(),
  /** The country for national phone numbers in files and in the console. Null for none. */
  default_country: Nullable(Type.String()),
  /** The countries to choose from. */
  countries: Type.Array(Type.String()),
});

export type Settings = Static<typeof Settings>;

/** Absent fields stay. */
export const SettingsPatch = Type.Object({
  name: Type.Optional(Line(255)),
  tracks_links: Type.Optional(Type.Boolean()),
  open_session_on_message: Type.Optional(Type.Boolean()),
  default_country: Type.Optional(Nullable(Choice(countries))),
});

export type SettingsPatch = Static<typeof SettingsPatch>;
