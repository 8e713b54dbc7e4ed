import Type, { type Static } from 'typebox';
import { platforms } from '../../../channels/contract/platforms.ts';
import { ways } from '../../../clients/consent/ways.ts';
import { Choice, DateTime, Integer, Line, Nullable, Text, Uuid } from '../../../platform/http/fields.ts';

const optional = Type.Optional;

/** What a client writes to leave or to come back. */
export const Words = Type.Array(Text(64), { maxItems: 20 });

/** What mailings are about. */
export const Topic = Type.Object({
  uuid: Uuid,
  name: Type.String(),
  description: Type.String(),
  /** A client whose whole message is one of these leaves the topic. */
  words: Type.Array(Type.String()),
  /** A client gets at most so many mailings about it in so many days. Both are null without a cap. */
  cap_messages: Nullable(Type.Integer()),
  cap_days: Nullable(Type.Integer()),
});

export type Topic = Static<typeof Topic>;

export const Topics = Type.Object({ results: Type.Array(Topic) });

export type Topics = Static<typeof Topics>;

export const TopicWrite = Type.Object(
  {
    name: Line(80),
    description: optional(Type.String({ maxLength: 500 })),
    words: optional(Words),
    cap_messages: optional(Nullable(Integer(1, 100))),
    cap_days: optional(Nullable(Integer(1, 90))),
  },
  { title: 'Topic' },
);

export type TopicWrite = Static<typeof TopicWrite>;

const Departure = Type.Object({ at: DateTime, by: Choice(ways) });

/** What a client wants of mailings. */
export const ClientConsent = Type.Object({
  /** When and how the client left everything. Null if they did not. */
  everything: Nullable(Departure),
  topics: Type.Array(Type.Object({ uuid: Uuid, name: Type.String(), left: Nullable(Departure) })),
  /** The client's addresses on the suppression list. */
  listed: Type.Array(Type.String()),
});

export type ClientConsent = Static<typeof ClientConsent>;

/** With `topic` only that topic, or else everything. */
export const ConsentChange = Type.Object({
  topic: optional(Nullable(Uuid)),
  subscribed: Type.Boolean(),
});

export type ConsentChange = Static<typeof ConsentChange>;

/** Longer addresses do not exist, and an index has room for it. */
export const longestAddress = 512;

/** An address that no mailing reaches. */
export const Suppression = Type.Object({
  uuid: Uuid,
  address: Type.String(),
  /** Null for a phone number or an email, which count on every platform. */
  platform: Nullable(Choice(platforms)),
  added_at: DateTime,
  way: Choice(['operator', 'import']),
});

export type Suppression = Static<typeof Suppression>;

export const SuppressionsQuery = Type.Object({
  /** The beginning of an address. */
  search: optional(Text(longestAddress)),
});

export const SuppressionAdd = Type.Object(
  {
    address: Text(longestAddress),
    /** With a platform, the address is the client's id there. Without one, a phone number or an email. */
    platform: optional(Nullable(Choice(platforms))),
  },
  { title: 'SuppressionAdd' },
);

export type SuppressionAdd = Static<typeof SuppressionAdd>;

export const SuppressionsImported = Type.Object({
  added: Type.Integer(),
  /** Lines whose address was on the list already. */
  known: Type.Integer(),
  /** The lines that were left out, and the first of them. */
  problem_count: Type.Integer(),
  problems: Type.Array(Type.Object({ line: Type.Integer(), text: Type.String(), reason: Type.String() })),
});

export type SuppressionsImported = Static<typeof SuppressionsImported>;
