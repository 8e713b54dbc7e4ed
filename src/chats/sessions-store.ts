import type { JSONValue } from 'postgres';
import { outboxColumns, outboxCtes } from '../events/outbox.ts';
import type { Sql } from '../storage/database.ts';
import type { SessionFacts } from './present.ts';
import type { Variables } from './store.ts';

export type OpenSession = SessionFacts & { id: string };

export type NewSession = {
  project_id: string;
  id: string;
  chat_id: string;
  operator_id: string | null;
  operator_name: string | null;
  title: string;
  team: string | null;
  context: Variables;
  opened_at: Date;
};

export async function findOpenSession(
  sql: Sql,
  projectId: string,
  chatId: string,
): Promise<OpenSession | undefined> {
  const [row] = await sql<OpenSession[]>`
    select id, title, context, team from sessions
    where project_id = ${projectId} and chat_id = ${chatId} and closed_at is null`;
  return row;
}

/** Opens a session and announces it; false, and neither, when one is open in the chat. */
export async function insertSession(
  sql: Sql,
  session: NewSession,
  announcement: Record<string, JSONValue>,
): Promise<boolean> {
  const opened = await sql`
    with opened as (
      insert into sessions (project_id, id, chat_id, operator_id, operator_name, title, team, context, opened_at)
      values (
        ${session.project_id}, ${session.id}, ${session.chat_id}, ${session.operator_id}, ${session.operator_name},
        ${session.title}, ${session.team}, ${sql.json(session.context)}, ${session.opened_at}
      )
      on conflict (project_id, chat_id) where closed_at is null do nothing
      returning id
    ),
    announced as (
      select event.* from jsonb_to_recordset(${sql.json([announcement])}) as event (${outboxColumns(sql)}), opened
    ),
    ${outboxCtes(sql, session.opened_at)}
    select id from opened`;
  return opened.length > 0;
}

/** Closes the chat's session; false when none was open. */
export async function closeSession(
  sql: Sql,
  projectId: string,
  chatId: string,
  { category, theme }: { category: string | null; theme: string | null },
  now: Date,
): Promise<boolean> {
  const closed = await sql`
    update sessions set closed_at = ${now}, category_name = ${category}, theme_name = ${theme}
    where project_id = ${projectId} and chat_id = ${chatId} and closed_at is null
    returning id`;
  return closed.length > 0;
}
