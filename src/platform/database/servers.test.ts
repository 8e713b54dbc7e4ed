import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import pino from 'pino';
import { until } from '../../../test/faults/until.ts';
import { inTime } from '../../../test/in-time.ts';
import { type PrivateServer, postgresBinaries, startPostgres } from '../../../test/postgres.ts';
import { isDatabaseUnavailable } from './database.ts';
import { createPool, type Pool, type PoolOptions } from './pool.ts';
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

async function openPool(
  t: TestContext,
  hosts: string[],
  settings: PoolOptions = options,
  user = 'postgres',
): Promise<Pool> {
  const pool = await createPool(readDatabaseUrl(`postgres://${user}@${hosts.join()}/postgres`), settings);
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
  const clients = new Set<Socket>();
  const server = createServer((client) => clients.add(client)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const client of clients) client.destroy();
  });
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return `127.0.0.1:${address.port}`;
}

/** Another host of a server. It lets clients in after `opens`. `left` resolves when the first of them has left. */
async function hostBefore(
  t: TestContext,
  { url }: PrivateServer,
  opens: Promise<void> = Promise.resolve(),
): Promise<{ host: string; left: Promise<void> }> {
  const { hostname, port } = new URL(url);
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const relay = createServer(async (client) => {
    client.on('error', () => {}).on('close', resolve);
    await opens;
    const server = connect({ host: hostname, port: Number(port) });
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => relay.close());
  const address = relay.address();
  assert.ok(address && typeof address === 'object');
  return { host: `127.0.0.1:${address.port}`, left };
}

/** Lines of the log, and a search that waits for the answers of all hosts. */
function patientSearch(): { settings: PoolOptions; lines: string[] } {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  return { settings: { max: 3, statementTimeoutMs: 60_000, ...foreverEach, log }, lines };
}

const foreverEach = { connectMs: 3_600_000, compareMs: 3_600_000 };

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

test('after a split brain the latest promoted server is used though the old one answers first, and the log names both', {
  skip,
}, async (t) => {
  const [old, promoted] = [await startServer(), await startServer()];
  await becomeStandby(promoted);
  await tell(promoted, 'select pg_promote()');
  // The role has no privileges.
  for (const server of [old, promoted]) await tell(server, 'create role plain login');
  const first = await hostBefore(t, old);
  const second = await hostBefore(t, promoted, first.left);
  const { settings, lines } = patientSearch();
  const pool = await openPool(t, [first.host, second.host], settings, 'plain:secret');
  assert.equal(await portOf(pool), new URL(promoted.url).port);
  assert.deepEqual(lines, [
    `split brain: ${second.host} (timeline 2) and ${first.host} (timeline 1) take writes. Patchbay uses ${second.host}. Stop the others.`,
  ]);
});

test('two hosts that lead to one server are no split brain', { skip }, async (t) => {
  const server = await startServer();
  const { host } = await hostBefore(t, server);
  const { settings, lines } = patientSearch();
  const pool = await openPool(t, [host, hostOf(server)], settings);
  assert.equal(await portOf(pool), new URL(server.url).port);
  assert.deepEqual(lines, []);
});

test('of servers that do not tell their timelines the first in the address is used, but one that tells goes before', {
  skip,
}, async (t) => {
  const [first, second] = [await startServer(), await startServer()];
  for (const server of [first, second]) {
    await tell(server, 'create role plain login');
    await tell(server, 'revoke execute on function pg_walfile_name(pg_lsn) from public');
  }
  const early = await hostBefore(t, second);
  const late = await hostBefore(t, first, early.left);
  const { settings, lines } = patientSearch();
  const pool = await openPool(t, [downHost, late.host, early.host], settings, 'plain');
  assert.equal(await portOf(pool), new URL(first.url).port);
  assert.deepEqual(lines, []);

  await tell(second, 'grant execute on function pg_walfile_name(pg_lsn) to public');
  const again = await openPool(t, [hostOf(first), hostOf(second)], settings, 'plain');
  assert.equal(await portOf(again), new URL(second.url).port);
  assert.match(lines.join(), /timeline unknown/);
});

test('a server that takes writes does not wait until a silent host is given up', { skip }, async (t) => {
  const server = await startServer();
  const { connectMs } = foreverEach;
  const pool = await openPool(t, [await silentHost(t), hostOf(server)], { ...options, connectMs });
  assert.equal(await portOf(pool), new URL(server.url).port);
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
