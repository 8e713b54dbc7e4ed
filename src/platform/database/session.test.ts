import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import pino from 'pino';
import { embeddedFolder } from '../../../test/embedded-folder.ts';
import { postgresBinaries } from '../../../test/postgres.ts';
import { socketPath } from './data-folder.ts';
import { openDatabase } from './database.ts';
import { messagesOf, query, startupMessage, sync, valuesOf } from './wire.ts';

const dataDir = await embeddedFolder();
const database = await openDatabase({ dataDir, log: pino({ level: 'silent' }), exclusive: true });
after(() => database.close());
const { sql } = database;

/** A raw client that sends exactly its test's messages, with no driver between it and the gateway. */
async function client(t: TestContext, parameters: Record<string, string> = {}) {
  const socket = connect(socketPath(dataDir));
  t.after(() => socket.destroy());
  socket.write(startupMessage('postgres', 'postgres', parameters));
  await answer(socket);
  const say = (...messages: Buffer[]) => {
    socket.write(Buffer.concat(messages));
    return answer(socket);
  };
  return { say, ask: (text: string) => say(query(text)) };
}

/** The values of an answer's rows, or the code of its error. */
async function answer(socket: Socket): Promise<string> {
  let bytes = Buffer.alloc(0);
  while (bytes.at(-6) !== 'Z'.charCodeAt(0)) {
    const [piece]: Buffer[] = await once(socket, 'data');
    bytes = Buffer.concat([bytes, piece ?? Buffer.alloc(0)]);
  }
  const told = messagesOf(bytes).map(({ type, bytes: message }) => {
    if (type === 'D') return valuesOf(message).join();
    return type === 'E' ? message.toString('latin1').match(/\0C(\w+)\0/)?.[1] : undefined;
  });
  return told.filter((part) => part !== undefined).join(' ');
}

const message = (letter: string, ...fields: string[]): Buffer => {
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''), 'latin1');
  const header = Buffer.from([letter.charCodeAt(0), 0, 0, 0, 0]);
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
};
const parse = (name: string, text: string) => message('P', name, text, '', '');
const run = (name: string) =>
  Buffer.concat([message('B', '', name, '', '', '', '', '', ''), message('E', '', '', '', '', ''), sync]);

const ours = { application_name: 'patchbay' };

for (const [who, parameters] of [
  ['connections of the program', ours],
  ['other clients', {}],
] as const) {
  test(`${who} may give different statements the same name, even the empty one`, async (t) => {
    const [one, other] = [await client(t, parameters), await client(t, parameters)];
    for (const name of ['same', '']) {
      await one.say(parse(name, 'select 1'), sync);
      await other.say(parse(name, 'select 2'), sync);
      for (let turn = 0; turn < 2; turn += 1) {
        assert.equal(await one.say(run(name)), '1');
        assert.equal(await other.say(run(name)), '2');
      }
    }
  });
}

test('a client that deallocates everything takes nothing from the others', async (t) => {
  const [own, other, sweeper] = [await client(t, ours), await client(t), await client(t)];
  await own.say(parse('own', 'select 1'), sync);
  await other.say(parse('other', 'select 2'), sync);
  for (const sweep of ['deallocate all', 'discard all']) {
    await sweeper.ask(sweep);
    assert.deepEqual([await own.say(run('own')), await other.say(run('other'))], ['1', '2']);
  }
});

const look = `select concat_ws(' ', current_setting('search_path'), current_setting('TimeZone'), current_setting('statement_timeout'),
  current_setting('role'), current_setting('session_replication_role'), current_setting('DateStyle'))`;

test('a client’s settings are its own, and return at its next turn', async (t) => {
  await sql`create role helper`;
  const [own, one, other] = [await client(t, ours), await client(t), await client(t)];
  const usual = await own.ask(look);
  await one.ask(
    `set search_path = '', pg_temp; set time zone 'Asia/Tokyo'; set statement_timeout = '1min'; set datestyle = german`,
  );
  await other.ask(
    `select set_config('TimeZone', 'Europe/Paris', false); set session_replication_role = replica; set role helper`,
  );
  for (let turn = 0; turn < 3; turn += 1) {
    assert.equal(await own.ask(look), usual);
    assert.equal(await one.ask(look), '"", pg_temp Asia/Tokyo 1min none origin German, DMY');
    assert.equal(await other.ask(look), 'public Europe/Paris 0 helper replica ISO, MDY');
  }
});

