import type { Sql } from '../platform/database/database.ts';

export async function readServerVersion(sql: Sql): Promise<number> {
  const [row] = await sql<
    [{ version: number }]
  >`select current_setting('server_version_num')::int / 10000 as version`;
  return row.version;
}

export type ConnectionCounts = { open: number; ours: number; most: number };

/** The server's connections, those of Patchbay among them, and the limit for ordinary users. */
export async function countConnections(sql: Sql): Promise<ConnectionCounts> {
  const [row] = await sql<[ConnectionCounts]>`
    select count(*)::int as open, count(*) filter (where application_name = 'patchbay')::int as ours,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most
    from pg_stat_activity where backend_type = 'client backend'`;
  return row;
}

/** The names of the applied migrations. Empty for a new database. */
export async function readAppliedMigrations(sql: Sql): Promise<string[]> {
  const [table] = await sql<[{ exists: boolean }]>`select to_regclass('migrations') is not null as exists`;
  if (!table.exists) return [];
  const rows = await sql<{ name: string }[]>`select name from migrations`;
  return rows.map(({ name }) => name);
}
