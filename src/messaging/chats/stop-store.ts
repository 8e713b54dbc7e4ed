import type { Sql } from '../../platform/database/database.ts';

/** Sends nothing more to the client until they write again, or the provider tells of their return. */
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

/** The client can be written to again. Who unsubscribed stays unsubscribed. */
export async function resumeChat(
  sql: Sql,
  channel: { projectId: string; id: string },
  externalId: string,
): Promise<void> {
  await sql`
    update chats set stopped_at = null
    where project_id = ${channel.projectId} and channel_id = ${channel.id} and external_id = ${externalId}
      and stopped_at is not null`;
}

/**
 * Notes that these clients have blocked us, as a provider reported. They get nothing more until they write again or
 * return. A client who has written since the call (`at`) is reachable again already. Rows are locked in the order of
 * their ids, so that batches cannot deadlock.
 */
export async function stopChats(
  sql: Sql,
  blocked: readonly { project_id: string; chat_id: string; at: Date }[],
): Promise<void> {
  await sql`
    with blocking as (
      select chats.project_id, chats.id, block.at
      from jsonb_to_recordset(${sql.json(blocked)}) as block (project_id uuid, chat_id uuid, at timestamptz)
      join chats on chats.project_id = block.project_id and chats.id = block.chat_id
      where chats.stopped_at is null and chats.last_active_at <= block.at
      order by chats.project_id, chats.id
      for no key update of chats
    )
    update chats set stopped_at = blocking.at
    from blocking where chats.project_id = blocking.project_id and chats.id = blocking.id`;
}
