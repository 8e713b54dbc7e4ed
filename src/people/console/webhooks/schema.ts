import Type, { type Static } from 'typebox';
import { platforms } from '../../../channels/contract/platforms.ts';
import { integrationEventTypes, projectEventTypes } from '../../../events/types.ts';
import { Choice, DateTime, Integer, Nullable, Uuid } from '../../../platform/http/fields.ts';

const optional = Type.Optional;

export const eventTypes = [...integrationEventTypes, ...projectEventTypes] as const;
/** `KEPT`: the webhook was disabled. Only a replay sends it. */
export const eventStates = ['PENDING', 'DELIVERED', 'FAILED', 'KEPT'] as const;

export type EventState = (typeof eventStates)[number];

export const Webhook = Type.Object({
  uuid: Uuid,
  /** The owner. Null for the project's own webhook. */
  application: Type.Union([Type.Object({ uuid: Uuid, name: Type.String() }), Type.Null()]),
  url: Type.String(),
  /** Empty means all. */
  event_types: Type.Array(Choice(eventTypes)),
  /** Empty means all. */
  platforms: Type.Array(Choice(platforms)),
  failing_since: Nullable(DateTime),
  disabled_at: Nullable(DateTime),
  disabled_reason: Nullable(Type.String()),
  /** Undelivered events, counted up to a limit. Beyond it `waiting_more` is true. */
  waiting: Integer(0),
  waiting_more: Type.Boolean(),
  created_at: DateTime,
});

export type Webhook = Static<typeof Webhook>;

export const WebhookList = Type.Object({ results: Type.Array(Webhook) });

export type WebhookList = Static<typeof WebhookList>;

export const ProjectWebhookPut = Type.Object({
  url: Type.String({ maxLength: 2048 }),
  /** `MAILING_STATE`, `MAILING_REACTION`. */
  kinds: Type.Array(Type.String(), { maxItems: 10 }),
});

export type ProjectWebhookPut = Static<typeof ProjectWebhookPut>;

/** The signing secret, shown only this once. Null if the old one stays. */
export const ProjectWebhookSet = Type.Object({ secret: Nullable(Type.String()) });

export type ProjectWebhookSet = Static<typeof ProjectWebhookSet>;

export const RotatedSecret = Type.Object({ secret: Type.String() });

export type RotatedSecret = Static<typeof RotatedSecret>;

/** The result of one call. `status` is null without an answer, and `error` is then the reason. */
const call = {
  duration_ms: Integer(0),
  status: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  /** At most 20 KB of it. */
  answer: Type.String(),
};

export const TestCall = Type.Object(call);

export type TestCall = Static<typeof TestCall>;

export const EventFilters = Type.Object({
  state: optional(Choice(eventStates)),
  event_type: optional(Choice(eventTypes)),
  /** Events of this time and later ones. */
  from: optional(DateTime),
  /** Events before this time. */
  to: optional(DateTime),
  /** The cursor of the page: `next` of the previous one. */
  before: optional(Uuid),
});

export type EventFilters = Static<typeof EventFilters>;

const event = {
  uuid: Uuid,
  event_type: Choice(eventTypes),
  state: Choice(eventStates),
  chat: Type.Object({ uuid: Uuid, name: Nullable(Type.String()) }),
  created_at: DateTime,
  finished_at: Nullable(DateTime),
};

export const LoggedEvent = Type.Object({
  ...event,
  attempts: Integer(0),
  /** Of the latest attempt. Null without an attempt, or without an answer. */
  last_status: Nullable(Type.Integer()),
});

export type LoggedEvent = Static<typeof LoggedEvent>;

/** Newest first. `next` is null at the end. Before that, a page may be short or empty, because the search is long. */
export const EventPage = Type.Object({ results: Type.Array(LoggedEvent), next: Nullable(Uuid) });

export type EventPage = Static<typeof EventPage>;

export const EventDetails = Type.Object({
  ...event,
  /** The exact text that is sent and signed. */
  body: Type.String(),
  /** The newest first, 50 at most. */
  attempts: Type.Array(Type.Object({ uuid: Uuid, started_at: DateTime, ...call })),
});

export type EventDetails = Static<typeof EventDetails>;

/** The events of a span of time, from `from` on and before `to`. */
export const EventRange = Type.Object({
  from: DateTime,
  to: DateTime,
  event_type: optional(Choice(eventTypes)),
  state: optional(Choice(eventStates)),
  /** The cursor of the next part: `after` of the previous one. */
  after: optional(Uuid),
});

export type EventRange = Static<typeof EventRange>;

/** The number of events in one part of a range. `after` is null at its end. */
export const RangePart = Type.Object({ count: Integer(0), after: Nullable(Uuid) });

export type RangePart = Static<typeof RangePart>;
