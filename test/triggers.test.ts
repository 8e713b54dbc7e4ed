import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testDatabase } from './database.ts';

const { sql } = await testDatabase({ after });
const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'triggers.md'), 'utf8');

test('docs/triggers.md lists every trigger of the database, and no other', async () => {
  // Triggers of partitions belong to their table.
  const rows = await sql<{ name: string }[]>`
    select relname || '.' || tgname as name from pg_trigger
    join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and tgparentid = 0 and relnamespace = 'public'::regnamespace`;
  const tables = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .join('\n');
  const documented = Array.from(tables.matchAll(/`(\w+\.\w+)`/g), ([, name]) => name);
  assert.ok(rows.length > 0);
  assert.deepEqual(documented.toSorted(), rows.map(({ name }) => name).toSorted());
});
