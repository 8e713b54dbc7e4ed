import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** The parts of a webhook's body that we read. Source: developers.facebook.com, "Messenger Platform, webhook events". */

const maybeText = Type.Optional(Type.String());
const Id = Type.Union([Type.String({ minLength: 1 }), Type.Integer()]);
/** Milliseconds. */
const Moment = Type.Union([Type.Integer(), Type.String({ pattern: '^\\d{1,16}$' })]);

const maybe = <S extends Type.TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

/** A shared page has its title and its address in the payload. Older ones have them beside it. */
export const Attachment = Type.Object({
  type: Type.String(),
  title: maybe(Type.String()),
  url: maybe(Type.String()),
  payload: maybe(
    Type.Object({
      url: maybe(Type.String()),
      title: maybe(Type.String()),
      sticker_id: maybe(Id),
      coordinates: maybe(Type.Object({ lat: Type.Number(), long: Type.Number() })),
    }),
  ),
});

/** The link that the client followed. */
export const Referral = Type.Object({ ref: Type.String({ minLength: 1 }) });

export const Message = Type.Object({
  mid: Type.String({ minLength: 1 }),
  text: maybeText,
  is_echo: Type.Optional(Type.Boolean()),
  is_deleted: Type.Optional(Type.Boolean()),
  quick_reply: Type.Optional(Type.Object({ payload: maybeText })),
  attachments: Type.Optional(Type.Array(Type.Unknown())),
  referral: Type.Optional(Type.Unknown()),
});

export const Postback = Type.Object({
  mid: maybeText,
  title: maybeText,
  payload: maybeText,
  referral: Type.Optional(Type.Unknown()),
});

export const Delivery = Type.Object({
  mids: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  watermark: Moment,
});

/** One messenger sends a time, the other a message. */
export const Read = Type.Object({
  mid: Type.Optional(Type.String({ minLength: 1 })),
  watermark: Type.Optional(Moment),
});

const Event = Type.Object({
  sender: Type.Object({ id: Id }),
  timestamp: Type.Optional(Moment),
  message: Type.Optional(Type.Unknown()),
  postback: Type.Optional(Type.Unknown()),
  /** The client followed a link into an existing conversation. */
  referral: Type.Optional(Type.Unknown()),
  delivery: Type.Optional(Type.Unknown()),
  read: Type.Optional(Type.Unknown()),
});

const Notification = Type.Object({
  entry: Type.Array(Type.Object({ id: Id, messaging: Type.Optional(Type.Array(Type.Unknown())) })),
});

export type Attachment = Static<typeof Attachment>;
export type Message = Static<typeof Message>;
export type Postback = Static<typeof Postback>;
export type Event = Static<typeof Event>;

export const isAttachment = (value: unknown): value is Attachment => Value.Check(Attachment, value);
const isEvent = (value: unknown): value is Event => Value.Check(Event, value);

/**
 * The events of this account. None in a body of another form. An app sends the events of all its accounts to one
 * address.
 */
export function eventsIn(body: unknown, accountId: string | undefined): Event[] {
  if (!Value.Check(Notification, body)) return [];
  return body.entry
    .filter(({ id }) => String(id) === accountId)
    .flatMap(({ messaging = [] }) => messaging)
    .filter(isEvent);
}
