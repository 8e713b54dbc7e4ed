import type { Context } from '../context.ts';
import { outboxRow } from '../events/outbox.ts';
import type { Sql } from '../storage/database.ts';
import { presentSessionUpdated } from './present.ts';
import { findOpenSession, insertSession, type NewSession, type OpenSession } from './sessions-store.ts';
import type { ChatRow } from './store.ts';

export type Opening = {
  operator?: { uuid: string | null; name: string };
  title?: string;
  team?: string;
};

/**
 * The chat's open session. Where none is open one is opened with the chat's variables for its context, and
 * `session_updated` is announced; when several try at once, one of them does.
 */
export async function openSession(
  context: Pick<Context, 'newId' | 'wake'> & { sql: Sql },
  chat: ChatRow,
  opening: Opening,
  now: Date,
): Promise<OpenSession> {
  const { sql, newId, wake } = context;
  const open = await findOpenSession(sql, chat.project_id, chat.id);
  if (open) return open;

  const session = newSession(chat, opening, newId(), now);
  const event = {
    type: 'session_updated' as const,
    projectId: chat.project_id,
    chatId: chat.id,
    platform: chat.platform,
    payload: presentSessionUpdated(chat, session),
  };
  // Someone else may be faster; and should that session be closed again by now, the next round opens another.
  if (!(await insertSession(sql, session, outboxRow(event, newId(), now, {})))) {
    return openSession(context, chat, opening, now);
  }
  wake.wake('webhooks');
  return session;
}

const newSession = (
  chat: ChatRow,
  { operator, title = '', team }: Opening,
  id: string,
  now: Date,
): NewSession => ({
  project_id: chat.project_id,
  id,
  chat_id: chat.id,
  operator_id: operator?.uuid ?? null,
  operator_name: operator?.name ?? null,
  title,
  team: team ?? null,
  context: chat.variables,
  opened_at: now,
});
