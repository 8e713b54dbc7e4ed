import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from './database.ts';

const { sql } = await testDatabase({ after });

/**
 * A partition has no statistics at the beginning of its month. The planner may then choose any index whose first column
 * is given. With `(project_id, chat_id, id)` a lookup by `(project_id, id)` reads every entry of the project.
 */
test('only the primary key of a partitioned table can be chosen for a lookup by key', async () => {
  const rows = await sql<{ index: string }[]>`
    select index.relname as index from pg_index
    join pg_class owner on owner.oid = indrelid and owner.relkind = 'p'
    join pg_class index on index.oid = indexrelid
    join pg_attribute first on first.attrelid = indrelid and first.attnum = indkey[0]
    where not indisprimary and indpred is null and first.attname = 'project_id'`;
  assert.deepEqual(
    rows.map(({ index }) => index),
    [],
  );
});
