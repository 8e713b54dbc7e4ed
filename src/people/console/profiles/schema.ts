import Type, { type Static } from 'typebox';
import { Profile, ProfileUpdate } from '../../../clients/profiles/schema.ts';
import { Choice, DateTime, Nullable, Text, Uuid } from '../../../platform/http/fields.ts';
import { PageOf } from '../../../platform/http/pages.ts';

const optional = Type.Optional;

export const ClientQuery = Type.Object({
  /** How a name, a number or an address begins, or a whole external id. */
  search: optional(Text(512)),
  tag: optional(Text(255)),
});

/** A profile as a list shows it. */
export const Client = Type.Object({
  ...Profile.properties,
  /** What stands for the client: the name, or else whatever is known; null where nothing is. */
  title: Nullable(Type.String()),
  last_active_at: Nullable(DateTime),
});

export type Client = Static<typeof Client>;

export const ClientPage = Type.Object({
  ...PageOf(Client).properties,
  /** Whether a search has found so many that not all of them are here. */
  is_partial: Type.Boolean(),
});

export type ClientPage = Static<typeof ClientPage>;

/** What changes, and what the person had before their eyes in its place: where that is no longer so, nothing changes. */
export const ClientUpdate = Type.Object({
  ...ProfileUpdate.properties,
  seen: ProfileUpdate,
});

export type ClientUpdate = Static<typeof ClientUpdate>;

export const Conflict = Type.Object({ detail: Type.String(), profile: Profile });

export type Conflict = Static<typeof Conflict>;

export const TimelineQuery = Type.Object({
  /** The `id` of the last entry that is known; what lies before it follows. */
  before: optional(Uuid),
});

export const kinds = ['message', 'note', 'session_opened', 'session_closed', 'promocode'] as const;

/** Something that happened between a client and the project. What does not belong to its kind is null. */
export const TimelineEntry = Type.Object({
  id: Uuid,
  kind: Choice(kinds),
  at: DateTime,
  chat: Type.Object({ uuid: Uuid, platform: Type.String() }),
  /** Of a message. */
  direction: Nullable(Choice(['in', 'out'])),
  source: Nullable(Type.String()),
  content_type: Nullable(Type.String()),
  state: Nullable(Type.String()),
  state_detail: Nullable(Type.String()),
  mailing: Nullable(Type.Object({ uuid: Uuid, name: Type.String() })),
  /** When the client replied, pressed a button, and followed a link. */
  replied_at: Nullable(DateTime),
  clicked_at: Nullable(DateTime),
  jumped_at: Nullable(DateTime),
  /** Who wrote, or who had the session. */
  author: Nullable(Type.String()),
  /** What was written; the code; why a session was closed. */
  text: Nullable(Type.String()),
  /** The title of a session, the group of a code. */
  title: Nullable(Type.String()),
});

export type TimelineEntry = Static<typeof TimelineEntry>;

export const Timeline = Type.Object({
  results: Type.Array(TimelineEntry),
  /** For `before`; null where there is nothing more. */
  next: Nullable(Uuid),
});

export type Timeline = Static<typeof Timeline>;
