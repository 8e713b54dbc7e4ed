import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** The parts of the Callback API's events that we read. Source: dev.vk.com, "Callback API". */

const maybeText = Type.Optional(Type.String());

/** Exact: a number, or the digits of one that is too large. */
export const Id = Type.Union([Type.Integer(), Type.String({ pattern: '^-?\\d+$' })]);

const Sized = Type.Object({
  url: Type.String({ minLength: 1 }),
  width: Type.Optional(Type.Number()),
  height: Type.Optional(Type.Number()),
});

/** Something with a page of its own. A post has the community's number in `to_id`. */
const Page = Type.Object({
  id: Id,
  owner_id: Type.Optional(Id),
  to_id: Type.Optional(Id),
  title: maybeText,
  text: maybeText,
});

export const Attachment = Type.Object({
  type: Type.String(),
  photo: Type.Optional(Type.Object({ sizes: Type.Optional(Type.Array(Sized)) })),
  sticker: Type.Optional(Type.Object({ images: Type.Optional(Type.Array(Sized)) })),
  doc: Type.Optional(Type.Object({ url: maybeText, title: maybeText })),
  audio_message: Type.Optional(Type.Object({ link_mp3: maybeText, link_ogg: maybeText })),
  graffiti: Type.Optional(Type.Object({ url: maybeText })),
  link: Type.Optional(Type.Object({ url: maybeText, title: maybeText })),
  video: Type.Optional(Page),
  wall: Type.Optional(Page),
  market: Type.Optional(Page),
  story: Type.Optional(Page),
  audio: Type.Optional(Type.Object({ artist: maybeText, title: maybeText })),
  poll: Type.Optional(Type.Object({ question: maybeText })),
});

const attachments = Type.Optional(Type.Array(Type.Unknown()));

export const Forwarded = Type.Object({ text: maybeText, attachments });

export const Message = Type.Object({
  id: Type.Optional(Id),
  from_id: Id,
  peer_id: Id,
  conversation_message_id: Type.Optional(Id),
  text: maybeText,
  payload: Type.Optional(Type.Unknown()),
  /** The parameter of a link vk.me/…?ref=…. */
  ref: maybeText,
  attachments,
  fwd_messages: Type.Optional(Type.Array(Type.Unknown())),
  geo: Type.Optional(
    Type.Object({
      coordinates: Type.Optional(Type.Object({ latitude: Type.Number(), longitude: Type.Number() })),
    }),
  ),
});

export const Envelope = Type.Object({
  type: Type.String(),
  group_id: Id,
  event_id: maybeText,
  secret: maybeText,
  object: Type.Optional(Type.Unknown()),
});

export const NewMessage = Type.Object({ message: Message });

export const Press = Type.Object({
  user_id: Id,
  peer_id: Id,
  event_id: Type.String(),
  payload: Type.Optional(Type.Unknown()),
});

export const Read = Type.Object({ from_id: Id, read_message_id: Id });

/** The client denies or allows messages. */
export const Consent = Type.Object({ user_id: Id });

export type Page = Static<typeof Page>;
export type Attachment = Static<typeof Attachment>;
export type Forwarded = Static<typeof Forwarded>;
export type Message = Static<typeof Message>;
export type Envelope = Static<typeof Envelope>;

export const isAttachment = (value: unknown): value is Attachment => Value.Check(Attachment, value);
export const isForwarded = (value: unknown): value is Forwarded => Value.Check(Forwarded, value);
