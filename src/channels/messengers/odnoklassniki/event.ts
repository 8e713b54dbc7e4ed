import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** The parts of an event that we read. Source: apiok.ru, "graph.user.subscribe". */

const maybe = <S extends Type.TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const maybeText = maybe(Type.String());
const maybeNumber = maybe(Type.Number());

export const Attachment = Type.Object({
  type: Type.String(),
  payload: maybe(
    Type.Object({
      url: maybeText,
      name: maybeText,
      title: maybeText,
      phone: maybeText,
      latitude: maybeNumber,
      longitude: maybeNumber,
    }),
  ),
});

/** `user:…`, and `chat:…`. */
const Sender = Type.Object({ user_id: Type.String({ minLength: 1 }), name: maybeText });
const Recipient = Type.Object({ chat_id: Type.String({ minLength: 1 }) });

/** The older form of an event has no `webhookType`. */
export const Created = Type.Object({
  webhookType: Type.Optional(Type.Literal('MESSAGE_CREATED')),
  sender: Sender,
  recipient: Recipient,
  message: Type.Object({
    mid: Type.String({ minLength: 1 }),
    text: maybeText,
    attachment: maybe(Type.Unknown()),
    attachments: maybe(Type.Array(Type.Unknown())),
  }),
});

export const Pressed = Type.Object({
  webhookType: Type.Literal('MESSAGE_CALLBACK'),
  sender: Sender,
  recipient: Recipient,
  callbackId: Type.String({ minLength: 1 }),
  payload: maybeText,
  timestamp: Type.Union([Type.Integer(), Type.String()]),
});

export type Attachment = Static<typeof Attachment>;
export type Created = Static<typeof Created>;
export type Pressed = Static<typeof Pressed>;

export const isAttachment = (value: unknown): value is Attachment => Value.Check(Attachment, value);