test('a client’s startup settings are its own', async (t) => {
  const one = await client(t, { TimeZone: 'Asia/Tokyo', options: '-c statement_timeout=7s' });
  const other = await client(t, { ...ours, TimeZone: 'Europe/Paris' });
  const own = await client(t, ours);
  const zones = `select concat_ws(' ', current_setting('TimeZone'), current_setting('statement_timeout'))`;
  assert.deepEqual(
    [await one.ask(zones), await other.ask(zones), await own.ask(zones), await one.ask(zones)],
    ['Asia/Tokyo 7s', 'Europe/Paris 0', 'UTC 0', 'Asia/Tokyo 7s'],
  );
});

test('a client that starts with an invalid setting gets an error, and is disconnected', async () => {
  const socket = connect(socketPath(dataDir));
  socket.write(startupMessage('postgres', 'postgres', { TimeZone: 'Nowhere' }));
  socket.write(query('select 1'));
  let heard = '';
  for await (const piece of socket) heard += piece.toString('latin1');
  assert.match(heard, /C22023\0/);
});

test('temporary tables, LISTEN, locks, cursors and statements of one client stay invisible to the others', async (t) => {
  await sql`create table shown as select 'real' as is`;
  const [own, one] = [await client(t, ours), await client(t)];
  await one.ask(`create temp table shown as select 'temporary' as is`);
  await one.ask(
    `listen news; select pg_advisory_lock(7); prepare mine as select 1; declare kept cursor with hold for select 1`,
  );
  assert.equal(await one.ask('select "is" from shown'), 'temporary');
  assert.equal(await own.ask('select "is" from shown'), 'real');
  const left = `select (select count(*) from pg_listening_channels()), (select count(*) from pg_locks where locktype = 'advisory'),
    (select count(*) from pg_prepared_statements where name = 'mine'), (select count(*) from pg_cursors where name = 'kept')`;
  assert.equal(await own.ask(left), '0,0,0,0');
});

const places = [postgresBinaries(), ...globSync('/usr/lib/postgresql/*/bin')];
const binaries = places.find((place) => place && existsSync(join(place, 'pg_dump')));

/**
 * A proxy that reports PostgreSQL 15 as the server's version. A pg_dump older than the database refuses to work
 * otherwise.
 */
async function olderServer(t: TestContext): Promise<string> {
  const server = createServer((socket) => {
    const line = connect(socketPath(dataDir));
    socket.pipe(line);
    line.on('data', (bytes) => {
      const text = bytes.toString('latin1').replace(/(server_version\0)\d\d\.\d/, '$115.0');
      socket.write(Buffer.from(text, 'latin1'));
    });
    line.on('close', () => socket.destroy());
    for (const end of [socket, line]) end.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return `${address.port}`;
}

test('pg_dump and psql run beside the working program: the dump is whole, and the program is undisturbed', {
  skip: binaries ? false : 'PostgreSQL binaries not found',
}, async (t) => {
  await sql`create table dumped as select n, repeat('ä', 100) as note from generate_series(1, 2000) as n`;
  const tool = (name: string, env: NodeJS.ProcessEnv, ...parameters: string[]) =>
    promisify(execFile)(join(binaries ?? '', name), parameters, {
      env: { PATH: process.env.PATH, PGUSER: 'postgres', PGDATABASE: 'postgres', ...env },
      maxBuffer: 2 ** 26,
    });
  const here = { PGHOST: dirname(socketPath(dataDir)) };
  let isDone = false;
  const work = async () => {
    let rounds = 0;
    for (; !isDone; rounds += 1) {
      const [row] = await sql`
        select count(*)::int as count, current_setting('search_path') as path, current_setting('TimeZone') as zone from dumped`;
      assert.deepEqual({ ...row }, { count: 2000, path: 'public', zone: 'UTC' });
      await sql.begin((transaction) => transaction`select ${rounds}::int`);
    }
    return rounds;
  };
  const workers = Promise.all([work(), work(), work()]);
  try {
    const set = 'set search_path = pg_catalog; set time zone 5; begin; select 1;';
    for (let round = 0; round < 5; round += 1) await tool('psql', here, '-c', set, '-c', 'select 2');
    const { stdout: dump } = await tool('pg_dump', { PGHOST: '127.0.0.1', PGPORT: await olderServer(t) });
    assert.equal(dump.match(/^\d+\tä{100}$/gm)?.length, 2000);
    assert.match(dump, /^COPY public\.dumped /m);
    assert.match(
      dump,
      /^CREATE TRIGGER profiles_retagged .* EXECUTE FUNCTION public\.keep_profile_tags\(\);$/m,
    );
    // The same through the socket. pg_dump may work or refuse this server's version, and sets what it likes.
    await tool('pg_dump', here).catch((error) => assert.match(error.stderr, /server version mismatch/));
  } finally {
    isDone = true;
  }
  for (const rounds of await workers) assert.ok(rounds > 5);
});
