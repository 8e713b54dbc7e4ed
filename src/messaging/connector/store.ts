import type { Sql } from '../../platform/database/database.ts';

export type MadeRow = {
  chat_id: string;
  profile_id: string;
  message_id: string | null;
  external_id: string | null;
};

/** The connector's message or note with this id. */
export async function findMade(sql: Sql, projectId: string, id: string): Promise<MadeRow | undefined> {
  const [row] = await sql<MadeRow[]>`
    select chats.id as chat_id, chats.profile_id, made.message_id, made.external_id
    from (
      select chat_id, id as message_id, external_id from messages
      where project_id = ${projectId} and id = ${id} and source = 'connector'
      union all
      select chat_id, null, null from notes where project_id = ${projectId} and id = ${id}
    ) as made
    join chats on chats.project_id = ${projectId} and chats.id = made.chat_id`;
  return row;
}
