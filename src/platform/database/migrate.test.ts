import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { MigrationChanged, migrate } from './migrate.ts';

const { longSql: sql } = await testDatabase({ after });
const directory = await mkdtemp(join(tmpdir(), 'patchbay-test-'));
after(() => rm(directory, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(directory, name), text);

beforeEach(async () => {
  await sql`drop table if exists migrations, one, two, three`;
  await write('0001_one.sql', 'create table one (n int); insert into one values (1);');
  await write('0002_two.sql', 'create table two (n int); insert into two select n + 1 from one;');
  await write('notes.md', 'not a migration');
  await rm(join(directory, '0003_three.sql'), { force: true });
});

test('files are applied once, in order, and their names are returned', async () => {
  assert.deepEqual(await migrate(sql, directory), ['0001_one.sql', '0002_two.sql']);
  assert.deepEqual(await migrate(sql, directory), []);
  assert.equal((await sql`select n from two`)[0]?.n, 2);
  await write('0003_three.sql', 'create table three ()');
  assert.deepEqual(await migrate(sql, directory), ['0003_three.sql']);
});

test('several processes that start at once apply each file once', async () => {
  const results = await Promise.all([1, 2, 3].map(() => migrate(sql, directory)));
  assert.deepEqual(results.flat().sort(), ['0001_one.sql', '0002_two.sql']);
});

test('a failed file leaves nothing of the batch, and can be mended', async () => {
  await write('0003_three.sql', 'create table three (n int); selec nonsense;');
  await assert.rejects(migrate(sql, directory), { code: '42601' });
  assert.equal((await sql`select to_regclass('one') as one`)[0]?.one, null);
  await write('0003_three.sql', 'create table three (n int)');
  assert.deepEqual(await migrate(sql, directory), ['0001_one.sql', '0002_two.sql', '0003_three.sql']);
});

test('a changed applied file is an error that names it; other line endings are no change', async () => {
  await write('0001_one.sql', 'create table one (n int);\ninsert into one values (1);\n');
  await migrate(sql, directory);
  await write('0001_one.sql', 'create table one (n int);\r\ninsert into one values (1);\r\n');
  assert.deepEqual(await migrate(sql, directory), []);
  await write('0001_one.sql', 'create table one (n bigint);');
  await assert.rejects(migrate(sql, directory), (error: Error) => {
    assert.ok(error instanceof MigrationChanged);
    return error.message.includes('0001_one.sql');
  });
});
