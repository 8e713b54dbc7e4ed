import type { Context } from '../../platform/context.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { closeSession } from '../chats/sessions-store.ts';
import { addVariables } from '../chats/store.ts';
import { findNamedChat } from './chat.ts';
import { presentChatOnly } from './present.ts';
import type { ConnectorAnswer, ConnectorEvent } from './schema.ts';

/** Closes the chat's session. Closing none is no error, and opens no chat. Source: docs/contract.md, section 6. */
export async function closeChat(
  { sql, clock, newId, wake }: Context,
  { projectId }: Principal,
  { chat: key, sender }: ConnectorEvent,
  reason: { category: string | null; theme: string | null },
): Promise<ConnectorAnswer> {
  const chat = await findNamedChat(sql, projectId, key, null);
  if (!chat) return presentChatOnly(null);
  if (key.variables) await addVariables(sql, chat, key.variables);
  const author = { uuid: sender.uuid ?? null, name: sender.name ?? '' };
  const place = { projectId, chatId: chat.id, stepId: newId() };
  if (await closeSession(sql, place, reason, author, clock.now())) wake.wake('live');
  return presentChatOnly(chat);
}
