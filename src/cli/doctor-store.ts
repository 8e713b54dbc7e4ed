import type { Sql } from '../storage/database.ts';

export async function readServerVersion(sql: Sql): Promise<number> {
  const [row] = await sql<
    [{ version: number }]
  >`select current_setting('server_version_num')::int / 10000 as version`;
  return row.version;
}

/** The names of the migrations that were applied; empty for a database that has seen none. */
export async function readAppliedMigrations(sql: Sql): Promise<string[]> {
  const [table] = await sql<[{ exists: boolean }]>`select to_regclass('migrations') is not null as exists`;
  if (!table.exists) return [];
  const rows = await sql<{ name: string }[]>`select name from migrations`;
  return rows.map(({ name }) => name);
}
