/**
 * Webhook payloads about chats, built from columns that the caller already has. Source: docs/contract.md, section 8.
 */

/** Columns of `chats`. */
export type ChatFacts = {
  id: string;
  platform: string;
  name: string | null;
  phone: string | null;
  avatar: string | null;
  profile_id: string;
};

/** Columns of `messages`. */
export type MessageFacts = {
  id: string;
  content_type: string;
  content: Record<string, unknown>;
  external_id: string | null;
};

/** Columns of `sessions`: the chat's open session. */
export type SessionFacts = { title: string; context: Record<string, unknown>; team: string | null };

export type Operator = { uuid: string | null; name: string; avatar: string | null };

/** The message types that partners receive. Source: docs/contract.md, section 8. */
export const toldTypes = ['text', 'image', 'document', 'button', 'whatsapp_template'] as const;

export type ToldType = (typeof toldTypes)[number];

/**
 * Maps the types that pushes, the connector, clients and the engines store. A row that is not a message yet counts as
 * text.
 */
function toldType(contentType: string): ToldType {
  const word = contentType.toLowerCase();
  return toldTypes.find((type) => type === word) ?? 'text';
}

/** The subject of a message event. */
export type MessageSubject = { chat: ChatFacts; message: MessageFacts; session: SessionFacts | null };

/** Payload of `message_created`: a client has written. */
export const presentMessageCreated = ({ chat, message, session }: MessageSubject) => ({
  ...presentChat(chat),
  message: presentMessage(message),
  session: session && presentSession(session),
});

/** Payload of `message_updated`: a message has reached another state. */
export const presentMessageUpdated = (
  { chat, message, session }: MessageSubject,
  state: { code: string; detail: string },
) => ({
  ...presentChat(chat),
  message: { ...presentMessage(message), state },
  session: session && presentSession(session),
});

/** Payload of `operator_replied`. */
export const presentOperatorReplied = (
  { chat, message, session }: MessageSubject & { session: SessionFacts },
  operator: Operator,
) => ({
  ...presentChat(chat),
  message: presentMessage(message),
  session: { ...presentSession(session), operator },
});

/** Payload of `session_updated`. */
export const presentSessionUpdated = (chat: ChatFacts, session: SessionFacts) => ({
  ...presentChat(chat),
  session: presentSession(session),
});

/** Payload of `stream.status`. */
export const presentStreamStatus = (
  taskId: string,
  chat: { [Fact in keyof ChatFacts]: ChatFacts[Fact] | null },
  state: string,
) => ({
  uuid: taskId,
  ...presentChat(chat),
  message: { uuid: taskId, state: state.toLowerCase() },
});

/** How a client reacts to a message of the stream, and to a mailing's. */
export type ReactionType = 'READ' | 'REPLY' | 'CLICK';

/** Payload of `stream.reaction`. */
export const presentStreamReaction = (
  uuid: string,
  taskId: string,
  { id, platform }: ChatFacts,
  type: ReactionType,
) => ({
  uuid,
  stream: { uuid: taskId },
  chat: { uuid: id, platform },
  type,
});

/** How a client reacts to a mailing's message. */
export type MailingReactionType = ReactionType | 'URL';

/** Payload of `mailing.state`. Source: docs/contract.md, section 8. */
export const presentMailingState = (
  mailingId: string,
  chat: Pick<ChatFacts, 'id' | 'profile_id'>,
  state: 'sent' | 'undelivered' | 'delivered' | 'read',
) => ({
  profile: { uuid: chat.profile_id },
  chat: { uuid: chat.id },
  mailing: { uuid: mailingId },
  message: { state },
});

/** Payload of `mailing.reaction`. */
export const presentMailingReaction = (
  uuid: string,
  { id, platform }: Pick<ChatFacts, 'id' | 'platform'>,
  type: MailingReactionType,
) => ({ uuid, chat: { uuid: id, platform }, type });

const presentChat = ({
  id,
  platform,
  name,
  phone,
  avatar,
  profile_id,
}: {
  [Fact in keyof ChatFacts]: ChatFacts[Fact] | null;
}) => ({
  chat: { uuid: id, platform, name, phone, avatar },
  profile: { uuid: profile_id },
});

/** The fields of the content depend on the type. An absent field stays absent in JSON. */
const presentMessage = ({ id, content_type, content, external_id }: MessageFacts) => ({
  uuid: id,
  type: toldType(content_type),
  // If a scenario had nothing to send, the text is the reason, which the state's detail reports.
  text: content_type === 'nothing' ? undefined : (content.text ?? undefined),
  url: content.url ?? undefined,
  payload: content.payload ?? undefined,
  external_id,
});

const presentSession = ({ title, context, team }: SessionFacts) => ({ title, context, team });
