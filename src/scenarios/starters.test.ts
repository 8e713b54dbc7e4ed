import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { migrationsDirectory } from '../platform/database/migrate.ts';

const { sql } = await testDatabase({ after });

test('keywords of an older version start what they did, a star among them', async () => {
  const migration = await readFile(join(migrationsDirectory, '0056_starters_with_wildcards.sql'), 'utf8');
  const rows = await sql.begin(async (old) => {
    await old`create schema older`;
    await old`set local search_path to older`;
    await old`
      create table scenario_starters (
        project_id uuid not null, keyword text not null, scenario_id integer not null, primary key (project_id, keyword)
      )`;
    await old`
      insert into scenario_starters (project_id, keyword, scenario_id)
      select gen_random_uuid(), keyword, 1 from unnest(${['', 'price', '/start sale', '*1_0#']}::text[]) as keyword`;
    await old`${old.unsafe(migration)}`;
    return old`select keyword, pattern, is_enabled, '*1_0#' like pattern as same, '*110#' like pattern as other
      from scenario_starters order by keyword collate "C"`;
  });
  await sql`drop schema older cascade`;
  const kept = { pattern: null, is_enabled: true, same: null, other: null };
  assert.deepEqual(rows, [
    { keyword: '', ...kept },
    { keyword: '/start sale', ...kept },
    { keyword: '\\*1_0#', pattern: '*1\\_0#', is_enabled: true, same: true, other: false },
    { keyword: 'price', ...kept },
  ]);
});
