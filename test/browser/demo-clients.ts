import type { Sql } from '../../src/platform/database/database.ts';

/** Adds clients to the demo’s own messenger. */
export async function addClients(longSql: Sql, count: number): Promise<void> {
  await longSql`
    with made as (
      insert into profiles (project_id, id, name, created_at, updated_at)
      select project_id, gen_random_uuid(), 'Client ' || n, created_at, created_at
      from channels cross join generate_series(1, ${count}::int) n where platform = 'API_Messenger'
      returning project_id, id, name, created_at
    )
    insert into chats (project_id, id, channel_id, profile_id, platform, external_id, name, created_at, last_active_at)
    select made.project_id, made.id, channels.id, made.id, platform, made.name, made.name, made.created_at, made.created_at
    from made join channels on channels.project_id = made.project_id and platform = 'API_Messenger'`;
  // The database does the same a minute later; until then its plans expect few rows.
  await longSql`analyze profiles, chats`;
}
