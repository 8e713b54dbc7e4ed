import type { Sql } from '../../platform/database/database.ts';

/**
 * Locks the profile of a chat, which is another one than when the run was claimed where the two were merged meanwhile;
 * null when that has just happened, so that another look finds the other one.
 */
export async function lockProfile(sql: Sql, projectId: string, chatId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select profiles.id from chats
    join profiles on profiles.project_id = chats.project_id and profiles.id = chats.profile_id
    where chats.project_id = ${projectId} and chats.id = ${chatId}
    for update of profiles`;
  return row?.id ?? null;
}
