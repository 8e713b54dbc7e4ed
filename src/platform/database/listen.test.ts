import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { postgresBinaries, startPostgres } from '../../../test/postgres.ts';
import { startProxy } from '../../../test/proxy.ts';
import { listen } from './listen.ts';
import { createPool } from './pool.ts';
import { readDatabaseUrl } from './server-address.ts';

const binaries = postgresBinaries();
const log = pino({ level: 'silent' });

test('listening begins when an absent server comes, and resumes when a lost server comes back', {
  skip: binaries ? false : 'PostgreSQL binaries not found',
}, async (t) => {
  assert.ok(binaries);
  const server = await startPostgres(binaries);
  const url = new URL(server.url);
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
  url.port = `${proxy.port}`;
  const pool = await createPool(readDatabaseUrl(server.url), { max: 1, statementTimeoutMs: 2_000 });
  t.after(async () => {
    await pool.end();
    await proxy.close();
    await server.remove();
  });
  let begun = Promise.withResolvers<void>();
  let heard = Promise.withResolvers<string>();
  proxy.freeze();
  const listener = await listen(readDatabaseUrl(url.href), 'told', {
    onMessage: (payload) => heard.resolve(payload),
    onListening: () => begun.resolve(),
    log,
  });
  t.after(() => listener.stop());
  assert.equal(listener.isListening(), false);
  // The second time, its connection is cut.
  for (const payload of ['first', 'second']) {
    proxy.thaw();
    await begun.promise;
    begun = Promise.withResolvers();
    await pool`select pg_notify('told', ${payload})`;
    assert.equal(await heard.promise, payload);
    heard = Promise.withResolvers();
  }
});
