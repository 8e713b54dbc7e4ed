import Type from 'typebox';
import { platforms } from '../../channels/contract/platforms.ts';
import { Choice, described, JsonObject, Nullable, Uuid } from '../../platform/http/fields.ts';
import { toldTypes } from './present.ts';
import { messageStates } from './rules.ts';

/**
 * The payloads of what partners hear of chats, as `present.ts` makes them. Nothing validates what we send: these are for
 * the API's description, and the tests hold the two together. Source: docs/contract.md, section 8.
 */

const optional = Type.Optional;

const Chat = Type.Object({
  uuid: Uuid,
  platform: Choice(platforms),
  name: Nullable(Type.String({ examples: ['Ann Lee'] })),
  phone: Nullable(Type.String({ examples: ['+12025550123'] })),
  avatar: Nullable(Type.String({ description: 'Address of a picture.' })),
});

const ProfileReference = Type.Object({ uuid: Uuid });

const messageFields = {
  uuid: Uuid,
  type: described(
    'Decides which of the next fields there are. A `text` has none where it never became a message: a scenario that was cancelled, or had nothing to send.',
    Choice(toldTypes),
  ),
  text: optional(Type.String({ examples: ['Hello!'] })),
  url: optional(Type.String({ description: 'Of the image or document.' })),
  payload: optional(Type.String({ description: 'What a pressed button carries.' })),
  external_id: Nullable(Type.String({ description: "The messenger's or the integration's own id." })),
};

const Message = Type.Object(messageFields);

const sessionFields = {
  title: Type.String({ examples: ['Delivery'] }),
  context: described("The chat's variables when the session opened.", JsonObject),
  team: Nullable(Type.String()),
};

const Session = Type.Object(sessionFields);

const Operator = Type.Object({
  uuid: Nullable(Uuid),
  name: Type.String({ examples: ['Olga'] }),
  avatar: Nullable(Type.String()),
});

const OpenSession = described('The open session; null where there is none.', Nullable(Session));

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
    uuid: described("The task's.", Uuid),
    chat: Type.Object(
      {
        uuid: Nullable(Uuid),
        platform: Nullable(Type.String()),
        name: Nullable(Type.String()),
        phone: Nullable(Type.String()),
        avatar: Nullable(Type.String()),
      },
      { description: 'Null inside where there was no such recipient.' },
    ),
    profile: Type.Object({ uuid: Nullable(Uuid) }),
    message: Type.Object({ uuid: Uuid, state: Choice(messageStates.map((state) => state.toLowerCase())) }),
  },
  { title: 'StreamStatus' },
);

export const StreamReaction = Type.Object(
  {
    uuid: Uuid,
    stream: Type.Object({ uuid: described("The task's.", Uuid) }),
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
    uuid: described("The event's.", Uuid),
    chat: Type.Object({ uuid: Uuid, platform: Choice(platforms) }),
    type: described(
      'A link was followed, a button pressed, an answer written, the message read.',
      Choice(['URL', 'CLICK', 'REPLY', 'READ']),
    ),
  },
  { title: 'MailingReaction' },
);

/** The first call of an address that is to be set. */
export const Confirmation = Type.Object(
  { type: described('Nothing else.', Choice(['confirmation'])) },
  { title: 'Confirmation' },
);
