import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pino from 'pino';
import { createPool } from '../../src/storage/pool.ts';
import { testDatabase } from '../database.ts';
import { type Fault, startWireProxy } from '../stand-ins/wire-proxy.ts';
import { anySeed, judgeExchanges } from './wire.ts';

/** A pool of one connection to a database of its own, and the proxy between them; the faults are those of each connection. */
async function throughProxy(t: TestContext, faults: Fault[], statementTimeoutMs = 10_000) {
  const database = await testDatabase(t);
  const proxy = await startWireProxy(database.address, () => faults);
  t.after(() => proxy.close());
  const log = pino({ level: 'silent' });
  const pool = await createPool(proxy.address, { max: 1, statementTimeoutMs, log });
  t.after(() => pool.end({ timeout: 0 }));
  return { database, proxy, pool };
}

test('the statement after one that failed behind its rows gets its own rows', async (t) => {
  const { pool } = await throughProxy(t, []);
  await assert.rejects(pool`select 1000 / (400 - n) from generate_series(1, 1000) as n`, { code: '22012' });
  const rows = await pool`select n from generate_series(1, 3) as n`;
  assert.equal(JSON.stringify(rows), '[{"n":1},{"n":2},{"n":3}]');
});

test('whatever happens to its connections, each statement gets its own rows or an error', async (t) => {
  const { wrong, ...figures } = await judgeExchanges(await testDatabase(t), 2_000, anySeed());
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual(wrong, []);
});
