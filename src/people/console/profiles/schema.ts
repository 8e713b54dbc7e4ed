import Type, { type Static } from 'typebox';
import { ways } from '../../../clients/consent/ways.ts';
import { Profile, ProfileUpdate } from '../../../clients/profiles/schema.ts';
import { Choice, DateTime, Nullable, Text, Uuid } from '../../../platform/http/fields.ts';
import { PageOf } from '../../../platform/http/pages.ts';

const optional = Type.Optional;

export const ClientQuery = Type.Object({
  /** The beginning of a name, a number or an address, or a whole external id. */
  search: optional(Text(512)),
  tag: optional(Text(255)),
});

/** A profile as a list shows it. */
export const Client = Type.Object({
  ...Profile.properties,
  /** The client's name, or else other known data. Null if nothing is known. */
  title: Nullable(Type.String()),
  last_active_at: Nullable(DateTime),
});

export type Client = Static<typeof Client>;

export const ClientPage = Type.Object({
  ...PageOf(Client).properties,
  /** Whether a search has found more than are returned. */
  is_partial: Type.Boolean(),
});

export type ClientPage = Static<typeof ClientPage>;

/** The changes, and the values that the person saw before. If these are outdated, nothing changes. */
export const ClientUpdate = Type.Object({
  ...ProfileUpdate.properties,
  seen: ProfileUpdate,
});

export type ClientUpdate = Static<typeof ClientUpdate>;

export const Conflict = Type.Object({ detail: Type.String(), profile: Profile });

export type Conflict = Static<typeof Conflict>;

export const TimelineQuery = Type.Object({
  /** The `id` of the last known entry. Older entries follow. */
  before: optional(Uuid),
});

export const kinds = ['message', 'note', 'session_opened', 'session_closed', 'promocode'] as const;

/** An event between a client and the project. Fields that do not apply to its kind are null. */
export const TimelineEntry = Type.Object({
  id: Uuid,
  kind: Choice(kinds),
  at: DateTime,
  chat: Type.Object({ uuid: Uuid, platform: Type.String() }),
  /** For a message. */
  direction: Nullable(Choice(['in', 'out'])),
  source: Nullable(Type.String()),
  content_type: Nullable(Type.String()),
  state: Nullable(Type.String()),
  state_detail: Nullable(Type.String()),
  mailing: Nullable(Type.Object({ uuid: Uuid, name: Type.String() })),
  /** The times when the client replied, pressed a button, and followed a link. */
  replied_at: Nullable(DateTime),
  clicked_at: Nullable(DateTime),
  jumped_at: Nullable(DateTime),
  /** The author, or the session's operator. */
  author: Nullable(Type.String()),
  /** The text, the code, or the reason why a session was closed. */
  text: Nullable(Type.String()),
  /** The title of a session, or the group of a code. */
  title: Nullable(Type.String()),
});

export type TimelineEntry = Static<typeof TimelineEntry>;

export const Timeline = Type.Object({
  results: Type.Array(TimelineEntry),
  /** For `before`. Null at the end. */
  next: Nullable(Uuid),
});

export type Timeline = Static<typeof Timeline>;

export const outcomeCodes = [
  'sent',
  'delivered',
  'read',
  'sending',
  'queued',
  'scheduled',
  'retried',
  'quiet',
  'over_cap',
  'over_topic_cap',
  'unsubscribed',
  'left_topic',
  'suppressed',
  'refused',
  'cancelled',
  'later',
  'no_chat',
  'blocked',
  'left_out',
  'not_yet',
  'awaits_test',
  'ended_early',
  'not_in_audience',
] as const;

export type OutcomeCode = (typeof outcomeCodes)[number];

/** What became of a mailing or a push message for one client. */
export const Outcome = Type.Object({
  kind: Choice(['mailing', 'push']),
  uuid: Uuid,
  /** The name of the mailing. The campaign or the text of a push message. */
  title: Type.String(),
  at: DateTime,
  code: Choice(outcomeCodes),
  /** The provider's reason, or ours, or the topic that the client left or had enough of. Empty if the code says all. */
  detail: Type.String(),
  /** The end of a wait, or the time at which it was sent, delivered or read, or at which the client left. */
  until: Nullable(DateTime),
  platform: Nullable(Type.String()),
  /** Of an A/B test: what the client's message says. */
  variant: Nullable(Type.Integer()),
  /** How the client left mailings or their topic. */
  by: Nullable(Choice(ways)),
});

export type Outcome = Static<typeof Outcome>;

export const Outcomes = Type.Object({ results: Type.Array(Outcome) });

export type Outcomes = Static<typeof Outcomes>;
