import type { knownBy } from '../src/clients/profiles/search-store.ts';
import type { Pool } from '../src/platform/database/database.ts';

type Fragment = ReturnType<typeof knownBy>;

/**
 * PostgreSQL's plan for a statement, with sequential scans and sorts avoided wherever an index serves. It shows the
 * use of indexes regardless of the current statistics.
 */
export const planOf = (sql: Pool, statement: Fragment): Promise<string> =>
  sql.begin(async (transaction) => {
    for (const way of ['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) {
      await transaction`select set_config(${way}, 'off', true)`;
    }
    const lines = await transaction<{ 'QUERY PLAN': string }[]>`explain (costs off) ${statement}`;
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });

/** The blocks of 8 KiB that PostgreSQL reads for a statement. */
export async function blocksOf(sql: Pool, statement: Fragment): Promise<number> {
  const [row] = await sql<[{ 'QUERY PLAN': [{ Plan: { [kind: string]: number } }] }]>`
    explain (analyze, buffers, format json) ${statement}`;
  const { Plan } = row['QUERY PLAN'][0];
  return ['Shared Hit Blocks', 'Shared Read Blocks'].reduce((sum, kind) => sum + (Plan[kind] ?? 0), 0);
}
