import Type, { type Static } from 'typebox';
import { platforms } from '../../../channels/contract/platforms.ts';
import {
  Choice,
  DateTime,
  Integer,
  JsonObject,
  Nullable,
  Text,
  Uuid,
} from '../../../platform/http/fields.ts';

/** One setting of a messenger, as its form needs it. */
export const Setting = Type.Object({
  name: Type.String(),
  description: Type.String(),
  type: Choice(['text', 'address', 'choice', 'number', 'switch']),
  /** Of a `choice`. */
  choices: Type.Array(Type.String()),
  /** Kept encrypted, and never shown again. */
  secret: Type.Boolean(),
  required: Type.Boolean(),
});

export type Setting = Static<typeof Setting>;

export const Messenger = Type.Object({
  platform: Choice(platforms),
  settings: Type.Array(Setting),
  /** Whether the provider can be asked if it takes the settings. */
  can_check: Type.Boolean(),
});

export type Messenger = Static<typeof Messenger>;

export const MessengerList = Type.Object({ results: Type.Array(Messenger) });

export type MessengerList = Static<typeof MessengerList>;

const channel = {
  uuid: Uuid,
  platform: Choice(platforms),
  name: Type.String(),
  state: Choice(['active', 'paused']),
  /** Why it is paused, where nobody did that by hand. */
  state_detail: Type.String(),
  /** Who paused it; null where its credentials were refused. */
  paused_by: Nullable(Type.String()),
  /** Messages a second at present, and at best; null where the provider has shown no limit. */
  rate: Nullable(Type.Number()),
  rate_ceiling: Nullable(Type.Number()),
  /** The limit that its refusals have taught, from what and until when; null where nothing is learnt at present. */
  learnt: Nullable(
    Type.Object({
      per_second: Type.Number(),
      /** So many of the calls of the last seconds were refused then. */
      at: DateTime,
      calls: Integer(0),
      refused: Integer(0),
      seconds: Type.Number(),
      until: DateTime,
    }),
  ),
  /** The provider asked to wait until then; null where it does not. */
  resume_at: Nullable(DateTime),
  /** Messages in the queue; counted up to a bound, beyond which `waiting_more` is true. */
  waiting: Integer(0),
  waiting_more: Type.Boolean(),
};

export const Channel = Type.Object(channel);

export type Channel = Static<typeof Channel>;

export const ChannelList = Type.Object({ results: Type.Array(Channel) });

export type ChannelList = Static<typeof ChannelList>;

export const ChannelDetails = Type.Object({
  ...channel,
  /** Those that are no secrets. */
  settings: JsonObject,
  /** The names of the secrets that are set. */
  secrets: Type.Array(Type.String()),
  /** Where the messenger posts to, for whoever must tell it so; null where nobody must. */
  address: Nullable(Type.String()),
  /** A channel with chats stays. */
  has_chats: Type.Boolean(),
  /** Among the project's latest; somebody to send a test message to. */
  newest_chat: Type.Union([
    Type.Object({ uuid: Uuid, name: Nullable(Type.String()), created_at: DateTime }),
    Type.Null(),
  ]),
  created_at: DateTime,
});

export type ChannelDetails = Static<typeof ChannelDetails>;

const name = Text(200);

/** A text, number or boolean each. */
const settings = JsonObject;

export const ChannelCreate = Type.Object({ platform: Choice(platforms), name, settings });

export type ChannelCreate = Static<typeof ChannelCreate>;

/** Settings that change. An empty text or null takes one away, but an empty text keeps a secret. */
export const ChannelPatch = Type.Object({ name: Type.Optional(name), settings: Type.Optional(settings) });

export type ChannelPatch = Static<typeof ChannelPatch>;

/** What became, by now, of the messages of one hour. */
const Hour = Type.Object({
  at: DateTime,
  sent: Integer(0),
  delivered: Integer(0),
  read: Integer(0),
  undelivered: Integer(0),
  error: Integer(0),
});

export type Hour = Static<typeof Hour>;

/** The last 24 hours, the oldest first. */
export const Deliveries = Type.Object({ hours: Type.Array(Hour) });

export type Deliveries = Static<typeof Deliveries>;

/** The latest messages that failed. */
export const FailureList = Type.Object({
  results: Type.Array(
    Type.Object({
      uuid: Uuid,
      state: Choice(['UNDELIVERED', 'ERROR']),
      reason: Type.String(),
      chat: Type.Object({ uuid: Uuid, name: Nullable(Type.String()) }),
      at: DateTime,
    }),
  ),
});

export type FailureList = Static<typeof FailureList>;
