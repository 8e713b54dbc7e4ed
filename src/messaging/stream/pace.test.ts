import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { type ManualClock, manualClock } from '../../../test/clock.ts';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedProject } from '../../../test/seed.ts';
import { Throttled } from '../../platform/problem.ts';
import { type Admit, streamPace } from './pace.ts';

const { sql } = await testDatabase({ after });

let clock: ManualClock;
let admit: Admit;
let projectId: string;

beforeEach(async () => {
  clock = manualClock();
  admit = streamPace({ sql, clock });
  projectId = await seedProject(sql);
});

/** The time of acceptance in milliseconds since noon. Null for a refused call. */
const call = async (by = admit, project = projectId): Promise<number | null> => {
  try {
    return (await by(project)).getTime() - noon.getTime();
  } catch (error) {
    assert.ok(error instanceof Throttled, String(error));
    return null;
  }
};

const calls = (count: number, by = admit): Promise<(number | null)[]> =>
  Promise.all(Array.from({ length: count }, () => call(by)));

const accepted = (moments: readonly (number | null)[]): number[] =>
  moments.filter((moment) => moment !== null).sort((a, b) => a - b);

const processAt = (now: () => Date) => ({ now, by: streamPace({ sql, clock: { now } }) });

/** The most calls in any second, wherever it begins. */
const busiestSecond = (moments: readonly number[]): number =>
  Math.max(0, ...moments.map((from) => moments.filter((at) => at >= from && at < from + 1000).length));

test('twenty concurrent calls are accepted, and the next one must retry in a second', async () => {
  assert.equal(accepted(await calls(20)).length, 20);
  await assert.rejects(admit(projectId), {
    message: 'Request was throttled. Expected available in 1 second.',
    retryAfterSeconds: 1,
  });
});

test('of many concurrent calls the first twenty are accepted', async () => {
  const moments = await calls(50);
  assert.deepEqual(moments, [...Array<number>(20).fill(0), ...Array<null>(30).fill(null)]);
});

test('a place is free again exactly a second after it was taken', async () => {
  await call();
  clock.advance(500);
  assert.equal(accepted(await calls(30)).length, 19);
  clock.advance(400);
  assert.equal(await call(), null);
  clock.advance(100);
  assert.deepEqual(accepted(await calls(3)), [1000]);
  clock.advance(500);
  assert.deepEqual(accepted(await calls(30)), Array<number>(19).fill(1500));
});

test('a refused call takes no place', async () => {
  await calls(20);
  for (let n = 0; n < 9; n += 1) {
    clock.advance(100);
    assert.deepEqual(accepted(await calls(20)), []);
  }
  clock.advance(100);
  assert.equal(accepted(await calls(20)).length, 20);
});

test('twenty a second, evenly spaced, are never refused', async () => {
  for (let n = 0; n < 100; n += 1) {
    assert.equal(await call(), n * 50);
    clock.advance(50);
  }
});

test('of twenty-five a second, evenly spaced, twenty are accepted', async () => {
  const moments: (number | null)[] = [];
  for (let n = 0; n < 50; n += 1) {
    moments.push(await call());
    clock.advance(40);
  }
  assert.equal(accepted(moments).filter((at) => at < 2000).length, 40);
  assert.equal(busiestSecond(accepted(moments)), 20);
});

test('a call that is early by less than its share of the second waits for its place', async () => {
  await calls(20);
  clock.advance(949);
  assert.equal(await call(), null);
  clock.advance(1);
  const startedAt = performance.now();
  assert.equal(await call(), 1000);
  // Its timer may be a millisecond early.
  assert.ok(performance.now() - startedAt > 48);
});

test('projects do not share their places', async () => {
  await calls(20);
  const other = await seedProject(sql);
  assert.equal(await call(admit, other), 0);
  assert.equal(await call(), null);
});

test('projects that are busy at the same time each get all of their places', async () => {
  const projects = [projectId, await seedProject(sql), await seedProject(sql)];
  const asked = Array.from({ length: 90 }, (_, n) => projects[n % 3] ?? projectId);
  const moments = await Promise.all(asked.map((project) => call(admit, project)));
  for (const [index] of projects.entries()) {
    assert.equal(accepted(moments.filter((_, n) => n % 3 === index)).length, 20);
  }
});

test('no second holds more than twenty, for several processes with different clocks and any calls', async () => {
  const burst = fc.record({
    process: fc.nat(2),
    calls: fc.integer({ min: 1, max: 25 }),
    thenMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 1100 })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(burst, { minLength: 1, maxLength: 25 }), async (bursts) => {
      const time = manualClock();
      const project = await seedProject(sql);
      const processes = [-7, 0, 7].map((aheadMs) =>
        processAt(() => new Date(time.now().getTime() + aheadMs)),
      );
      const moments: number[] = [];
      for (const { process, calls: count, thenMs } of bursts) {
        const { by, now } = processes[process] ?? processAt(time.now);
        const answers = await Promise.all(Array.from({ length: count }, () => call(by, project)));
        const since = now().getTime() - noon.getTime() - 950;
        const kept = answers.filter((moment) => moment !== null);
        moments.push(...kept);
        // A limiter that refuses every call would pass too.
        const recent = moments.filter((at) => at > since).length;
        assert.ok(kept.length === count || recent >= 20, `refused with ${recent} in the last second`);
        time.advance(thenMs);
      }
      assert.ok(busiestSecond(moments) <= 20, `${busiestSecond(moments)} in a second`);
    }),
    { numRuns: 60 },
  );
});

test('a process with a slow clock does not give a place away twice', async () => {
  const ahead = processAt(() => new Date(clock.now().getTime() + 40)).by;
  const moments = [...(await calls(18)), await call(ahead), await call()];
  clock.advance(960);
  moments.push(...(await calls(25)), ...(await calls(25)));
  assert.equal(busiestSecond(accepted(moments)), 20);
});

test('concurrent processes give away twenty places together', async () => {
  const processes = Array.from({ length: 4 }, () => streamPace({ sql, clock }));
  const answers = await Promise.all(processes.map((process) => calls(15, process)));
  assert.equal(accepted(answers.flat()).length, 20);
});
