import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import pino from 'pino';
import postgres from 'postgres';
import { embeddedFolder } from '../../../test/embedded-folder.ts';
import { insertAndKill } from '../../../test/kill.ts';
import { socketPath } from './data-folder.ts';
import { type Database, isDatabaseUnavailable, openDatabase } from './database.ts';
import { ping } from './ping.ts';
import { createPool } from './pool.ts';
import { embeddedAddress } from './server-address.ts';

const log = pino({ level: 'silent' });

async function open(t: TestContext, dataDir: string): Promise<Database> {
  const database = await openDatabase({ dataDir, log, exclusive: true });
  t.after(() => database.close());
  return database;
}

/** The rows of the table `kept`, as soon as the database answers again. */
async function untilAnswered({ sql }: Database): Promise<unknown[]> {
  for (;;) {
    const rows = await sql`select n from kept`.catch((error) => {
      assert.ok(isDatabaseUnavailable(error), String(error));
      return [];
    });
    if (rows.length > 0) return rows;
  }
}

test('every acknowledged row survives a kill -9 of the process, again and again', async () => {
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

test('a first start makes the database for this user alone, and a later start finds its rows', async () => {
  const dataDir = join(await embeddedFolder(), 'new', 'data');
  const first = await openDatabase({ dataDir, log, exclusive: true });
  await first.sql`create table kept as select 1 as n`;
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  await first.close();
  const second = await openDatabase({ dataDir, log, exclusive: true });
  assert.deepEqual([...(await second.sql`select n from kept`)], [{ n: 1 }]);
  await second.close();
});

test('a killed first start begins again', async (t) => {
  const dataDir = join(await embeddedFolder(), 'new');
  await mkdir(join(dataDir, 'database.new', 'base'), { recursive: true });
  const database = await open(t, dataDir);
  assert.equal((await database.sql`select 1 as n`)[0]?.n, 1);
  assert.equal((await readdir(dataDir)).includes('database.new'), false);
});

test('a process that wants the folder alone learns which process has it', async (t) => {
  const dataDir = await embeddedFolder();
  await open(t, dataDir);
  await assert.rejects(
    openDatabase({ dataDir, log, exclusive: true }),
    new RegExp(`in use by process ${process.pid}\\.`),
  );
});

test('a process that shares the folder sees the same rows as its owner', async (t) => {
  const dataDir = await embeddedFolder();
  const owner = await open(t, dataDir);
  const guest = await openDatabase({ dataDir, log });
  await guest.sql`create table shared as select 7 as n`;
  await guest.close();
  assert.equal((await owner.sql`select n from shared`)[0]?.n, 7);
});

test('of two processes that open a folder at once, one starts it and the other joins', async () => {
  const dataDir = await embeddedFolder();
  const opened = await Promise.all([openDatabase({ dataDir, log }), openDatabase({ dataDir, log })]);
  const [one, other] = opened;
  await one.sql`create table shared as select 7 as n`;
  assert.equal((await other.sql`select n from shared`)[0]?.n, 7);
  // The owner waits until the other one leaves.
  await Promise.all(opened.map(({ close }) => close()));
});

test('a path that is too long for a socket gets its socket elsewhere', async (t) => {
  const dataDir = join(await embeddedFolder(), 'a'.repeat(60), 'b'.repeat(60));
  const owner = await open(t, dataDir);
  assert.ok(socketPath(dataDir).length < 104);
  const guest = await openDatabase({ dataDir, log });
  await owner.sql`create table shared as select 7 as n`;
  assert.equal((await guest.sql`select n from shared`)[0]?.n, 7);
  await guest.close();
});

test('a client that connects during a statement is let in when it ends', async (t) => {
  const dataDir = await embeddedFolder();
  await open(t, dataDir);
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  // Like the thread during a statement, this server reads nothing.
  const busy = createServer(async (socket) => {
    asked.resolve();
    await ended.promise;
    await pipeline(socket, connect(socketPath(dataDir)), socket).catch(() => {});
  });
  const path = join(dataDir, '.s.PGSQL.1');
  await once(busy.listen(path), 'listening');
  t.after(() => void busy.close());
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const opening = createPool(embeddedAddress(path), { max: 1, statementTimeoutMs: 30_000 });
  await asked.promise;
  t.mock.timers.tick(29_000);
  ended.resolve();
  const sql = await opening;
  assert.equal((await sql`select 1 as n`)[0]?.n, 1);
  await sql.end();
  t.mock.timers.reset();
});

test('after a crash of its thread the database comes back without a restart', async (t) => {
  const database = await open(t, await embeddedFolder());
  await database.sql`create table kept as select 1 as n`;
  // PGlite dies of a COPY without data. The comment hides the COPY from the gateway.
  await assert.rejects(database.sql`copy kept from /* */ stdin`, isDatabaseUnavailable);
  assert.deepEqual([...(await untilAnswered(database))], [{ n: 1 }]);
});

/** A client of another program, which limits each of its statements to this many milliseconds. */
function outsider(t: TestContext, dataDir: string, statementTimeoutMs: number): postgres.Sql {
  const connection = { statement_timeout: statementTimeoutMs };
  const sql = postgres({
    path: socketPath(dataDir),
    username: 'postgres',
    database: 'postgres',
    max: 1,
    connection,
  });
  t.after(() => sql.end({ timeout: 0 }));
  return sql;
}

const endless =
  'with recursive numbers as (select 1 union all select 1 from numbers) select count(*) from numbers';

test('a statement that exceeds its limit ends the thread, which comes back with every row', async (t) => {
  const dataDir = await embeddedFolder();
  const told: string[] = [];
  const database = await openDatabase({
    dataDir,
    log: pino({ level: 'error' }, { write: (line) => void told.push(line) }),
    exclusive: true,
  });
  t.after(() => database.close());
  await database.sql`create table kept as select 1 as n`;
  const stuck = assert.rejects(outsider(t, dataDir, 500).unsafe(endless));
  const asking = async (): Promise<never> => {
    for (;;) await database.sql`select 1`;
  };
  await Promise.all([stuck, assert.rejects(asking(), isDatabaseUnavailable)]);
  assert.deepEqual([...(await untilAnswered(database))], [{ n: 1 }]);
  assert.match(told.join(''), /a statement did not end in 500 ms/);
});

test('a database that hangs still closes', async (t) => {
  const dataDir = await embeddedFolder();
  const database = await openDatabase({ dataDir, log, exclusive: true });
  const hanging = outsider(t, dataDir, 0);
  await hanging`select 1`;
  const stuck = assert.rejects(hanging.unsafe(endless));
  await database.close();
  await stuck;
});

test('a full disk makes the database read-only', async (t) => {
  const dataDir = await embeddedFolder();
  const told: string[] = [];
  const database = await openDatabase({
    dataDir,
    log: pino({ level: 'error' }, { write: (line) => void told.push(line) }),
    diskReserveBytes: 2 ** 60,
    exclusive: true,
  });
  t.after(() => database.close());
  assert.equal((await database.sql`select 1 as n`)[0]?.n, 1);
  for (const write of [
    () => database.sql`insert into projects (id, name) values (gen_random_uuid(), 'x')`,
    () => database.sql.begin((sql) => sql`delete from projects`),
    () => ping(database.sql),
  ]) {
    await assert.rejects(
      async () => await write(),
      (error) => isDatabaseUnavailable(error) && /read-only/.test(String(error)),
    );
  }
  assert.match(told.join(''), /the disk is almost full/);
});

test('a damaged data folder is left alone, with a message that names it', async () => {
  const dataDir = await embeddedFolder();
  await rm(join(dataDir, 'database', 'global'), { recursive: true });
  await assert.rejects(openDatabase({ dataDir, log, exclusive: true }), /the database in .* does not start/);
});
