import type { Sql } from '../../../platform/database/database.ts';

export type LatestChat = {
  profile_id: string;
  name: string | null;
  username: string | null;
  phone: string | null;
  last_active_at: Date;
};

/** The most recently active chat of each of these profiles that has one. */
export async function latestChats(
  sql: Sql,
  projectId: string,
  profileIds: readonly string[],
): Promise<Map<string, LatestChat>> {
  const rows = await sql<LatestChat[]>`
    select latest.* from unnest(${[...profileIds]}::uuid[]) as wanted (id)
    cross join lateral (
      select profile_id, name, username, phone, last_active_at from chats
      where project_id = ${projectId} and profile_id = wanted.id
      order by last_active_at desc, id limit 1
    ) as latest`;
  return new Map(rows.map((row) => [row.profile_id, row]));
}
