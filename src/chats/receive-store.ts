import type { JSONValue } from 'postgres';
import { outboxColumns, outboxCtes } from '../events/outbox.ts';
import type { Sql } from '../storage/database.ts';
import type { SessionFacts } from './present.ts';
import type { Reaction } from './reactions.ts';
import { reactedCte } from './reactions-store.ts';
import type { ChatRow } from './store.ts';

export type IncomingMessage = {
  id: string;
  external_id: string;
  content_type: string;
  content: Record<string, JSONValue>;
};

/** The chat's open session, and whether the project wants one to open when a client writes. */
export async function sessionOnMessage(
  sql: Sql,
  projectId: string,
  chatId: string,
): Promise<{ wanted: boolean; session: SessionFacts | null }> {
  const [row] = await sql<[{ wanted: boolean; session: SessionFacts | null }]>`
    select projects.open_session_on_message as wanted,
      case when sessions.id is not null then
        jsonb_build_object('title', sessions.title, 'context', sessions.context, 'team', sessions.team)
      end as session
    from projects
    left join sessions on sessions.project_id = projects.id and sessions.chat_id = ${chatId}
      and sessions.closed_at is null
    where projects.id = ${projectId}`;
  return row;
}

/**
 * Stores a client's message with its announcements, and what it says of the client: that they are there, listen, and go
 * by these names. Announcements that name a task are of its first such reaction, and are dropped where it is not.
 * False, and nothing stored, when the channel has used the external id before.
 */
export async function storeIncoming(
  sql: Sql,
  chat: ChatRow,
  message: IncomingMessage,
  reaction: Reaction,
  announcements: readonly ({ task_id: string | null } & Record<string, JSONValue>)[],
  now: Date,
): Promise<boolean> {
  const stored = await sql`
    with fresh as (
      insert into external_ids (project_id, owner_id, external_id, message_id, chat_id, created_at)
      values (${chat.project_id}, ${chat.channel_id}, ${message.external_id}, ${message.id}, ${chat.id}, ${now})
      on conflict do nothing
      returning project_id, chat_id, message_id
    ),
    touched as (
      update chats set name = ${chat.name}, username = ${chat.username}, stopped_at = null,
        last_active_at = greatest(last_active_at, ${now})
      from fresh where chats.project_id = fresh.project_id and chats.id = fresh.chat_id
    ),
    message as (
      insert into messages (
        project_id, id, chat_id, channel_id, direction, source, content_type, content, external_id, created_at
      )
      select project_id, message_id, chat_id, ${chat.channel_id}, 'in', 'client', ${message.content_type},
        ${sql.json(message.content)}, ${message.external_id}, ${now}
      from fresh
    ),
    ${reactedCte(sql, chat, reaction, now)},
    announced as (
      select event.* from jsonb_to_recordset(${sql.json(announcements)}) as event (task_id uuid, ${outboxColumns(sql)}), fresh
      where task_id is null or task_id in (select id from reacted)
    ),
    ${outboxCtes(sql, now)}
    select message_id from fresh`;
  return stored.length > 0;
}

/** Writing to the client is over until they write again. */
export async function stopChat(
  sql: Sql,
  channel: { projectId: string; id: string },
  externalId: string,
  now: Date,
): Promise<void> {
  await sql`
    update chats set stopped_at = ${now}
    where project_id = ${channel.projectId} and channel_id = ${channel.id} and external_id = ${externalId}
      and stopped_at is null`;
}
