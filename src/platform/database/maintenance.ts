import type { Logger } from 'pino';
import type { Pool, Sql } from './pool.ts';

const everyMs = 60_000;
const maxWalBytes = 32 * 1024 * 1024;

/**
 * Does for the embedded database what PostgreSQL's background processes do for a server, as it has none: without it tables
 * would bloat, plans would rest on no statistics, and WAL would grow, and be read again after every crash. Each
 * statement blocks the one session, so they are as many and as small as can be.
 */
export function startMaintenance(sql: Pool, log: Logger): () => void {
  const timer = setInterval(() => {
    maintain(sql).catch((err) => log.warn({ err }, 'maintenance of the embedded database failed'));
  }, everyMs).unref();
  return () => clearInterval(timer);
}

export async function maintain(sql: Sql): Promise<void> {
  for (const { schema, name } of await tablesToVacuum(sql)) {
    await sql`vacuum (analyze) ${sql(schema)}.${sql(name)}`;
  }
  if ((await walBytes(sql)) > maxWalBytes) await sql`checkpoint`;
}

/** Those of which a fifth has changed, which is when autovacuum would. */
const tablesToVacuum = (sql: Sql) => sql<{ schema: string; name: string }[]>`
  select schemaname as schema, relname as name
  from pg_stat_user_tables
  where n_mod_since_analyze > 50 + 0.2 * n_live_tup`;

async function walBytes(sql: Sql): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()`;
  return row.bytes;
}
