import type { Logger } from 'pino';
import type { Pool, Sql } from './pool.ts';

const everyMs = 60_000;
const maxWalBytes = 32 * 1024 * 1024;

/**
 * Replaces PostgreSQL's background processes, which the embedded database lacks. Without them tables would bloat,
 * plans would lack statistics, and WAL would grow. Every crash recovery would read that WAL again. Each statement
 * blocks the one session, so the work is cut into small statements.
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

/** The tables of which a fifth has changed: autovacuum's threshold. */
const tablesToVacuum = (sql: Sql) => sql<{ schema: string; name: string }[]>`
  select schemaname as schema, relname as name
  from pg_stat_user_tables
  where n_mod_since_analyze > 50 + 0.2 * n_live_tup`;

async function walBytes(sql: Sql): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()`;
  return row.bytes;
}
