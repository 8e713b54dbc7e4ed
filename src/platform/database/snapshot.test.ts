import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { seedProject } from '../../../test/seed.ts';
import { takeSnapshot } from './snapshot.ts';

const { sql } = await testDatabase({ after });
const projectId = await seedProject(sql);

/** The rows of a table, part by part. */
async function partsOf(table: string): Promise<string[][]> {
  return await takeSnapshot(sql, async (_, parts) => {
    const found: string[][] = [];
    let current = '';
    for await (const part of parts) {
      if ('table' in part) current = part.table;
      if ('rows' in part && current === table) found.push(part.rows);
    }
    return found;
  });
}

test('a part of a snapshot is small, however large its rows are', async () => {
  const mb = 1_000_000;
  await sql`
    insert into templates (project_id, pid, body, variables, language, approval, created_at)
    select ${projectId}, n::text, repeat('x', case when n <= 600 then 10 else ${mb} end), '{}', 'en', 'approved', now()
    from generate_series(1, 612) as n`;
  const parts = await partsOf('templates');
  const bytes = parts.map((rows) => rows.reduce((sum, row) => sum + row.length, 0));
  assert.ok(Math.max(...bytes) <= 9 * mb, `${bytes}`);
  assert.equal(parts.flat().length, 612);
  assert.equal(new Set(parts.flat()).size, 612);
  assert.equal(parts[0]?.length, 500);
});
