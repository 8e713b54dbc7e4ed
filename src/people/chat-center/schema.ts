import Type, { type Static } from 'typebox';
import { platforms } from '../../channels/contract/platforms.ts';
import { messageStates } from '../../messaging/chats/rules.ts';
import { Choice, DateTime, Nullable, Text, Uuid } from '../../platform/http/fields.ts';
import { placePattern } from './rules.ts';

const optional = Type.Optional;

/** A person by name. The uuid is null if only the name is known, as for a partner's operator. */
const Author = Type.Object({ uuid: Nullable(Uuid), name: Type.String() });
export type Author = Static<typeof Author>;

const Colleague = Type.Object({ uuid: Uuid, name: Type.String() });
export type Colleague = Static<typeof Colleague>;

/** GET account/ */
export const ChatCenterAccount = Type.Object({
  operator: Colleague,
  project: Type.Object({ uuid: Uuid, title: Type.String() }),
  /** Whether they entered through a partner's link. */
  is_frame: Type.Boolean(),
  /** The only visible client. Null if all are visible. */
  profile: Nullable(Type.Object({ uuid: Uuid, name: Type.String() })),
  /** Everybody in the project, including the operator, by name. */
  operators: Type.Array(Colleague),
  /** Categories of recently closed sessions, the latest first, as suggestions. */
  categories: Type.Array(Type.String()),
  themes: Type.Array(Type.String()),
});
export type ChatCenterAccount = Static<typeof ChatCenterAccount>;

export const chatLists = ['mine', 'waiting', 'all', 'closed'] as const;
export type ChatList = (typeof chatLists)[number];

export const ChatsQuery = Type.Object({
  list: optional(Choice(chatLists)),
  /**
   * The beginning of a name, phone number, e-mail address, external id or user name. The list's order then does not
   * apply.
   */
  search: optional(Text(255)),
  /** 1 to 100, default 30. */
  limit: optional(Type.String({ pattern: '^\\d{1,3}$' })),
  /** `next` of the previous page. */
  before: optional(Type.String({ pattern: placePattern })),
});

const LastMessage = Type.Object({
  uuid: Uuid,
  direction: Choice(['in', 'out']),
  type: Choice(['text', 'image', 'document']),
  /** At most its first 160 characters. */
  text: Nullable(Type.String()),
  state: Nullable(Choice(messageStates)),
  author_name: Nullable(Type.String()),
  at: DateTime,
});

const ChatSession = Type.Object({
  uuid: Uuid,
  /** Null while it is unassigned. */
  operator: Nullable(Author),
  title: Type.String(),
  opened_at: DateTime,
});

/** A chat as a list shows it. */
export const ChatEntry = Type.Object({
  uuid: Uuid,
  platform: Choice(platforms),
  /** Never empty: without a name it is the phone number, the user name, … */
  name: Type.String(),
  /** On the channel. Clients choose their names, and not this. */
  address: Type.String(),
  avatar: Nullable(Type.String()),
  profile: Type.Object({ uuid: Uuid, name: Nullable(Type.String()) }),
  last_message: Nullable(LastMessage),
  /** Client's messages that are unread and unanswered. 100 also means more. */
  unread: Type.Integer(),
  /** The open session. */
  session: Nullable(ChatSession),
  /** The time of the client's last activity. */
  last_active_at: DateTime,
});
export type ChatEntry = Static<typeof ChatEntry>;

/** GET chats/ */
export const ChatPage = Type.Object({
  results: Type.Array(ChatEntry),
  /** `before` of the next page. Null at the end. */
  next: Nullable(Type.String()),
});
export type ChatPage = Static<typeof ChatPage>;

/** GET counts/, and the live event `counts`. In `waiting` and `unread`, 1000 also means more. */
export const ChatCounts = Type.Object({
  mine: Type.Integer(),
  mine_unread: Type.Integer(),
  waiting: Type.Integer(),
  /** Chats with unread messages, assigned or not. */
  unread: Type.Integer(),
});
export type ChatCounts = Static<typeof ChatCounts>;

export const TimelineQuery = Type.Object({
  /** Entries older than this one. Without `before` and `after`, the newest entries. */
  before: optional(Uuid),
  /** Entries newer than this one, the nearest first. */
  after: optional(Uuid),
  /** 1 to 100, default 50. */
  limit: optional(Type.String({ pattern: '^\\d{1,3}$' })),
});

export const messageSources = [
  'client',
  'push',
  'stream',
  'mailing',
  'connector',
  'operator',
  'scenario',
] as const;

export const sessionSteps = ['opened', 'taken', 'passed', 'closed'] as const;
export type SessionStep = (typeof sessionSteps)[number];

