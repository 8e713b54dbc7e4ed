import type { Received } from '../chats/external-ids-store.ts';
import type { ChatRow } from '../chats/store.ts';
import type { ConnectorAnswer } from './schema.ts';
import type { MadeRow } from './store.ts';

/** Source: docs/contract.md, section 6. */
export const presentSeen = (
  { chatUuid, profileUuid, messageUuid }: Received,
  externalId: string | null,
): ConnectorAnswer => ({
  status: 'ok',
  chat_uuid: chatUuid,
  profile_uuid: profileUuid,
  message_uuid: messageUuid,
  external_id: externalId,
});

/** The answer for an event that creates no message. */
export const presentChatOnly = (chat: ChatRow | null): ConnectorAnswer => ({
  status: 'ok',
  chat_uuid: chat?.id ?? null,
  profile_uuid: chat?.profile_id ?? null,
  message_uuid: null,
  external_id: null,
});

export const presentMade = ({ chat_id, profile_id, message_id, external_id }: MadeRow): ConnectorAnswer => ({
  status: 'ok',
  chat_uuid: chat_id,
  profile_uuid: profile_id,
  message_uuid: message_id,
  external_id,
});
