import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, Sql } from './pool.ts';

/** An index that is made while other sessions write to its table. `form` is what follows the table's name. */
export type NewIndex = { unique: string; name: string; table: string; form: string };

const longestName = 63;
type Say = (text: string) => void;

const lookEveryMs = 500;
const lockTimeout = "set local lock_timeout = '2s'";

/**
 * The index that a migration makes with `create index concurrently`. Null for other migrations. The statement must be
 * alone in its file, because it runs outside a transaction.
 */
export function newIndexOf(file: string, text: string): NewIndex | null {
  const statement = text.replace(/--.*$/gm, '').trim();
  if (!/\bconcurrently\b/i.test(statement)) return null;
  const [, unique = '', name = '', table = '', form = ''] =
    /^create\s+(unique\s+)?index\s+concurrently\s+(\w+)\s+on\s+(\w+)\s*([^;]+);?$/i.exec(statement) ?? [];
  if (name === '')
    throw new Error(`${file} must be one "create index concurrently <name> on <table> …" alone.`);
  return { unique, name: name.toLowerCase(), table: table.toLowerCase(), form };
}

/** The same in one step, for a database that nobody else uses meanwhile. */
export const makeIndexAtOnce = (sql: Sql, index: NewIndex) => sql.unsafe(statementOf(index, 'index'));

/**
 * Makes an index in steps that hold off no writer. What a dead attempt left is used or made again. An index on a
 * partitioned table is made on each partition: PostgreSQL has no single step for it. `say` hears of the progress.
 */
export async function makeIndex(sql: Pool, index: NewIndex, say: Say): Promise<void> {
  if (!(await isPartitioned(sql, index.table))) return makeOne(sql, index, say);
  await sql.begin(async (transaction) => {
    await transaction.unsafe(lockTimeout);
    await transaction.unsafe(statementOf({ ...index, table: `only ${index.table}` }, 'index if not exists'));
  });
  // A partition that is made from now on gets its part of the index by itself.
  for (const partition of await partitionsWithout(sql, index)) {
    const name = `${index.name}_${partition.slice(index.table.length + 1)}`;
    if (name.length > longestName) throw new Error(`The name ${name} is too long for an index.`);
    await makeOne(sql, { ...index, name, table: partition }, say);
    await sql.begin(async (transaction) => {
      await transaction.unsafe(lockTimeout);
      await transaction`alter index ${transaction(index.name)} attach partition ${transaction(name)}`;
    });
  }
}

const statementOf = ({ unique, name, table, form }: NewIndex, kind: string): string =>
  `create ${unique}${kind} ${name} on ${table} ${form}`;

/** An attempt that failed or died leaves an index that is updated and never used. */
async function makeOne(sql: Pool, index: NewIndex, say: Say): Promise<void> {
  const [left] = await sql<{ isValid: boolean }[]>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${index.name})`;
  if (left?.isValid) return;
  if (left) await sql`drop index concurrently ${sql(index.name)}`;
  const made = new AbortController();
  const telling = tellUntil(made.signal, sql, say);
  try {
    await sql.unsafe(statementOf(index, 'index concurrently'));
  } finally {
    made.abort();
    await telling;
  }
}

/** Outside of any transaction: the index would wait for that one to end. */
async function tellUntil(signal: AbortSignal, sql: Pool, say: Say): Promise<void> {
  while (await delay(lookEveryMs, true, { signal }).catch(() => false)) {
    const progress = await progressOfIndex(sql).catch(() => null);
    if (progress !== null) say(progress);
  }
}

/** What the database is at with an index that is just made in it. Null if there is none. */
export async function progressOfIndex(sql: Sql): Promise<string | null> {
  const rows = await sql<{ table: string; phase: string; percent: number | null }[]>`
    select relid::regclass::text as table, phase,
      case when blocks_total > 0 then 100 * blocks_done / blocks_total end as percent
    from pg_stat_progress_create_index where datname = current_database()`;
  const [row] = rows;
  if (!row) return null;
  return `index on ${row.table}: ${row.phase}${row.percent === null ? '' : `, ${row.percent} %`}`;
}

async function isPartitioned(sql: Sql, table: string): Promise<boolean> {
  const [row] = await sql<
    { kind: string }[]
  >`select relkind as kind from pg_class where oid = to_regclass(${table})`;
  return row?.kind === 'p';
}

async function partitionsWithout(sql: Sql, { name, table }: NewIndex): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = to_regclass(${table}) and not exists (
      select from pg_index join pg_inherits as attached on attached.inhrelid = indexrelid
      where indrelid = pg_class.oid and attached.inhparent = to_regclass(${name})
    )
    order by relname`;
  return rows.map((row) => row.name);
}
