import Type, { type Static } from 'typebox';
import { platforms } from '../../channels/contract/platforms.ts';
import { messageStates } from '../../messaging/chats/rules.ts';
import { Choice, DateTime, Nullable, Text, Uuid } from '../../platform/http/fields.ts';

const optional = Type.Optional;

/** Somebody by name. The uuid is null where the name is all that is known: a partner's operator, say. */
const Author = Type.Object({ uuid: Nullable(Uuid), name: Type.String() });
export type Author = Static<typeof Author>;

const Colleague = Type.Object({ uuid: Uuid, name: Type.String() });
export type Colleague = Static<typeof Colleague>;

/** GET account/ */
export const ChatCenterAccount = Type.Object({
  operator: Colleague,
  project: Type.Object({ uuid: Uuid, title: Type.String() }),
  /** Whether they came by a partner's link. */
  is_frame: Type.Boolean(),
  /** The only client that may be seen; null where all may be. */
  profile: Nullable(Type.Object({ uuid: Uuid, name: Type.String() })),
  /** Everybody of the project, the operator themselves among them, by name. */
  operators: Type.Array(Colleague),
  /** What sessions were closed with lately, the latest first; for suggestions. */
  categories: Type.Array(Type.String()),
  themes: Type.Array(Type.String()),
});
export type ChatCenterAccount = Static<typeof ChatCenterAccount>;

export const chatLists = ['mine', 'waiting', 'all', 'closed'] as const;
export type ChatList = (typeof chatLists)[number];

export const ChatsQuery = Type.Object({
  list: optional(Choice(chatLists)),
  /** The beginning of a name, phone number, e-mail address, external id or user name; the list's order does not hold then. */
  search: optional(Text(255)),
  /** 1 to 100, 30 unless said. */
  limit: optional(Type.String({ pattern: '^\\d{1,3}$' })),
  /** `next` of the page before. */
  before: optional(Type.String({ pattern: '^-?\\d{1,15}_[0-9a-f-]{36}$' })),
});

const LastMessage = Type.Object({
  uuid: Uuid,
  direction: Choice(['in', 'out']),
  type: Choice(['text', 'image', 'document']),
  /** Its beginning: 160 characters at most. */
  text: Nullable(Type.String()),
  state: Nullable(Choice(messageStates)),
  author_name: Nullable(Type.String()),
  at: DateTime,
});

const ChatSession = Type.Object({
  uuid: Uuid,
  /** Null while nobody has taken it. */
  operator: Nullable(Author),
  title: Type.String(),
  opened_at: DateTime,
});

/** A chat as a list shows it. */
export const ChatEntry = Type.Object({
  uuid: Uuid,
  platform: Choice(platforms),
  /** Never empty: what stands for a name where none is known is the phone number, the user name, … */
  name: Type.String(),
  avatar: Nullable(Type.String()),
  profile: Type.Object({ uuid: Uuid, name: Nullable(Type.String()) }),
  last_message: Nullable(LastMessage),
  /** Client's messages that nobody has read or answered; 100 stands for more, too. */
  unread: Type.Integer(),
  /** The open one. */
  session: Nullable(ChatSession),
  /** When the client was there last. */
  last_active_at: DateTime,
});
export type ChatEntry = Static<typeof ChatEntry>;

/** GET chats/ */
export const ChatPage = Type.Object({
  results: Type.Array(ChatEntry),
  /** `before` of the next page; null at the end. */
  next: Nullable(Type.String()),
});
export type ChatPage = Static<typeof ChatPage>;

/** GET counts/; and the live event `counts`. Of `waiting` and `unread` 1000 stands for more, too. */
export const ChatCounts = Type.Object({
  mine: Type.Integer(),
  mine_unread: Type.Integer(),
  waiting: Type.Integer(),
  /** Chats with unread messages, whoever has them. */
  unread: Type.Integer(),
});
export type ChatCounts = Static<typeof ChatCounts>;

