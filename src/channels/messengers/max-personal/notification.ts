import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** The parts of a notification that we read. Source: green-api.com/v3/docs, "Notifications format". */

const maybe = <S extends Type.TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const maybeText = maybe(Type.String());
const maybeNumber = maybe(Type.Number());

/** Exact: a number, or the digits of one that is too large. */
const Id = Type.Union([Type.String({ minLength: 1 }), Type.Integer()]);

const MessageData = Type.Object({
  typeMessage: Type.String(),
  textMessageData: maybe(Type.Object({ textMessage: maybeText })),
  extendedTextMessageData: maybe(Type.Object({ text: maybeText })),
  fileMessageData: maybe(Type.Object({ downloadUrl: maybeText, caption: maybeText, fileName: maybeText })),
  locationMessageData: maybe(
    Type.Object({
      nameLocation: maybeText,
      address: maybeText,
      latitude: maybeNumber,
      longitude: maybeNumber,
    }),
  ),
  contactMessageData: maybe(
    Type.Object({
      displayName: maybeText,
      phoneNumber: maybe(Type.Union([Type.String(), Type.Integer()])),
      vcard: maybeText,
    }),
  ),
});

const Received = Type.Object({
  typeWebhook: Type.Literal('incomingMessageReceived'),
  idMessage: Id,
  senderData: Type.Object({
    chatId: Id,
    senderName: maybeText,
    senderContactName: maybeText,
    senderPhoneNumber: maybe(Type.Union([Type.String(), Type.Integer()])),
  }),
  messageData: MessageData,
});

const Status = Type.Object({
  typeWebhook: Type.Literal('outgoingMessageStatus'),
  idMessage: Id,
  status: Type.String(),
  description: maybeText,
});

export type MessageData = Static<typeof MessageData>;
export type Received = Static<typeof Received>;
export type Status = Static<typeof Status>;

export const isReceived = (value: unknown): value is Received => Value.Check(Received, value);
export const isStatus = (value: unknown): value is Status => Value.Check(Status, value);
