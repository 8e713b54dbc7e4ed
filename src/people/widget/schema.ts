import Type, { type Static } from 'typebox';
import { Choice, DateTime, Integer, Nullable, Text, Uuid } from '../../platform/http/fields.ts';
import { placePattern } from './rules.ts';

const optional = Type.Optional;

/** The body limit in bytes: a text of 4,096 characters needs a quarter of it. */
export const smallBody = 64 * 1024;

/** The channel's uuid is the widget's public token. */
export const WidgetParams = Type.Object({ channel: Uuid });

/** The maximum of `Date`. */
const latestSecond = 8_640_000_000_000;

export const NewSession = Type.Object({
  /**
   * The page's signed-in user. `hash`, in hex, is the HMAC-SHA256 of `id` with the channel's
   * `identity_secret`. With `exp`, the expiry in Unix seconds, it is the HMAC-SHA512 of `<exp>.<id>`.
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
  /** The browser's own id: a repeated id is the same message. */
  echo_id: Uuid,
  type: optional(Choice(['text', 'button'])),
  /** Optional beside an attachment. */
  text: optional(Text(4096)),
  /** The uuid of this visitor's upload. */
  attachment: optional(Uuid),
  /** The payload of a pressed button. */
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
  /** The browser's id of a message from a widget. */
  echo_id: Nullable(Type.String()),
  from: Choice(['client', 'team']),
  type: Choice(['text', 'image', 'document']),
  text: Nullable(Type.String()),
  url: Nullable(Type.String()),
  buttons: Type.Array(Button),
  /** The author's name for a message of the team. */
  author: Nullable(Type.String()),
  /** The time when it became visible. */
  at: DateTime,
  seen: Type.Boolean(),
});

export type WidgetMessage = Static<typeof WidgetMessage>;

export const HistoryQuery = Type.Object({ before: optional(Type.String({ pattern: placePattern })) });

export const History = Type.Object({
  /** Oldest first. */
  messages: Type.Array(WidgetMessage),
  /** `before` of the next page. Null at the beginning of the chat. */
  older: Nullable(Type.String()),
  /** `since` for a live connection that continues exactly after this answer. */
  live_since: Type.String(),
});

export const Confirmation = Type.Object({
  state: Choice(['delivered', 'read']),
  messages: Type.Array(Uuid, { minItems: 1, maxItems: 100 }),
});

/** Milliseconds: the `id` of the last received event, or `live_since`. */
export const LiveQuery = Type.Object({ since: optional(Type.String({ pattern: '^\\d{1,14}$' })) });
