import { outboxColumns, outboxCtes } from '../../events/outbox.ts';
import type { Fragment, JSONValue, Sql } from '../../platform/database/database.ts';
import type { SessionFacts } from './present.ts';
import type { Variables } from './store.ts';

export type OpenSession = SessionFacts & {
  id: string;
  operator_id: string | null;
  /** Null or empty, with no `operator_id`, while the session is unassigned. */
  operator_name: string | null;
};

export type NewSession = OpenSession & {
  project_id: string;
  chat_id: string;
  context: Variables;
  opened_at: Date;
};

/** The author of a session's step. The uuid is null if only a name is known. */
export type StepAuthor = { uuid: string | null; name: string };

/** An expression: the data of a chat's open session for events. Null when none is open. */
export const openSessionFacts = (sql: Sql, projectId: Fragment, chatId: Fragment) => sql`(
  select jsonb_build_object('title', title, 'context', context, 'team', team) from sessions
  where sessions.project_id = ${projectId} and sessions.chat_id = ${chatId} and sessions.closed_at is null
)`;

export async function findOpenSession(
  sql: Sql,
  projectId: string,
  chatId: string,
): Promise<OpenSession | undefined> {
  const [row] = await sql<OpenSession[]>`
    select id, title, context, team, operator_id, operator_name from sessions
    where project_id = ${projectId} and chat_id = ${chatId} and closed_at is null`;
  return row;
}

/** Opens a session and announces it. Returns false, and does neither, when the chat has an open session. */
export async function insertSession(
  sql: Sql,
  session: NewSession,
  author: StepAuthor | null,
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
      returning *
    ),
    step as (
      insert into session_steps (
        project_id, id, chat_id, session_id, step, operator_id, operator_name, author_id, author_name, created_at
      )
      select project_id, id, chat_id, id, 'opened', operator_id, operator_name, ${author?.uuid ?? null}::uuid,
        ${author?.name ?? null}, opened_at
      from opened
    ),
    announced as (
      select event.* from jsonb_to_recordset(${sql.json([announcement])}) as event (${outboxColumns(sql)}), opened
    ),
    ${outboxCtes(sql, sql`announced`, session.opened_at)}
    select id from opened`;
  return opened.length > 0;
}

export type Handing = {
  projectId: string;
  sessionId: string;
  to: { uuid: string; name: string };
  author: StepAuthor;
  /** Whether it may be taken from another operator. */
  fromAnyone: boolean;
  step: { id: string; kind: 'taken' | 'passed' };
  now: Date;
};

/**
 * Gives an open session to an operator and announces it. Returns false, and does neither, if it may not be taken, or
 * is theirs already.
 */
export async function handSession(
  sql: Sql,
  { projectId, sessionId, to, author, fromAnyone, step, now }: Handing,
  announcement: Record<string, JSONValue>,
): Promise<boolean> {
  const handed = await sql`
    with handed as (
      update sessions set operator_id = ${to.uuid}, operator_name = ${to.name}
      where project_id = ${projectId} and id = ${sessionId} and closed_at is null
        and operator_id is distinct from ${to.uuid}
        and (${fromAnyone} or (operator_id is null and coalesce(operator_name, '') = ''))
      returning *
    ),
    step as (
      insert into session_steps (
        project_id, id, chat_id, session_id, step, operator_id, operator_name, author_id, author_name, created_at
      )
      select project_id, ${step.id}::uuid, chat_id, id, ${step.kind}, operator_id, operator_name, ${author.uuid}::uuid,
        ${author.name}, ${now}
      from handed
    ),
    announced as (
      select event.* from jsonb_to_recordset(${sql.json([announcement])}) as event (${outboxColumns(sql)}), handed
    ),
    ${outboxCtes(sql, sql`announced`, now)}
    select id from handed`;
  return handed.length > 0;
}

/**
 * Closes the chat's session. False when none was open. The client's messages then count as read.
 * @param stepId the uuid of this step of the session
 */
export async function closeSession(
  sql: Sql,
  { projectId, chatId, stepId }: { projectId: string; chatId: string; stepId: string },
  { category, theme }: { category: string | null; theme: string | null },
  author: StepAuthor | null,
  now: Date,
): Promise<boolean> {
  const closed = await sql`
    with closed as (
      update sessions set closed_at = ${now}, category_name = ${category}, theme_name = ${theme}
      where project_id = ${projectId} and chat_id = ${chatId} and closed_at is null
      returning *
    ),
    step as (
      insert into session_steps (project_id, id, chat_id, session_id, step, author_id, author_name, created_at)
      select project_id, ${stepId}::uuid, chat_id, id, 'closed', ${author?.uuid ?? null}::uuid,
        ${author?.name ?? null}, ${now}
      from closed
    )
    update chats set read_id = greatest(read_id, heard_id) from closed
    where chats.project_id = closed.project_id and chats.id = closed.chat_id
    returning closed.id`;
  return closed.length > 0;
}

/** Releases the open sessions of an operator, so that any other can take them. */
export async function releaseSessions(sql: Sql, projectId: string, operatorId: string): Promise<void> {
  await sql`
    with theirs as (
      select id from sessions
      where project_id = ${projectId} and operator_id = ${operatorId} and closed_at is null
      order by id for update
    )
    update sessions set operator_id = null, operator_name = null from theirs
    where sessions.project_id = ${projectId} and sessions.id = theirs.id`;
}
