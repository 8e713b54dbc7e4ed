import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** The parts of Viber's callbacks that we read. Source: developers.viber.com, "Callbacks". */

const maybeText = Type.Optional(Type.String());

/** Exact: a number, or the digits of one that is too large. */
const Token = Type.Union([Type.Integer(), Type.String({ minLength: 1 })]);

export const Message = Type.Object({
  type: Type.String(),
  text: maybeText,
  media: maybeText,
  file_name: maybeText,
  tracking_data: maybeText,
  sticker_id: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
  location: Type.Optional(Type.Object({ lat: Type.Number(), lon: Type.Number(), address: maybeText })),
  contact: Type.Optional(Type.Object({ name: maybeText, phone_number: maybeText })),
});

const Said = Type.Object({
  event: Type.Literal('message'),
  message_token: Token,
  /** Only for a group. */
  chat_id: maybeText,
  sender: Type.Object({ id: Type.String({ minLength: 1 }), name: maybeText }),
  message: Message,
});

const Told = Type.Object({
  event: Type.Union([Type.Literal('delivered'), Type.Literal('seen'), Type.Literal('failed')]),
  message_token: Token,
  desc: maybeText,
});

const Subscriber = Type.Object({ id: Type.String({ minLength: 1 }), name: maybeText });

/** The client opened the conversation by a link with a parameter. */
const Opened = Type.Object({
  event: Type.Literal('conversation_started'),
  message_token: Token,
  context: Type.String({ minLength: 1 }),
  user: Subscriber,
  subscribed: Type.Literal(true),
});

/** The client has subscribed, or opened the conversation as a subscriber. */
const Returned = Type.Union([
  Type.Object({ event: Type.Literal('subscribed'), user: Subscriber }),
  Type.Object({
    event: Type.Literal('conversation_started'),
    user: Subscriber,
    subscribed: Type.Literal(true),
  }),
]);

const Left = Type.Object({ event: Type.Literal('unsubscribed'), user_id: Type.String({ minLength: 1 }) });

export type Message = Static<typeof Message>;
export type Said = Static<typeof Said>;
export type Told = Static<typeof Told>;
export type Opened = Static<typeof Opened>;

export const isSaid = (value: unknown): value is Said => Value.Check(Said, value);
export const isTold = (value: unknown): value is Told => Value.Check(Told, value);
export const isOpened = (value: unknown): value is Opened => Value.Check(Opened, value);
export const isReturned = (value: unknown): value is Static<typeof Returned> => Value.Check(Returned, value);
export const isLeft = (value: unknown): value is Static<typeof Left> => Value.Check(Left, value);
