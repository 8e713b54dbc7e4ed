import Type, { type Static } from 'typebox';
import { Guide, Words } from '../../../channels/contract/guide.ts';
import { platforms } from '../../../channels/contract/platforms.ts';
import {
  Choice,
  DateTime,
  Integer,
  JsonObject,
  Line,
  Nullable,
  PhoneNumber,
  Uuid,
} from '../../../platform/http/fields.ts';

/** One setting of a messenger, with the data for its form. */
export const Setting = Type.Object({
  name: Type.String(),
  label: Words,
  help: Type.Union([Words, Type.Null()]),
  /** The form of a random text that serves. Null if the person must know the value. */
  can_make: Nullable(Choice(['token', 'webhook secret'])),
  type: Choice(['text', 'address', 'choice', 'number', 'switch']),
  /** For a `choice`. */
  choices: Type.Array(Type.String()),
  /** Stored encrypted, and never shown again. */
  secret: Type.Boolean(),
  required: Type.Boolean(),
});

export type Setting = Static<typeof Setting>;

export const Messenger = Type.Object({
  platform: Choice(platforms),
  settings: Type.Array(Setting),
  /** Whether the provider can check the settings. */
  can_check: Type.Boolean(),
  /** The steps of a person who adds such a channel. */
  guide: Guide,
  /** The settings that a check needs before it asks the provider. */
  checked: Type.Array(Type.String()),
  /** Whether a text may be the first message to a phone number. */
  opens_by_phone: Type.Boolean(),
  /** Whether templates can be submitted to it. */
  takes_templates: Type.Boolean(),
});

export type Messenger = Static<typeof Messenger>;

export const MessengerList = Type.Object({ results: Type.Array(Messenger) });

export type MessengerList = Static<typeof MessengerList>;

/** Something that a person should look at. */
export const ChannelWarning = Type.Object({
  kind: Choice(['refused', 'unregistered', 'trouble', 'lapses', 'stuck', 'slow', 'retrying', 'failing']),
  /** The provider's words. */
  detail: Type.String(),
  at: Nullable(DateTime),
  /** This many messages of all `of` them. */
  count: Integer(0),
  of: Integer(0),
});

export type ChannelWarning = Static<typeof ChannelWarning>;

const channel = {
  uuid: Uuid,
  platform: Choice(platforms),
  name: Type.String(),
  state: Choice(['active', 'paused']),
  /** The reason of an automatic pause. */
  state_detail: Type.String(),
  /** The person who paused it. Null after refused credentials. */
  paused_by: Nullable(Type.String()),
  /** Messages per second now, and at most. Null if the provider has shown no limit. */
  rate: Nullable(Type.Number()),
  rate_ceiling: Nullable(Type.Number()),
  /** The learned limit: its rate, the refusals behind it and its expiry. Null while nothing is learned. */
  learnt: Nullable(
    Type.Object({
      per_second: Type.Number(),
      /** This many of the calls in the seconds before were refused. */
      at: DateTime,
      calls: Integer(0),
      refused: Integer(0),
      seconds: Type.Number(),
      until: DateTime,
    }),
  ),
  /** The provider asked to wait until then. Null without such a wait. */
  resume_at: Nullable(DateTime),
  /** Messages in the queue, counted up to a limit. Beyond it `waiting_more` is true. */
  waiting: Integer(0),
  waiting_more: Type.Boolean(),
  warnings: Type.Array(ChannelWarning),
};

export const Channel = Type.Object(channel);

export type Channel = Static<typeof Channel>;

export const ChannelList = Type.Object({ results: Type.Array(Channel) });

export type ChannelList = Static<typeof ChannelList>;

export const ChannelDetails = Type.Object({
  ...channel,
  /** Those of mailings among the waiting messages, and the oldest of all. */
  waiting_of_mailings: Integer(0),
  waiting_since: Nullable(DateTime),
  /** The settings that are not secret. */
  settings: JsonObject,
  /** The names of the stored secrets. */
  secrets: Type.Array(Type.String()),
  /** The address that the messenger must post to, if a person must enter it there. Null otherwise. */
  address: Nullable(Type.String()),
  /** A channel with chats cannot be deleted. */
  has_chats: Type.Boolean(),
  /** One of the project's newest chats, as the recipient of a test message. */
  newest_chat: Type.Union([
    Type.Object({ uuid: Uuid, name: Nullable(Type.String()), created_at: DateTime }),
    Type.Null(),
  ]),
  created_at: DateTime,
});

export type ChannelDetails = Static<typeof ChannelDetails>;

const Fact = Type.Object({ label: Words, value: Type.String() });

/** Settings that a person is still entering. */
export const SettingsCheck = Type.Object({ platform: Choice(platforms), settings: JsonObject });

/** The provider's answer to some credentials. */
export const CheckedSettings = Type.Object({
  /** The problems by setting. */
  problems: Type.Unsafe<Record<string, string[]>>({ type: 'object', additionalProperties: true }),
  /** Whether the provider accepted the credentials. */
  is_accepted: Type.Boolean(),
  facts: Type.Array(Fact),
  /** The provider's words. */
  refusal: Nullable(Type.String()),
});

export type CheckedSettings = Static<typeof CheckedSettings>;

/** The account of a channel, and what a person gives to its provider. */
export const ChannelAccount = Type.Object({
  facts: Type.Array(Fact),
  /** The address by which a client begins to write. */
  link: Nullable(Type.String()),
  refusal: Nullable(Type.String()),
  /** By the names of the guide. */
  gives: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: true }),
});

export type ChannelAccount = Static<typeof ChannelAccount>;

/** The beginning of a channel. */
export const FirstMessage = Type.Object({
  /** The provider's first call to the channel's address. */
  called_at: Nullable(DateTime),
  /** The first message of the newest chat. */
  message: Type.Union([
    Type.Object({
      chat: Type.Object({ uuid: Uuid, name: Nullable(Type.String()) }),
      text: Nullable(Type.String()),
      at: DateTime,
    }),
    Type.Null(),
  ]),
});

export type FirstMessage = Static<typeof FirstMessage>;

export const ChatOpening = Type.Object({ phone_number: PhoneNumber });

export const ChatOpened = Type.Object({ chat: Type.Object({ uuid: Uuid }) });

export type ChatOpened = Static<typeof ChatOpened>;

const name = Line(200);

/** Each is a text, number or boolean. */
const settings = JsonObject;

export const ChannelCreate = Type.Object({ platform: Choice(platforms), name, settings });

export type ChannelCreate = Static<typeof ChannelCreate>;

/** The changed settings. An empty text or null removes a setting, but an empty text keeps a secret. */
export const ChannelPatch = Type.Object({ name: Type.Optional(name), settings: Type.Optional(settings) });

export type ChannelPatch = Static<typeof ChannelPatch>;

/** The current results of the messages of one hour. */
const Hour = Type.Object({
  at: DateTime,
  sent: Integer(0),
  delivered: Integer(0),
  read: Integer(0),
  undelivered: Integer(0),
  error: Integer(0),
});

export type Hour = Static<typeof Hour>;

/** The messages that were made in the last 24 hours, by the hour of their result, the oldest first. */
export const Deliveries = Type.Object({
  hours: Type.Array(Hour),
  /** Whether the project has more messages than are looked at, so that older ones may be missing. */
  is_cut: Type.Boolean(),
  /** The messages that were made since then are all counted. */
  complete_from: DateTime,
});

export type Deliveries = Static<typeof Deliveries>;

/** The latest failed messages. */
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
