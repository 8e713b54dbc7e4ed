import assert from 'node:assert/strict';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pino from 'pino';
import { embeddedFolder } from '../../test/embedded-folder.ts';
import { insertAndKill } from '../../test/kill.ts';
import { socketPath } from './data-folder.ts';
import { type Database, isDatabaseUnavailable, openDatabase } from './database.ts';

const log = pino({ level: 'silent' });

async function open(t: TestContext, dataDir: string, exclusive = true): Promise<Database> {
  const database = await openDatabase({ dataDir, log, exclusive });
  t.after(() => database.close());
  return database;
}

test('every row that was acknowledged outlives a kill -9 of the process, again and again', async () => {
  const dataDir = await embeddedFolder();
  const acknowledged: number[] = [];
  for (const [round, acknowledgements] of [1, 400, 1000].entries()) {
    acknowledged.push(...(await insertAndKill(dataDir, round * 1_000_000, acknowledgements)));
    const database = await openDatabase({ dataDir, log, exclusive: true });
    const rows = await database.sql<{ id: number }[]>`select id from acknowledged`;
    await database.close();
    const kept = new Set(rows.map((row) => row.id));
    assert.deepEqual(
      acknowledged.filter((id) => !kept.has(id)),
      [],
    );
  }
});

test('a first start makes the database, for this user alone, and a later one finds what was written', async () => {
  const dataDir = join(await embeddedFolder(), 'new', 'data');
  const first = await openDatabase({ dataDir, log, exclusive: true });
  await first.sql`create table kept as select 1 as n`;
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  await first.close();
  const second = await openDatabase({ dataDir, log, exclusive: true });
  assert.deepEqual([...(await second.sql`select n from kept`)], [{ n: 1 }]);
  await second.close();
});

test('a first start that was killed half-way is begun again', async (t) => {
  const dataDir = join(await embeddedFolder(), 'new');
  await mkdir(join(dataDir, 'database.new', 'base'), { recursive: true });
  const database = await open(t, dataDir);
  assert.equal((await database.sql`select 1 as n`)[0]?.n, 1);
  assert.equal((await readdir(dataDir)).includes('database.new'), false);
});

test('who wants the folder for itself learns which process has it', async (t) => {
  const dataDir = await embeddedFolder();
  await open(t, dataDir);
  await assert.rejects(
    openDatabase({ dataDir, log, exclusive: true }),
    new RegExp(`in use by process ${process.pid}\\.`),
  );
});

test('who does not works beside the owner, and both see the same', async (t) => {
  const dataDir = await embeddedFolder();
  const owner = await open(t, dataDir);
  const guest = await openDatabase({ dataDir, log });
  await guest.sql`create table shared as select 7 as n`;
  await guest.close();
  assert.equal((await owner.sql`select n from shared`)[0]?.n, 7);
});

test('of two that open a folder at once, one starts it and the other joins', async (t) => {
  const dataDir = await embeddedFolder();
  const [one, other] = await Promise.all([open(t, dataDir, false), open(t, dataDir, false)]);
  await one.sql`create table shared as select 7 as n`;
  assert.equal((await other.sql`select n from shared`)[0]?.n, 7);
});

test('a path that is too long for a socket has it elsewhere', async (t) => {
  const dataDir = join(await embeddedFolder(), 'a'.repeat(60), 'b'.repeat(60));
  const owner = await open(t, dataDir);
  assert.ok(socketPath(dataDir).length < 104);
  const guest = await open(t, dataDir, false);
  await owner.sql`create table shared as select 7 as n`;
  assert.equal((await guest.sql`select n from shared`)[0]?.n, 7);
});

test('after a crash of its thread the database is there again, without a restart', async (t) => {
  const database = await open(t, await embeddedFolder());
  await database.sql`create table kept as select 1 as n`;
  // PGlite dies of a COPY whose data is not there; the comment hides it from the gateway.
  await assert.rejects(database.sql`copy kept from /* */ stdin`, isDatabaseUnavailable);
  let rows: unknown[] = [];
  while (rows.length === 0) {
    rows = await database.sql`select n from kept`.catch((error) => {
      assert.ok(isDatabaseUnavailable(error), String(error));
      return [];
    });
  }
  assert.deepEqual([...rows], [{ n: 1 }]);
});

test('a folder that holds something else is left alone, with a message that names it', async () => {
  const dataDir = await embeddedFolder();
  await rm(join(dataDir, 'database', 'global'), { recursive: true });
  await assert.rejects(openDatabase({ dataDir, log, exclusive: true }), /the database in .* does not start/);
});
