import type { Context } from '../../platform/context.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { insertNote } from '../chats/notes-store.ts';
import { addVariables } from '../chats/store.ts';
import { namedChat } from './chat.ts';
import { presentChatOnly } from './present.ts';
import type { ConnectorAnswer, ConnectorEvent } from './schema.ts';

/** Creates a note in a chat. `id` is the note's uuid. */
export async function createNote(
  context: Context,
  principal: Principal,
  { chat: key, sender }: ConnectorEvent,
  text: string,
  id: string,
): Promise<ConnectorAnswer> {
  const chat = await namedChat(context, principal, key, null);
  if (key.variables) await addVariables(context.sql, chat, key.variables);
  await insertNote(context.sql, {
    project_id: principal.projectId,
    id,
    chat_id: chat.id,
    author_id: sender.uuid ?? null,
    author_name: sender.name ?? '',
    text,
    created_at: context.clock.now(),
  });
  context.wake.wake('live');
  return presentChatOnly(chat);
}
