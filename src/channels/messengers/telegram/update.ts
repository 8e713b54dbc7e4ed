import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** The parts of the Bot API's `Update` that we read. Source: core.telegram.org/bots/api, "Available types". */

/** A number beyond these bounds has already lost digits. The Bot API promises at most 52 bits. */
const Id = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

const maybeText = Type.Optional(Type.String());

const User = Type.Object({
  id: Id,
  first_name: maybeText,
  last_name: maybeText,
  username: maybeText,
});

/** A private chat has the names, and the id, of its user. */
const Chat = Type.Object({ ...User.properties, type: Type.String() });

const FileObject = Type.Object({
  file_id: Type.String({ pattern: '^[A-Za-z0-9_-]+$' }),
  file_name: maybeText,
});
const maybeFile = Type.Optional(FileObject);

export const Message = Type.Object({
  message_id: Id,
  chat: Chat,
  from: Type.Optional(User),
  text: maybeText,
  caption: maybeText,
  /** The same picture in several sizes, the largest last. */
  photo: Type.Optional(Type.Array(FileObject, { minItems: 1 })),
  animation: maybeFile,
  document: maybeFile,
  video: maybeFile,
  video_note: maybeFile,
  voice: maybeFile,
  audio: maybeFile,
  sticker: Type.Optional(Type.Object({ emoji: maybeText })),
  dice: Type.Optional(Type.Object({ emoji: Type.String() })),
  poll: Type.Optional(Type.Object({ question: Type.String() })),
  location: Type.Optional(Type.Object({ latitude: Type.Number(), longitude: Type.Number() })),
  venue: Type.Optional(Type.Object({ title: Type.String(), address: Type.String() })),
  contact: Type.Optional(
    Type.Object({
      phone_number: Type.String(),
      first_name: Type.String(),
      last_name: maybeText,
      user_id: Type.Optional(Id),
    }),
  ),
});

const InlineKeyboard = Type.Object({
  inline_keyboard: Type.Array(Type.Array(Type.Object({ text: Type.String(), callback_data: maybeText }))),
});

export const CallbackQuery = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255 }),
  from: User,
  /** The message with the button. Without its keyboard when it is too old. */
  message: Type.Optional(Type.Object({ chat: Chat, reply_markup: Type.Optional(InlineKeyboard) })),
  data: maybeText,
});

export const ChatMemberUpdated = Type.Object({
  chat: Chat,
  new_chat_member: Type.Object({ status: Type.String() }),
});

const Update = Type.Object({
  update_id: Id,
  message: Type.Optional(Message),
  callback_query: Type.Optional(CallbackQuery),
  my_chat_member: Type.Optional(ChatMemberUpdated),
});

export type Update = Static<typeof Update>;
export type Message = Static<typeof Message>;
export type CallbackQuery = Static<typeof CallbackQuery>;
export type ChatMemberUpdated = Static<typeof ChatMemberUpdated>;
export type Chat = Static<typeof Chat>;

/** The kinds of updates that we request. */
export const allowedUpdates = ['message', 'callback_query', 'my_chat_member'] as const;

export const isUpdate = (value: unknown): value is Update => Value.Check(Update, value);
