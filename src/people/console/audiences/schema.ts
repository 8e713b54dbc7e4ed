import Type, { type Static } from 'typebox';
import { apart, DateTime, JsonObject, Line, Nullable, Uuid } from '../../../platform/http/fields.ts';

export const AudienceWrite = Type.Object(
  { name: Line(80), filter_chats: apart(JsonObject) },
  { title: 'AudienceWrite' },
);

export type AudienceWrite = Static<typeof AudienceWrite>;

/** A daily look. `came` and `gone` count clients since the look before, and are null for the first. */
const Day = Type.Object({
  day: Type.String({ format: 'date' }),
  size: Type.Integer(),
  came: Nullable(Type.Integer()),
  gone: Nullable(Type.Integer()),
  /** Why the look was given up. Then the numbers are incomplete. */
  problem: Nullable(Type.String()),
});

export type AudienceDay = Static<typeof Day>;

/** The console asks for sizes separately: they take time. */
export const SavedAudience = Type.Object({
  uuid: Uuid,
  name: Type.String(),
  filter_chats: JsonObject,
  author: Nullable(Type.String()),
  created_at: DateTime,
  updated_at: DateTime,
});

/** `last_day` is the last look. */
export const ListedAudience = Type.Object({
  ...SavedAudience.properties,
  last_day: Type.Union([Day, Type.Null()]),
});

export type ListedAudience = Static<typeof ListedAudience>;

export type SavedAudience = Static<typeof SavedAudience>;

/**
 * `mailings` are the planned and running ones that name it, and `scenarios` those whose version in use does, or that
 * start with it.
 */
export const AudienceDetail = Type.Object({
  ...SavedAudience.properties,
  mailings: Type.Array(Type.String()),
  scenarios: Type.Array(Type.String()),
  /** The last ninety, oldest first. */
  days: Type.Array(Day),
});

export type AudienceDetail = Static<typeof AudienceDetail>;
