import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** The parts of an `Update` that we read. Source: dev.max.ru, "Update". */

const maybe = <S extends Type.TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const maybeText = maybe(Type.String());

/** Exact: a number, or the digits of one that is too large. */
const Id = Type.Union([Type.Integer(), Type.String({ pattern: '^-?\\d+$' })]);

export const User = Type.Object({
  user_id: Id,
  first_name: maybeText,
  last_name: maybeText,
  name: maybeText,
  username: maybeText,
  is_bot: Type.Optional(Type.Boolean()),
});

const Button = Type.Object({ text: maybeText, payload: maybeText });

export const Attachment = Type.Object({
  type: Type.String(),
  payload: maybe(
    Type.Object({
      url: maybeText,
      token: maybeText,
      vcf_info: maybeText,
      max_info: maybe(User),
      buttons: maybe(Type.Array(Type.Array(Button))),
    }),
  ),
  filename: maybeText,
  title: maybeText,
  latitude: maybe(Type.Number()),
  longitude: maybe(Type.Number()),
});

const Body = Type.Object({
  mid: Type.String({ minLength: 1 }),
  text: maybeText,
  attachments: maybe(Type.Array(Type.Unknown())),
});

const Recipient = Type.Object({ chat_type: maybeText });

export const Message = Type.Object({
  sender: maybe(User),
  recipient: Recipient,
  body: Body,
  link: maybe(Type.Object({ type: Type.String(), message: maybe(Body) })),
});

export const MessageCreated = Type.Object({ update_type: Type.Literal('message_created'), message: Message });

export const MessageCallback = Type.Object({
  update_type: Type.Literal('message_callback'),
  callback: Type.Object({
    /** By its documentation it identifies the keyboard. Together with the time, it identifies the press. */
    callback_id: Type.String({ minLength: 1 }),
    timestamp: Id,
    payload: maybeText,
    user: User,
  }),
  message: maybe(Type.Object({ recipient: Recipient, body: maybe(Body) })),
});

export const BotStarted = Type.Object({
  update_type: Type.Literal('bot_started'),
  timestamp: Id,
  user: User,
  payload: maybeText,
});

export const BotStopped = Type.Object({ update_type: Type.Literal('bot_stopped'), user: User });

export type User = Static<typeof User>;
export type Attachment = Static<typeof Attachment>;
export type Body = Static<typeof Body>;
export type Message = Static<typeof Message>;

export const isAttachment = (value: unknown): value is Attachment => Value.Check(Attachment, value);

/** The kinds of updates that we request. */
export const wantedUpdates = ['message_created', 'message_callback', 'bot_started', 'bot_stopped'] as const;
