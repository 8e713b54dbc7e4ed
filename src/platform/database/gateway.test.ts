import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { after, beforeEach, type TestContext, test } from 'node:test';
import pino from 'pino';
import postgres from 'postgres';
import { embeddedFolder } from '../../../test/embedded-folder.ts';
import { socketPath } from './data-folder.ts';
import { openDatabase } from './database.ts';

const dataDir = await embeddedFolder();
const database = await openDatabase({ dataDir, log: pino({ level: 'silent' }), exclusive: true });
after(() => database.close());
const path = socketPath(dataDir);

beforeEach(async () => {
  await database.sql`drop table if exists t`;
  await database.sql`create table t (n int primary key, note text)`;
});

/** An ordinary client of postgres.js, without the additions of `createPool`. */
function client(t: TestContext, max = 1): postgres.Sql {
  const sql = postgres({ path, database: 'postgres', username: 'postgres', max, onnotice: () => {} });
  t.after(() => sql.end({ timeout: 0 }));
  return sql;
}

const numbers = async () =>
  (await database.sql<{ n: number }[]>`select n from t order by n`).map((row) => row.n);

test('many clients at once each get their own answers', async (t) => {
  const clients = [client(t), client(t), client(t, 3)];
  const ask = async (sql: postgres.Sql, n: number) => {
    const [row] = await sql`select ${n}::int as n, ${`text ${n}`}::text as note`;
    assert.deepEqual({ ...row }, { n, note: `text ${n}` });
  };
  await Promise.all(
    clients.flatMap((sql, index) => Array.from({ length: 300 }, (_, n) => ask(sql, index * 1000 + n))),
  );
});

test('a transaction is alone with the database until it ends', async (t) => {
  const [one, other] = [client(t), client(t)];
  const order: string[] = [];
  const inside = Promise.withResolvers<void>();
  const transaction = one.begin(async (sql) => {
    await sql`insert into t values (1)`;
    inside.resolve();
    // The other's statement has been sent by now and waits. Were it served, it would be answered before this.
    for (let turn = 0; turn < 20; turn += 1) await sql`select 1`;
    order.push('transaction');
  });
  await inside.promise;
  const [row] = await other<[{ n: number }]>`select count(*)::int as n from t`;
  order.push('other');
  await transaction;
  assert.deepEqual(order, ['transaction', 'other']);
  assert.equal(row.n, 1);
});

test('a client that disconnects in a transaction leaves nothing of it', async (t) => {
  const lost = client(t);
  await lost`begin`;
  await lost`insert into t values (1)`;
  const waiting = database.sql`insert into t values (2)`.execute();
  await lost.end({ timeout: 0 });
  await waiting;
  assert.deepEqual(await numbers(), [2]);
});

test('a disconnecting client of the program drops its own prepared statements and no others', async (t) => {
  const own = (name: string) => {
    const sql = postgres({
      path,
      database: 'postgres',
      username: 'postgres',
      max: 1,
      connection: { application_name: 'patchbay' },
    });
    t.after(() => sql.end({ timeout: 0 }));
    return {
      sql,
      ask: (n: number) => sql.unsafe(`select '${name}' as note, $1::int as n`, [n], { prepare: true }),
    };
  };
  const [stays, goes] = [own('stays'), own('goes')];
  await stays.ask(1);
  await goes.ask(1);
  const prepared = async () => {
    const rows = await stays.sql<{ statement: string }[]>`select statement from pg_prepared_statements`;
    return ['stays', 'goes'].filter((name) =>
      rows.some(({ statement }) => statement.startsWith(`select '${name}'`)),
    );
  };
  assert.deepEqual(await prepared(), ['stays', 'goes']);
  await goes.sql.end();
  // The gateway may notice the closed connection a little later.
  for (let tries = 0; tries < 1000 && (await prepared()).includes('goes'); tries += 1);
  assert.deepEqual(await prepared(), ['stays']);
  assert.equal((await stays.ask(2))[0]?.n, 2);
});

test('an error at any stage ends its own statement and no other', async (t) => {
  const sql = client(t);
  await sql`insert into t values (1)`;
  const statements = Array.from({ length: 40 }, (_, n) => [
    assert.rejects(sql`insert into t values (1)`, { code: '23505' }),
    assert.rejects(sql`selec ${n}`, { code: '42601' }),
    assert.rejects(sql.unsafe('select 1/0'), { code: '22012' }),
    assert.rejects(sql`select ${'x'}::text::int`, { code: '22P02' }),
    sql`select ${n}::int as n`.then(([row]) => assert.equal(row?.n, n)),
  ]);
  await Promise.all(statements.flat());
  await assert.rejects(
    sql.begin(async (transaction) => {
      await transaction`insert into t values (2)`;
      await transaction`insert into t values (2)`;
    }),
    { code: '23505' },
  );
  assert.deepEqual(await numbers(), [1]);
});

test('COPY works in both directions', async (t) => {
  const sql = client(t);
  const rows = Array.from({ length: 5000 }, (_, n) => `${n}\tnote ${n}\n`);
  await pipeline(Readable.from(rows), await sql`copy t from stdin`.writable());
  assert.equal((await numbers()).length, 5000);
  assert.equal(await text(await sql`copy (select * from t order by n) to stdout`.readable()), rows.join(''));
});

test('a COPY copies nothing when its client gives up or disconnects', async (t) => {
  const sql = client(t);
  const failing = await sql`copy t from stdin`.writable();
  failing.write('1\tone\n');
  failing.destroy(new Error('no more'));
  await once(failing, 'error');
  const goes = client(t);
  const abandoned = await goes`copy t from stdin`.writable();
  abandoned.on('error', () => {});
  abandoned.write('2\ttwo\n');
  await goes.end({ timeout: 0 });
  assert.deepEqual(await numbers(), []);
});

test('a large statement and a large answer arrive whole', async (t) => {
  const sql = client(t);
  const note = 'ß'.repeat(3_000_000);
  await sql`insert into t values (1, ${note})`;
  const rows = await sql`select note from t, generate_series(1, 3)`;
  assert.deepEqual(
    rows.map((row) => row.note === note),
    [true, true, true],
  );
});

test('a cursor reads in steps while other clients wait', async (t) => {
  const [reader, other] = [client(t), client(t)];
  let seen = 0;
  const asked: Promise<unknown>[] = [];
  for await (const rows of reader`select * from generate_series(1, 100) as n`.cursor(10)) {
    seen += rows.length;
    asked.push(other`select 1`.execute());
  }
  await Promise.all(asked);
  assert.equal(seen, 100);
});

test('a client that does not speak PostgreSQL is disconnected without effect on others', async () => {
  for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '\0\0\0\x10\x04\xd2\x16\x2e12345678', '\0']) {
    const socket = connect(path);
    socket.end(Buffer.from(bytes, 'latin1'));
    await once(socket.resume(), 'close');
  }
  assert.equal((await database.sql`select 1 as n`)[0]?.n, 1);
});
