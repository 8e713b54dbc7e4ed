import Type from 'typebox';
import { platforms } from '../../channels/contract/platforms.ts';
import { Choice, described, JsonObject, Nullable, Uuid } from '../../platform/http/fields.ts';
import { toldTypes } from './present.ts';
import { messageStates } from './rules.ts';

/**
 * The payloads of the events about chats, as `present.ts` makes them. They are not used for validation, but for the
 * API's description. Tests compare the two. Source: docs/contract.md, section 8.
 */

const optional = Type.Optional;

const Chat = Type.Object({
  uuid: Uuid,
  platform: Choice(platforms),
  name: Nullable(Type.String({ examples: ['Ann Lee'] })),
  phone: Nullable(Type.String({ examples: ['+12025550123'] })),
  avatar: Nullable(Type.String({ description: 'URL of a picture.' })),
});

const ProfileReference = Type.Object({ uuid: Uuid });

const messageFields = {
  uuid: Uuid,
  type: described(
    'Determines which of the next fields are present. A `text` has none of them if no message was created, because its scenario was cancelled or sent nothing.',
    Choice(toldTypes),
  ),
  text: optional(Type.String({ examples: ['Hello!'] })),
  url: optional(Type.String({ description: 'URL of the image or document.' })),
  payload: optional(Type.String({ description: 'The payload of the clicked button.' })),
  external_id: Nullable(Type.String({ description: 'The id in the messenger or the integration.' })),
};

const Message = Type.Object(messageFields);

const sessionFields = {
  title: Type.String({ examples: ['Delivery'] }),
  context: described('The variables of the chat when the session opened.', JsonObject),
  team: Nullable(Type.String()),
};

const Session = Type.Object(sessionFields);

const Operator = Type.Object({
  uuid: Nullable(Uuid),
  name: Type.String({ examples: ['Olga'] }),
  avatar: Nullable(Type.String()),
});

const OpenSession = described('The open session, or null.', Nullable(Session));

export const MessageCreated = Type.Object(
  { chat: Chat, profile: ProfileReference, message: Message, session: OpenSession },
  { title: 'MessageCreated' },
);

export const MessageUpdated = Type.Object(
  {
    chat: Chat,
    profile: ProfileReference,
    message: Type.Object({
      ...messageFields,
      state: Type.Object({ code: Choice(messageStates), detail: Type.String({ examples: [''] }) }),
    }),
    session: OpenSession,
  },
  { title: 'MessageUpdated' },
);

export const OperatorReplied = Type.Object(
  {
    chat: Chat,
    profile: ProfileReference,
    message: Message,
    session: Type.Object({ ...sessionFields, operator: Operator }),
  },
  { title: 'OperatorReplied' },
);

export const SessionUpdated = Type.Object(
  { chat: Chat, profile: ProfileReference, session: Session },
  { title: 'SessionUpdated' },
);

export const StreamStatus = Type.Object(
  {
    uuid: described('The uuid of the stream task.', Uuid),
    chat: Type.Object(
      {
        uuid: Nullable(Uuid),
        platform: Nullable(Type.String()),
        name: Nullable(Type.String()),
        phone: Nullable(Type.String()),
        avatar: Nullable(Type.String()),
      },
      { description: 'The fields are null if the recipient was not found.' },
    ),
    profile: Type.Object({ uuid: Nullable(Uuid) }),
    message: Type.Object({ uuid: Uuid, state: Choice(messageStates.map((state) => state.toLowerCase())) }),
  },
  { title: 'StreamStatus' },
);

export const StreamReaction = Type.Object(
  {
    uuid: Uuid,
    stream: Type.Object({ uuid: described('The uuid of the stream task.', Uuid) }),
    chat: Type.Object({ uuid: Uuid, platform: Choice(platforms) }),
    type: Choice(['READ', 'REPLY', 'CLICK']),
  },
  { title: 'StreamReaction' },
);

export const MailingState = Type.Object(
  {
    profile: ProfileReference,
    chat: Type.Object({ uuid: Uuid }),
    mailing: Type.Object({ uuid: Uuid }),
    message: Type.Object({ state: Choice(['sent', 'undelivered', 'delivered', 'read']) }),
  },
  { title: 'MailingState' },
);

export const MailingReaction = Type.Object(
  {
    uuid: described('The uuid of the event.', Uuid),
    chat: Type.Object({ uuid: Uuid, platform: Choice(platforms) }),
    type: described(
      'The client followed a link, clicked a button, replied, or read the message.',
      Choice(['URL', 'CLICK', 'REPLY', 'READ']),
    ),
  },
  { title: 'MailingReaction' },
);

/** The first call to an address, before it is set. */
export const Confirmation = Type.Object(
  { type: described('The only field.', Choice(['confirmation'])) },
  { title: 'Confirmation' },
);
