import type { Sql } from '../../platform/database/database.ts';

/**
 * Marks the client's messages as read, up to an entry of the chat's history. A mark never moves back, nor beyond the
 * client's last message.
 */
export async function markRead(
  sql: Sql,
  { project_id, id }: { project_id: string; id: string },
  upTo: string,
): Promise<void> {
  await sql`
    update chats set read_id = least(heard_id, ${upTo}::uuid)
    where project_id = ${project_id} and id = ${id} and heard_id is not null
      and read_id < least(heard_id, ${upTo}::uuid)`;
}
