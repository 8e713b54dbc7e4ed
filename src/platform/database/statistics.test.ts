import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { analyzeGrown } from './statistics.ts';

const { longSql: sql } = await testDatabase({ after });

async function knownRows(table: string): Promise<number> {
  const [row] = await sql<
    [{ known: number }]
  >`select reltuples as known from pg_class where relname = ${table}`;
  return row.known;
}

test('a table that has grown from nothing gets statistics, and an empty one stays as it is', async () => {
  await sql`create table grown as select n, repeat('x', 100) as note from generate_series(1, 1000) as n`;
  await sql`create table small as select 1 as n`;
  await analyzeGrown(sql);
  assert.deepEqual([await knownRows('grown'), await knownRows('small')], [1_000, -1]);
});

test('a table that was empty when it was analyzed gets statistics too', async () => {
  await sql`create table late (n int, note text)`;
  await sql`vacuum (analyze) late`;
  await sql`insert into late select n, repeat('x', 100) from generate_series(1, 1000) as n`;
  await analyzeGrown(sql);
  assert.equal(await knownRows('late'), 1_000);
});

test('a table that is four times as large as its statistics say gets new ones', async () => {
  const grow = async (table: string, rows: number): Promise<unknown> =>
    sql`insert into ${sql(table)} select n, repeat('x', 100) from generate_series(1, ${rows}::int) as n`;
  for (const table of ['mailed', 'steady']) {
    await sql`create table ${sql(table)} (n int, note text)`;
    await grow(table, 1_000);
  }
  await analyzeGrown(sql);
  await grow('mailed', 4_000);
  await grow('steady', 1_000);
  await analyzeGrown(sql);
  assert.deepEqual([await knownRows('mailed'), await knownRows('steady')], [5_000, 1_000]);
});
