import assert from 'node:assert/strict';
import type { Sql } from '../src/platform/database/database.ts';
import { createSql } from '../src/platform/database/sql.ts';

/**
 * How many rows of these tables each statement of the work reads, in their order. Nothing of it stays. `sql` is a pool,
 * and `tables` are beginnings of names: partitions have the name of their table in front.
 */
export async function readsOfEach(
  sql: Sql & { begin(work: (transaction: Sql) => Promise<void>): Promise<void> },
  tables: readonly string[],
  work: (sql: Sql) => Promise<unknown>,
): Promise<number[]> {
  const undo = new Error('undo');
  const reads: number[] = [];
  const run = sql.begin(async (transaction) => {
    const counting = createSql(async ({ text, values }) => {
      const before = await readsIn(transaction, tables);
      const parts = text.split(/\$\d+/);
      const statement = transaction(Object.assign(parts, { raw: parts }), ...values);
      const answer = { rows: await statement, count: await statement.count() };
      reads.push((await readsIn(transaction, tables)) - before);
      return answer;
    });
    await work(counting);
    throw undo;
  });
  await assert.rejects(run, undo);
  return reads;
}

/** How many rows of these tables the transaction has read so far. */
export async function readsIn(sql: Sql, tables: readonly string[]): Promise<number> {
  const names = tables.map((table) => `${table}%`);
  const [row] = await sql<[{ reads: number }]>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as reads from pg_stat_xact_user_tables
    where relname like any (${names}::text[])`;
  return row.reads;
}
