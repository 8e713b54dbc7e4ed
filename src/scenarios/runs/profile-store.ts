import type { Sql } from '../../platform/database/database.ts';

/**
 * Locks the profile of a chat. A merge may have replaced it since the claim. Null if the merge has just happened:
 * another attempt then finds the new one.
 */
export async function lockProfile(sql: Sql, projectId: string, chatId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select profiles.id from chats
    join profiles on profiles.project_id = chats.project_id and profiles.id = chats.profile_id
    where chats.project_id = ${projectId} and chats.id = ${chatId}
    for update of profiles`;
  return row?.id ?? null;
}
