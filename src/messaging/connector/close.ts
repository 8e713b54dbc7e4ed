import type { Context } from '../../platform/context.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { endSession } from '../chats/sessions.ts';
import { addVariables } from '../chats/store.ts';
import { findNamedChat } from './chat.ts';
import { presentChatOnly } from './present.ts';
import type { ConnectorAnswer, ConnectorEvent } from './schema.ts';

/** Closes the chat's session. Closing none is no error, and opens no chat. Source: docs/contract.md, section 6. */
export async function closeChat(
  context: Context,
  { projectId }: Principal,
  { chat: key, sender }: ConnectorEvent,
  reason: { category: string | null; theme: string | null },
): Promise<ConnectorAnswer> {
  const { sql } = context;
  const chat = await findNamedChat(sql, projectId, key, null);
  if (!chat) return presentChatOnly(null);
  if (key.variables) await addVariables(sql, chat, key.variables);
  await endSession(context, chat, reason, { uuid: sender.uuid ?? null, name: sender.name ?? '' });
  return presentChatOnly(chat);
}
