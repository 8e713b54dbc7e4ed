import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { testDatabase, testDatabaseKind } from '../../../test/database.ts';
import { somebodyWaits } from '../../../test/waiting.ts';
import { makeIndex } from './make-index.ts';
import { MigrationChanged, migrate } from './migrate.ts';

const { longSql: sql, sql: otherSql } = await testDatabase({ after });
const directory = await mkdtemp(join(tmpdir(), 'patchbay-test-'));
after(() => rm(directory, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(directory, name), text);

beforeEach(async () => {
  await sql`drop table if exists migrations, one, two, three, parts`;
  await write('0001_one.sql', 'create table one (n int); insert into one values (1);');
  await write('0002_two.sql', 'create table two (n int); insert into two select n + 1 from one;');
  await write('notes.md', 'not a migration');
  await rm(join(directory, '0003_three.sql'), { force: true });
  await rm(join(directory, '0060_four.sql'), { force: true });
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

test('from 0060 on a file that fails takes none of the files before it with it', async () => {
  await write('0060_four.sql', 'alter table one add column m int; selec nonsense;');
  await assert.rejects(migrate(sql, directory), { code: '42601' });
  assert.deepEqual(await migrate(sql, directory).catch(() => []), []);
  assert.equal((await sql`select n from two`)[0]?.n, 2);
  await write('0060_four.sql', 'alter table one add column m int;');
  assert.deepEqual(await migrate(sql, directory), ['0060_four.sql']);
});

// The embedded database has one session: nothing there waits for a lock.
test('a migration gives way to statements that use its table, and another process hears what it is at', {
  skip: testDatabaseKind === 'embedded',
}, async () => {
  await migrate(sql, directory);
  await write('0060_four.sql', 'alter table one add column m int;');
  const heard = Promise.withResolvers<void>();
  const waited = Promise.withResolvers<void>();
  const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = otherSql.begin(async (transaction) => {
    await transaction.unsafe('set local idle_in_transaction_session_timeout = 0');
    await transaction`select from one`;
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const first = migrate(sql, directory, {
    say: (text) => {
      if (text.startsWith('waiting for a table')) waited.resolve();
    },
  });
  const second = migrate(sql, directory, {
    say: (text) => {
      if (text === 'waiting for another process: migration 3 of 3, 0060_four.sql') heard.resolve();
      if (text.startsWith('waiting for a table')) waited.resolve();
    },
  });
  await Promise.all([heard.promise, waited.promise]);
  held.resolve();
  await holder;
  assert.deepEqual((await Promise.all([first, second])).flat(), ['0060_four.sql']);
});

const isShared = testDatabaseKind === 'server';

/** The validity of every index of a table, by its name. */
async function indexesOf(table: string): Promise<Record<string, boolean>> {
  const rows = await sql<{ name: string; valid: boolean }[]>`
    select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = to_regclass(${table}) order by relname`;
  return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]));
}

test('an index that is made concurrently holds off no writer, and is made once', async () => {
  await migrate(sql, directory);
  await write('0060_four.sql', '-- Reads many rows.\ncreate index concurrently one_n on one (n);\n');
  const writer = isShared ? await heldWriter() : null;
  const migrating = Promise.all([1, 2].map(() => migrate(sql, directory, { isShared })));
  if (writer) {
    await somebodyWaits(otherSql);
    await otherSql.begin(async (transaction) => {
      await transaction.unsafe("set local lock_timeout = '1ms'");
      await transaction`insert into one values (3)`;
    });
  }
  await writer?.end();
  assert.deepEqual((await migrating).flat(), ['0060_four.sql']);
  assert.deepEqual(await indexesOf('one'), { one_n: true });
});

/** A transaction that has written to the table: an index waits for its end. */
async function heldWriter(): Promise<{ end(): Promise<void> }> {
  const [written, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writer = otherSql.begin(async (transaction) => {
    await transaction.unsafe('set local idle_in_transaction_session_timeout = 0');
    await transaction`insert into one values (2)`;
    written.resolve();
    await held.promise;
  });
  await written.promise;
  return {
    async end() {
      held.resolve();
      await writer;
    },
  };
}

const progress = 'index on one: waiting for writers before build';

test('who makes an index says how far it is', { skip: !isShared }, async () => {
  await migrate(sql, directory);
  const writer = await heldWriter();
  const said = Promise.withResolvers<void>();
  const index = { unique: '', name: 'one_n', table: 'one', form: '(n)' };
  const making = makeIndex(sql, index, (text) => text === progress && said.resolve());
  await said.promise;
  await writer.end();
  await making;
  assert.deepEqual(await indexesOf('one'), { one_n: true });
});

test('who waits for an index of another process hears how far it is', { skip: !isShared }, async () => {
  await migrate(sql, directory);
  await write('0060_four.sql', 'create index concurrently one_n on one (n)');
  const writer = await heldWriter();
  const first = migrate(sql, directory, { isShared });
  await somebodyWaits(otherSql);
  const heard = Promise.withResolvers<string>();
  const second = migrate(otherSql, directory, { say: heard.resolve });
  assert.equal(
    await heard.promise,
    `waiting for another process: migration 3 of 3, 0060_four.sql, ${progress}`,
  );
  await writer.end();
  assert.deepEqual((await Promise.all([first, second])).flat(), ['0060_four.sql']);
});

test('an index that a dead attempt left invalid is made again', { skip: !isShared }, async () => {
  await migrate(sql, directory);
  await sql`insert into one values (1)`;
  await write('0060_four.sql', 'create unique index concurrently one_n on one (n)');
  await assert.rejects(migrate(sql, directory, { isShared }), { code: '23505' });
  assert.deepEqual(await indexesOf('one'), { one_n: false });
  await sql`delete from one`;
  assert.deepEqual(await migrate(sql, directory, { isShared }), ['0060_four.sql']);
  assert.deepEqual(await indexesOf('one'), { one_n: true });
});

test('an index on a partitioned table is made on each partition, and continues after a failure', async () => {
  await migrate(sql, directory);
  await sql`create table parts (n int, month int) partition by list (month)`;
  await sql`create table parts_1 partition of parts for values in (1)`;
  await sql`create table parts_default partition of parts default`;
  await sql`insert into parts values (1, 1), (2, 2), (2, 2)`;
  await write('0060_four.sql', 'create unique index concurrently parts_n on parts (n, month)');
  await assert.rejects(migrate(sql, directory, { isShared }), { code: '23505' });
  await sql`delete from parts where month = 2`;
  assert.deepEqual(await migrate(sql, directory, { isShared }), ['0060_four.sql']);
  await sql`create table parts_3 partition of parts for values in (3)`;
  const indexes = await Promise.all(['parts', 'parts_1', 'parts_default', 'parts_3'].map(indexesOf));
  assert.deepEqual(
    indexes.map((some) => Object.values(some)),
    [[true], [true], [true], [true]],
  );
});

test('a file that makes an index concurrently makes nothing else', async () => {
  await write('0060_four.sql', 'create table three (); create index concurrently one_n on one (n);');
  await assert.rejects(migrate(sql, directory, { isShared }), /0060_four.sql must be one/);
});
