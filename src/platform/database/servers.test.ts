import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { until } from '../../../test/faults/until.ts';
import { inTime } from '../../../test/in-time.ts';
import { type PrivateServer, postgresBinaries, startPostgres } from '../../../test/postgres.ts';
import { isDatabaseUnavailable } from './database.ts';
import { createPool, type Pool } from './pool.ts';
import { readDatabaseUrl } from './server-address.ts';

const binaries = postgresBinaries();
const skip = binaries ? false : 'PostgreSQL binaries not found';
const options = { max: 3, statementTimeoutMs: 1_000 };

async function startServer(): Promise<PrivateServer> {
  assert.ok(binaries);
  const server = await startPostgres(binaries);
  after(() => server.remove());
  return server;
}

const hostOf = ({ url }: PrivateServer): string => new URL(url).host;

async function openPool(t: TestContext, hosts: string[], settings = options): Promise<Pool> {
  const pool = await createPool(readDatabaseUrl(`postgres://postgres@${hosts.join()}/postgres`), settings);
  t.after(() => pool.end());
  return pool;
}

/** Runs statements on one server, whatever its current role. */
async function tell(server: PrivateServer, ...statements: string[]): Promise<void> {
  const pool = await createPool(readDatabaseUrl(`${server.url}?target_session_attrs=any`), options);
  for (const statement of statements) await pool.unsafe(statement);
  await pool.end();
}

/** Turns a server into a standby of a primary that sends nothing. Promoted, it takes writes again. */
async function becomeStandby(server: PrivateServer): Promise<void> {
  const pool = await createPool(readDatabaseUrl(server.url), options);
  const [row] = await pool<{ data_directory: string }[]>`show data_directory`;
  await pool.end();
  await server.stop();
  writeFileSync(join(row?.data_directory ?? '', 'standby.signal'), '');
  await server.start();
}

const readOnly = ['alter system set default_transaction_read_only = on', 'select pg_reload_conf()'];
const writable = ['alter system set default_transaction_read_only = off', 'select pg_reload_conf()'];

/** A host that accepts connections and stays silent. */
async function silentHost(t: TestContext): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return `127.0.0.1:${address.port}`;
}

const downHost = '127.0.0.1:1';

const portOf = async (pool: Pool) =>
  String((await pool<{ port: number }[]>`select inet_server_port() as port`)[0]?.port);

/** Writes until it succeeds. Meanwhile every error says that no server is available, and comes in time. */
async function untilWritten(pool: Pool, table: string): Promise<void> {
  for (;;) {
    try {
      await inTime(pool`insert into ${pool(table)} values (1)`.count(), 3_000);
      return;
    } catch (error) {
      assert.ok(isDatabaseUnavailable(error), String(error));
    }
  }
}

test('the pool finds the writable server among down, silent, standby and read-only ones, and finds it again', {
  skip,
}, async (t) => {
  const [standby, primary] = [await startServer(), await startServer()];
  for (const server of [standby, primary]) await tell(server, 'create table written (n int)');
  await becomeStandby(standby);
  const hosts = [downHost, await silentHost(t), hostOf(standby), hostOf(primary)];
  const pool = await openPool(t, hosts);
  assert.equal(await portOf(pool), new URL(primary.url).port);

  // The primary is demoted while the pool has connections to it, and the other server becomes the primary.
  await tell(primary, ...readOnly);
  await tell(standby, 'select pg_promote()');
  await untilWritten(pool, 'written');
  assert.equal(await portOf(pool), new URL(standby.url).port);

  // The roles change back by a restart. The connections are lost, and new ones lead to a read-only server.
  await tell(primary, ...writable);
  await becomeStandby(standby);
  await untilWritten(pool, 'written');
  assert.equal(await portOf(pool), new URL(primary.url).port);
});

test('a new connection to a server that has become read-only sends the pool to the writable one', {
  skip,
}, async (t) => {
  const [first, second] = [await startServer(), await startServer()];
  await tell(second, ...readOnly);
  const pool = await openPool(t, [hostOf(first), hostOf(second)]);
  const isOpen = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const held = pool.begin(async (transaction) => {
    await transaction`select 1`;
    isOpen.resolve();
    await mayEnd.promise;
  });
  const told = assert.rejects(held, isDatabaseUnavailable);
  await isOpen.promise;
  await tell(first, ...readOnly);
  await tell(second, ...writable);
  // The open transaction has the only connection, so this statement needs a new one.
  await assert.rejects(async () => pool`select 1`, isDatabaseUnavailable);
  assert.equal(await portOf(pool), new URL(second.url).port);
  mayEnd.resolve();
  await told;
});

test('when no server takes writes, the error names each server and its reason', { skip }, async () => {
  const server = await startServer();
  await tell(server, ...readOnly);
  const url = `postgres://postgres@${downHost},${hostOf(server)}/postgres`;
  await assert.rejects(createPool(readDatabaseUrl(url), options), (error) => {
    assert.ok(isDatabaseUnavailable(error) && error instanceof Error);
    assert.match(error.message, /127\.0\.0\.1:1: .*ECONNREFUSED/);
    assert.match(error.message, new RegExp(`${hostOf(server)}: .*takes no writes`));
    return true;
  });
});

test('a full server counts as unavailable, and is used as soon as it has room', {
  skip,
}, async (t) => {
  const server = await startServer();
  await tell(server, 'create role crowded login connection limit 2');
  const url = new URL(server.url);
  url.username = 'crowded';
  const [first, second] = [
    await createPool(readDatabaseUrl(url.href), options),
    await createPool(readDatabaseUrl(url.href), options),
  ];
  t.after(() => Promise.all([first.end(), second.end()]));
  // The server releases a connection some time after its client.
  const administrator = await openPool(t, [hostOf(server)]);
  const sessions = async () =>
    (await administrator`select from pg_stat_activity where usename = 'crowded'`).length;
  await until(async () => (await sessions()) === 0);
  await Promise.all([first`select pg_sleep(0.2)`, first`select pg_sleep(0.2)`]);
  await assert.rejects(async () => second`select 1`, isDatabaseUnavailable);
  // Statements beside a refused connection continue.
  const running = first`select pg_sleep(0.5), 1 as n`.execute();
  await assert.rejects(async () => second`select 1`, isDatabaseUnavailable);
  assert.equal((await running)[0]?.n, 1);
  await first.end();
  await until(async () => (await sessions()) === 0);
  assert.deepEqual(await second`select 1 as n`, [{ n: 1 }]);
});
