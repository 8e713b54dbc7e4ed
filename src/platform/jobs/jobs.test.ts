import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { type Job, runDueJobs, startJobs } from './jobs.ts';
import { lastRuns } from './store.ts';

const database = await testDatabase({ after });
const { sql } = database;
const clock = manualClock();
const context = testContext(database, clock);
const everyMs = 600_000;

beforeEach(async () => {
  await sql`delete from jobs`;
});

/** A job that counts its runs. */
function counted(name: string): Job & { runs: number } {
  const job = {
    name,
    everyMs,
    runs: 0,
    run: async () => {
      job.runs += 1;
    },
  };
  return job;
}

test('a job runs once a period, however many processes look', async () => {
  const job = counted('tidy');
  await Promise.all([1, 2, 3].map(() => runDueJobs(context, [job])));
  assert.equal(job.runs, 1);
  clock.advance(everyMs - 1);
  await runDueJobs(context, [job]);
  assert.equal(job.runs, 1);
  clock.advance(1);
  await Promise.all([1, 2, 3].map(() => runDueJobs(context, [job])));
  assert.equal(job.runs, 2);
});

test('a job that fails is recorded with its error, and delays no other job', async () => {
  const failing: Job = { name: 'failing', everyMs, run: () => Promise.reject(new Error('the disk is full')) };
  const other = counted('other');
  await runDueJobs(context, [failing, other]);
  assert.equal(other.runs, 1);
  const now = clock.now();
  const runs = (await lastRuns(sql)).sort((one, two) => one.name.localeCompare(two.name));
  assert.deepEqual(runs, [
    { name: 'failing', began_at: now, ended_at: now, error: 'the disk is full' },
    { name: 'other', began_at: now, ended_at: now, error: null },
  ]);

  clock.advance(everyMs);
  await runDueJobs(context, [counted('failing')]);
  assert.equal((await lastRuns(sql)).find(({ name }) => name === 'failing')?.error, null);
});

test('a job runs again after the clock has been set back', async () => {
  const job = counted('tidy');
  await runDueJobs(context, [job]);
  clock.advance(-everyMs);
  await runDueJobs(context, [job]);
  assert.equal(job.runs, 2);
  clock.advance(everyMs);
});

test('a stop waits for the running job', async () => {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const job: Job = {
    name: 'slow',
    everyMs,
    run: () => {
      begun.resolve();
      return held.promise;
    },
  };
  const jobs = startJobs(context, [job]);
  await begun.promise;
  let isStopped = false;
  const stopped = jobs.stop().then(() => {
    isStopped = true;
  });
  await sql`select`;
  assert.equal(isStopped, false);
  held.resolve();
  await stopped;
  assert.equal((await lastRuns(sql))[0]?.ended_at?.getTime(), clock.now().getTime());
});
