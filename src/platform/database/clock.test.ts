import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pino from 'pino';
import { testDatabase } from '../../../test/database.ts';
import { databaseClock } from './clock.ts';
import type { Pool } from './pool.ts';

const database = await testDatabase({ after });

test('the clock shows the database’s time, not that of this machine', async (t) => {
  // This machine's clock is an hour slow. Only a server can show that.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 });
  const clock = await databaseClock(database, pino({ level: 'silent' }));
  t.after(() => clock.stop());
  const [row] = await database.sql<[{ now: Date }]>`select clock_timestamp() as now`;
  const expected = database.kind === 'server' ? row.now.getTime() : Date.now();
  assert.ok(Math.abs(clock.now().getTime() - expected) < 60_000);
});

/** A server whose clock is set by the test. It answers without the network, whose timers would stand still. */
function settable(pool: Pool) {
  let aheadMs = 0;
  const sql = new Proxy(pool, {
    apply: async () => [{ ms: performance.timeOrigin + performance.now() + aheadMs }],
  });
  return {
    sql,
    set(ms: number) {
      aheadMs = ms;
    },
  };
}

test('a second after the clock of the server was set, forward or back, a process follows it', async (t) => {
  const server = settable(database.sql);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const far = { ...database, kind: 'server' as const, sql: server.sql };
  const clock = await databaseClock(far, pino({ level: 'silent' }));
  t.after(() => clock.stop());
  const hour = 3_600_000;
  const aheadMs = () => clock.now().getTime() - performance.timeOrigin - performance.now();
  for (const ms of [hour, 0, -hour]) {
    server.set(ms);
    t.mock.timers.tick(1_000);
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    assert.ok(Math.abs(aheadMs() - ms) < 60_000, `${aheadMs()} of ${ms} ms`);
  }
});
