import type { Sql } from './pool.ts';

/** The catalog and the rows of every table, for snapshots. */
export type Table = { name: string; columns: string[] };

/**
 * The tables that a snapshot consists of, partitions as one. The database itself fills generated columns. A table with
 * transaction ids means something in its own database only. An unlogged one may be lost at any time.
 */
export function tablesOf(sql: Sql): Promise<Table[]> {
  return sql<Table[]>`
    select relname as name, array_agg(attname::text order by attnum) filter (where attgenerated = '') as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relpersistence = 'p' and relname <> 'migrations'
    group by relname
    having not bool_or(atttypid = 'xid8'::regtype)
    order by relname`;
}

/** Whether any of the tables has a row. */
export async function haveRows(sql: Sql, tables: readonly Table[]): Promise<boolean> {
  for (const { name } of tables) {
    const rows = await sql`select from ${sql(name)} limit 1`;
    if (rows.length > 0) return true;
  }
  return false;
}

/** Until the transaction ends, texts do not depend on the server's settings, and a slow disk may keep it waiting. */
export async function setUp(sql: Sql): Promise<void> {
  await sql.unsafe(`
    set local idle_in_transaction_session_timeout = 0;
    set local datestyle = 'ISO';
    set local intervalstyle = 'postgres';
    set local timezone = 'UTC';
    set local extra_float_digits = 1;
    set local bytea_output = 'hex'`);
}

/** A row may have a few megabytes, and five hundred of those are more than one text or statement may have. */
const mostBytes = 8_000_000;

const [sizes, texts] = ['snapshot_sizes', 'snapshot_rows'] as const;

/**
 * The rows of a table, each as one text, in the order of the table. A part has few enough bytes, or one row. The sizes
 * are read first: a cursor is asked for a number of rows, whatever they weigh.
 */
export async function* rowsOf(sql: Sql, { name }: Table, atOnce: number): AsyncGenerator<string[]> {
  await sql`
    declare ${sql(sizes)} no scroll cursor for select octet_length(whole::text) as bytes from ${sql(name)} as whole`;
  await sql`declare ${sql(texts)} no scroll cursor for select whole::text as row from ${sql(name)} as whole`;
  for (let isLast = false; !isLast; ) {
    const next = await sql.unsafe<{ bytes: number }[]>(`fetch ${atOnce} from ${sizes}`);
    isLast = next.length < atOnce;
    for (const count of countsOf(next.map(({ bytes }) => bytes))) {
      const rows = await sql.unsafe<{ row: string }[]>(`fetch ${count} from ${texts}`);
      yield rows.map(({ row }) => row);
    }
  }
  for (const cursor of [sizes, texts]) await sql`close ${sql(cursor)}`;
}

/** How many rows of these sizes make up each part. */
function countsOf(bytes: readonly number[]): number[] {
  const counts: number[] = [];
  let sum = mostBytes;
  for (const more of bytes) {
    const isNew = sum + more > mostBytes;
    sum = isNew ? more : sum + more;
    counts.push(isNew ? 1 : (counts.pop() ?? 0) + 1);
  }
  return counts;
}

export async function insertRows(sql: Sql, { name, columns }: Table, rows: readonly string[]): Promise<void> {
  const list = columns.map((column, index) => (index === 0 ? sql(column) : sql`, ${sql(column)}`));
  let from = 0;
  for (const count of countsOf(rows.map((row) => Buffer.byteLength(row)))) {
    const part = rows.slice(from, from + count);
    await sql`
      insert into ${sql(name)} (${list}) overriding system value
      select ${list} from unnest(${part}::${sql(name)}[])`;
    from += count;
  }
}

export type Sequence = { name: string; value: number };

/** The last values of sequences. Their numbers are given out outside of transactions. */
export function sequencesOf(sql: Sql): Promise<Sequence[]> {
  return sql<Sequence[]>`
    select sequencename as name, last_value as value from pg_sequences
    where schemaname = current_schema() and last_value is not null order by sequencename`;
}

export async function setSequence(sql: Sql, { name, value }: Sequence): Promise<void> {
  await sql`select setval(quote_ident(${name})::regclass, ${value})`;
}

/** The months that have partitions, as `YYYYMM`. */
export async function monthsOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ month: string }[]>`
    select distinct substring(relname from '_(\\d{6})$') as month
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where relnamespace = current_schema()::regnamespace and relname ~ '_\\d{6}$' order by month`;
  return rows.map(({ month }) => month);
}
