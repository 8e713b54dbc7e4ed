import type { Sql } from '../../src/platform/database/database.ts';

/** What a page or a step cost. A block has 8 kB. */
export type Cost = { name: string; ms: number; blocks: number; rows: number; most: string };

const times = 5;

/** The blocks of all statements since the last look, and the statement with the most. Needs `pg_stat_statements`. */
async function blocksRead(sql: Sql): Promise<{ blocks: number; most: string }> {
  const rows = await sql<{ blocks: number; query: string }[]>`
    select (shared_blks_hit + shared_blks_read)::float8 as blocks, query from pg_stat_statements
    where query not like '%pg_stat_statements%' order by 1 desc`;
  const [first] = rows;
  const most = first ? `${first.blocks}: ${first.query.replaceAll(/\s+/g, ' ').slice(0, 160)}` : '';
  return { blocks: rows.reduce((sum, row) => sum + row.blocks, 0), most };
}

const forget = (sql: Sql) => sql`select pg_stat_statements_reset()`;

/** The middle of some runs. The first, which also fills the caches, does not count. */
export async function costOf(sql: Sql, name: string, work: () => Promise<number>): Promise<Cost> {
  await work();
  await forget(sql);
  const took: number[] = [];
  let rows = 0;
  for (let run = 0; run < times; run += 1) {
    const begun = performance.now();
    rows = await work();
    took.push(performance.now() - begun);
  }
  const { blocks, most } = await blocksRead(sql);
  took.sort((a, b) => a - b);
  return { name, ms: took[Math.floor(times / 2)] ?? 0, blocks: Math.round(blocks / times), rows, most };
}

/** Of work that cannot be repeated. */
export async function costOnce(sql: Sql, name: string, work: () => Promise<number>): Promise<Cost> {
  await forget(sql);
  const begun = performance.now();
  const rows = await work();
  const ms = performance.now() - begun;
  const { blocks, most } = await blocksRead(sql);
  return { name, ms, rows, blocks: Math.round(blocks), most };
}
