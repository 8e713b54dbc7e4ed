import type { Logger } from 'pino';
import type { Pool, Sql } from './pool.ts';

const everyMs = 5_000;
/** About a hundred rows of most tables. */
const smallestBytes = 64 * 1024;
/** Less growth changes no plan much, and PostgreSQL finds it by itself. */
const grownBy = 4;

/**
 * Gives tables statistics as soon as they have rows, and again each time that they have grown several times over. That
 * is on the first day of an installation and of each month, and with the first large mailing or import. Until then
 * plans expect an empty or small table. PostgreSQL itself looks once a minute.
 */
export function startStatistics(sql: Pool, log: Logger): () => void {
  const timer = setInterval(() => {
    analyzeGrown(sql).catch((err) => log.warn({ err }, 'tables could not be analyzed'));
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** Analyzes the tables that have grown since their statistics. Passes over those that somebody has locked. */
export async function analyzeGrown(sql: Sql): Promise<void> {
  const grown = await sql<{ schema: string; name: string }[]>`
    select nspname as schema, relname as name from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and relpersistence = 'p' and nspname = any (current_schemas(false))
      and pg_relation_size(pg_class.oid) >= greatest(${smallestBytes}, ${grownBy} * relpages * current_setting('block_size')::bigint)`;
  for (const { schema, name } of grown) await sql`analyze (skip_locked) ${sql(schema)}.${sql(name)}`;
}
