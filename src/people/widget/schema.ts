import Type, { type Static } from 'typebox';
import { Choice, DateTime, Integer, Nullable, Text, Uuid } from '../../platform/http/fields.ts';
import { placePattern } from './rules.ts';

const optional = Type.Optional;

/** Bytes of what a browser says: a text of 4,096 characters needs a quarter of it. */
export const smallBody = 64 * 1024;

/** The channel's uuid is the widget's public token. */
export const WidgetParams = Type.Object({ channel: Uuid });

/** The last that `Date` knows. */
const latestSecond = 8_640_000_000_000;

export const NewSession = Type.Object({
  /**
   * Whom the page vouches for. `hash`, in hex, is the HMAC-SHA256 of `id` with the channel's `identity_secret`; with `exp`, the
   * second of Unix time in which it lapses, it is the HMAC-SHA512 of `<exp>.<id>`.
   */
  user: optional(
    Nullable(
      Type.Object({
        id: Text(128),
        hash: Type.String({ pattern: '^([0-9a-fA-F]{64}|[0-9a-fA-F]{128})$' }),
        exp: optional(Nullable(Integer(0, latestSecond))),
        name: optional(Text(255)),
      }),
    ),
  ),
});

export const SessionToken = Type.Object({ session: Type.String() });

export const NewMessage = Type.Object({
  /** The browser's own id: the same one twice is one message. */
  echo_id: Uuid,
  type: optional(Choice(['text', 'button'])),
  /** May be absent beside an attachment. */
  text: optional(Text(4096)),
  /** The uuid of a file that this visitor has uploaded. */
  attachment: optional(Uuid),
  /** What a pressed button carries. */
  payload: optional(Text(1024)),
});

export type NewMessage = Static<typeof NewMessage>;

const Button = Type.Object({
  text: Type.String(),
  payload: optional(Type.String()),
  url: optional(Type.String()),
});

/** A message as a browser shows it. */
export const WidgetMessage = Type.Object({
  uuid: Uuid,
  /** The browser's id of a message that was written in a widget. */
  echo_id: Nullable(Type.String()),
  from: Choice(['client', 'team']),
  type: Choice(['text', 'image', 'document']),
  text: Nullable(Type.String()),
  url: Nullable(Type.String()),
  buttons: Type.Array(Button),
  /** Whose name a message of the team bears. */
  author: Nullable(Type.String()),
  /** When it could be seen first. */
  at: DateTime,
  seen: Type.Boolean(),
});

export type WidgetMessage = Static<typeof WidgetMessage>;

export const HistoryQuery = Type.Object({ before: optional(Type.String({ pattern: placePattern })) });

export const History = Type.Object({
  /** Oldest first. */
  messages: Type.Array(WidgetMessage),
  /** `before` of the next page; null at the beginning of the chat. */
  older: Nullable(Type.String()),
  /** `since` for a live connection that misses nothing of what comes after this answer. */
  live_since: Type.String(),
});

export const Confirmation = Type.Object({
  state: Choice(['delivered', 'read']),
  messages: Type.Array(Uuid, { minItems: 1, maxItems: 100 }),
});

/** Milliseconds: the `id` of the last event that came, or `live_since`. */
export const LiveQuery = Type.Object({ since: optional(Type.String({ pattern: '^\\d{1,14}$' })) });
