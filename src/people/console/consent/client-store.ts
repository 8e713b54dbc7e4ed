import type { Sql } from '../../../platform/database/database.ts';

/** A departure counts in all chats of a client, and is kept in one of them. */
export async function latestChatOf(
  sql: Sql,
  projectId: string,
  profileId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from chats where project_id = ${projectId} and profile_id = ${profileId}
    order by last_active_at desc, id limit 1`;
  return row?.id;
}