/** One entry of a chat's history. Exactly one of `message`, `note` and `session` is present. */
export const TimelineEntry = Type.Object({
  /** Also its position: entries are ordered by their uuids. */
  uuid: Uuid,
  at: DateTime,
  /** The author. Null for the client and for automatic entries. */
  author: Nullable(Author),
  message: Nullable(
    Type.Object({
      direction: Choice(['in', 'out']),
      source: Choice(messageSources),
      type: Choice(['text', 'image', 'document']),
      text: Nullable(Type.String()),
      url: Nullable(Type.String()),
      /** The buttons' labels. */
      buttons: Type.Array(Type.String()),
      /** The `id` that a page sent it with. Null for other messages. */
      echo_id: Nullable(Type.String()),
      /** Null for the client's messages. */
      state: Nullable(Type.Object({ code: Choice(messageStates), detail: Type.String() })),
    }),
  ),
  note: Nullable(Type.Object({ text: Type.String(), echo_id: Nullable(Type.String()) })),
  session: Nullable(
    Type.Object({
      uuid: Uuid,
      step: Choice(sessionSteps),
      title: Type.String(),
      /** The operator from then on. Null if it was released or closed. */
      operator: Nullable(Author),
      category: Nullable(Type.String()),
      theme: Nullable(Type.String()),
    }),
  ),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

/** GET chats/{uuid}/messages/ */
export const Timeline = Type.Object({
  /** Oldest first. */
  results: Type.Array(TimelineEntry),
  /** Whether there are entries before the first one. */
  has_older: Type.Boolean(),
  /** Whether there are entries after the last one. */
  has_newer: Type.Boolean(),
});
export type Timeline = Static<typeof Timeline>;

/** POST chats/{uuid}/read/: the last of the client's messages to mark as read. */
export const ReadMark = Type.Object({ message: Uuid });
export type ReadMark = Static<typeof ReadMark>;

/** POST chats/{uuid}/messages/ */
export const NewMessage = Type.Object({
  /** Chosen by the page: a repeated id is the same message. It becomes the message's `echo_id`. */
  id: Uuid,
  type: Choice(['text', 'image', 'document']),
  /** Required with `text`. A caption otherwise. */
  text: optional(Text(4096)),
  /** Required with `image` and `document`: the uuid of the operator's upload. */
  attachment: optional(Uuid),
});
export type NewMessage = Static<typeof NewMessage>;

/** POST chats/{uuid}/notes/ */
export const NewNote = Type.Object({
  /** Chosen by the page: a repeated id is the same note. It becomes the note's `echo_id`. */
  id: Uuid,
  text: Text(10_000),
});
export type NewNote = Static<typeof NewNote>;

/** POST chats/{uuid}/pass/ */
export const Passing = Type.Object({ operator: Uuid });
export type Passing = Static<typeof Passing>;

/** POST chats/{uuid}/close/ */
export const Closing = Type.Object({
  category: optional(Nullable(Text(255))),
  theme: optional(Nullable(Text(255))),
});
export type Closing = Static<typeof Closing>;

/** POST and PUT quick-answers/ */
export const QuickAnswerWrite = Type.Object({
  /** The title is used in searches. */
  title: Text(100),
  text: Text(4096),
});
export type QuickAnswerWrite = Static<typeof QuickAnswerWrite>;

export const QuickAnswer = Type.Object({
  uuid: Uuid,
  title: Type.String(),
  text: Type.String(),
  /** The author. */
  author_name: Type.String(),
});
export type QuickAnswer = Static<typeof QuickAnswer>;

/** GET quick-answers/: all of the project, by title. */
export const QuickAnswers = Type.Object({ results: Type.Array(QuickAnswer) });
export type QuickAnswers = Static<typeof QuickAnswers>;

/** The id of the last event that had one. */
export const LiveQuery = Type.Object({ since: optional(Type.String({ pattern: '^\\d{1,20}$' })) });

/** The data of the events of GET live/, by the event's name. */
export type LiveEvents = {
  /**
   * The first event. `resumed`: all news since the given id follow. Otherwise the page must reload everything. It may
   * come again, when more is new than the page should get.
   */
  ready: { resumed: boolean };
  /** A chat's entry in the lists has changed, or is new. */
  chat: ChatEntry;
  /** An entry of a chat's history is new, or has changed, such as a message's state. */
  entry: { chat: string; entry: TimelineEntry };
  /** Another operator is typing in a chat. Valid for 5 s. */
  typing: { chat: string; author: Author };
  counts: ChatCounts;
};