export const TimelineQuery = Type.Object({
  /** Entries older than this one; the newest ones where neither is given. */
  before: optional(Uuid),
  /** Entries newer than this one, those next to it first. */
  after: optional(Uuid),
  /** 1 to 100, 50 unless said. */
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

/** One entry of a chat's history. Exactly one of `message`, `note`, `session` is there. */
export const TimelineEntry = Type.Object({
  /** Also its place: entries are in the order of their uuids. */
  uuid: Uuid,
  at: DateTime,
  /** Who has written or done it; null for the client and for what no person did. */
  author: Nullable(Author),
  message: Nullable(
    Type.Object({
      direction: Choice(['in', 'out']),
      source: Choice(messageSources),
      type: Choice(['text', 'image', 'document']),
      text: Nullable(Type.String()),
      url: Nullable(Type.String()),
      /** What stands on them. */
      buttons: Type.Array(Type.String()),
      /** The `id` that a page has sent it with; null for what came otherwise. */
      echo_id: Nullable(Type.String()),
      /** Null for the client's. */
      state: Nullable(Type.Object({ code: Choice(messageStates), detail: Type.String() })),
    }),
  ),
  note: Nullable(Type.Object({ text: Type.String(), echo_id: Nullable(Type.String()) })),
  session: Nullable(
    Type.Object({
      uuid: Uuid,
      step: Choice(sessionSteps),
      title: Type.String(),
      /** Who has it from then on; null for nobody, and when it was closed. */
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
  /** Whether there is more before the first one. */
  has_older: Type.Boolean(),
  /** Whether there is more after the last one. */
  has_newer: Type.Boolean(),
});
export type Timeline = Static<typeof Timeline>;

/** POST chats/{uuid}/read/: up to which message the client's messages are read. */
export const ReadMark = Type.Object({ message: Uuid });
export type ReadMark = Static<typeof ReadMark>;

/** POST chats/{uuid}/messages/ */
export const NewMessage = Type.Object({
  /** Made by the page: the same one twice is one message. It becomes the message's `echo_id`. */
  id: Uuid,
  type: Choice(['text', 'image', 'document']),
  /** Required with `text`; a caption otherwise. */
  text: optional(Text(4096)),
  /** Required with `image` and `document`: the uuid of what the operator has uploaded. */
  attachment: optional(Uuid),
});
export type NewMessage = Static<typeof NewMessage>;

/** POST chats/{uuid}/notes/ */
export const NewNote = Type.Object({
  /** Made by the page: the same one twice is one note. It becomes the note's `echo_id`. */
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
  /** What it is found by. */
  title: Text(100),
  text: Text(4096),
});
export type QuickAnswerWrite = Static<typeof QuickAnswerWrite>;

export const QuickAnswer = Type.Object({
  uuid: Uuid,
  title: Type.String(),
  text: Type.String(),
  /** Who made it. */
  author_name: Type.String(),
});
export type QuickAnswer = Static<typeof QuickAnswer>;

/** GET quick-answers/: all of the project, by title. */
export const QuickAnswers = Type.Object({ results: Type.Array(QuickAnswer) });
export type QuickAnswers = Static<typeof QuickAnswers>;

/** The id of the last event that had one. */
export const LiveQuery = Type.Object({ since: optional(Type.String({ pattern: '^\\d{1,20}$' })) });

/** The data of what GET live/ tells, by the event's name. */
export type LiveEvents = {
  /** The first one. `resumed`: all that happened since the given id follows; otherwise everything is to be asked anew. */
  ready: { resumed: boolean };
  /** A chat's entry in the lists has changed, or is new. */
  chat: ChatEntry;
  /** An entry of a chat's history is new, or has changed: a message's state, say. */
  entry: { chat: string; entry: TimelineEntry };
  /** Somebody else writes in a chat; it holds for 5 s. */
  typing: { chat: string; author: Author };
  counts: ChatCounts;
};
