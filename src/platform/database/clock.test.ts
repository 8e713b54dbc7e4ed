import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pino from 'pino';
import { testDatabase } from '../../../test/database.ts';
import { databaseClock } from './clock.ts';

const database = await testDatabase({ after });

test('the clock shows the database’s time, not that of this machine', async (t) => {
  // This machine's clock is an hour slow. Only a server can show that.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 });
  const clock = await databaseClock(database, pino({ level: 'silent' }));
  t.after(() => clock.stop());
  const [row] = await database.sql<[{ now: Date }]>`select clock_timestamp() as now`;
  const expected = database.kind === 'server' ? row.now.getTime() : Date.now();
  assert.ok(Math.abs(clock.now().getTime() - expected) < 1_000);
});
