import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { testContext } from '../../test/context.ts';
import { testDatabase } from '../../test/database.ts';
import { type Job, runDueJobs } from '../platform/jobs/jobs.ts';
import { checkJobs } from './database-checks.ts';

const database = await testDatabase({ after });
const context = testContext(database, manualClock());

test('doctor shows the last run of each job, and the reason of a failure', async () => {
  const everyMs = 600_000;
  const well: Job = { name: 'well', everyMs, run: async () => {} };
  const failing: Job = { name: 'failing', everyMs, run: () => Promise.reject(new Error('the disk is full')) };
  await runDueJobs(context, [well, failing]);
  const checks = await checkJobs(context.sql, [well, failing, { ...well, name: 'new' }]);
  assert.deepEqual(
    checks.map(({ state, detail }) => [state, detail]),
    [
      ['ok', 'well, every 10 min: last begun 2026-11-20T12:00:00.000Z'],
      ['warning', 'failing, every 10 min: failed at 2026-11-20T12:00:00.000Z: the disk is full'],
      ['ok', 'new, every 10 min: has not run yet'],
    ],
  );
});
