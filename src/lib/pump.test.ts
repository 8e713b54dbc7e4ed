import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { manualClock } from '../../test/clock.ts';
import { type Lane, type PumpOptions, startPump } from './pump.ts';

const log = pino({ level: 'silent' });

/** A queue in memory: what is claimed leaves it, what is recorded is kept. */
function memoryQueue(items: Record<string, number[]>) {
  const clock = manualClock();
  const recorded: number[] = [];
  const waiters: { count: number; resolve: () => void }[] = [];
  const options: PumpOptions<number, number> = {
    name: 'test',
    clock,
    log,
    due: async (): Promise<Lane[]> =>
      Object.entries(items)
        .filter(([, waiting]) => waiting.length > 0)
        .map(([key]) => ({ key, dueAt: clock.now() })),
    claim: async (key, free) => items[key]?.splice(0, free) ?? [],
    perform: async (item) => item,
    record: async (results) => {
      recorded.push(...results);
      for (const waiter of waiters) if (recorded.length >= waiter.count) waiter.resolve();
    },
    places: () => ({ least: 4, most: 4 }),
    mostAtOnce: 1000,
    leaseMs: 20_000,
    isUnavailable: () => false,
  };
  const recordedCount = (count: number) =>
    new Promise<void>((resolve) => {
      if (recorded.length >= count) resolve();
      else waiters.push({ count, resolve });
    });
  return { options, recorded, recordedCount };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('everything that waits is performed once and recorded', async () => {
  const { options, recorded, recordedCount } = memoryQueue({ a: numbers(100), b: numbers(50) });
  const pump = startPump(options);
  await recordedCount(150);
  await pump.stop();
  assert.deepEqual(
    recorded.toSorted((x, y) => x - y),
    [...numbers(100), ...numbers(50)].sort((x, y) => x - y),
  );
});

test('no more than the capacity of a lane is under way at once', async () => {
  const { options, recordedCount } = memoryQueue({ a: numbers(60) });
  let underWay = 0;
  let most = 0;
  const pump = startPump({
    ...options,
    perform: async (item) => {
      most = Math.max(most, ++underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return item;
    },
  });
  await recordedCount(60);
  await pump.stop();
  assert.equal(most, 4);
});

test('a lane whose capacity falls while it is emptied is filled no further than that', async () => {
  const { options, recordedCount } = memoryQueue({ a: numbers(60) });
  let capacity = 8;
  let underWay = 0;
  const seen: number[] = [];
  const pump = startPump({
    ...options,
    perform: async (item) => {
      underWay += 1;
      await turn();
      if (item === 0) capacity = 2;
      if (item > 8) seen.push(underWay);
      underWay -= 1;
      return item;
    },
    places: () => ({ least: capacity, most: capacity }),
  });
  await recordedCount(60);
  await pump.stop();
  assert.equal(Math.max(...seen), 2);
});

test('a lane whose work hangs does not hold up another', async () => {
  const { options, recordedCount } = memoryQueue({ stuck: numbers(40), quick: numbers(40) });
  const hung: (() => void)[] = [];
  const claimedBy = new Map<number, string>();
  const pump = startPump<{ key: string; item: number }, number>({
    ...options,
    claim: async (key, free) => (await options.claim(key, free)).map((item) => ({ key, item })),
    perform: ({ key, item }) => {
      claimedBy.set(item, key);
      return key === 'stuck'
        ? new Promise((resolve) => hung.push(() => resolve(item)))
        : Promise.resolve(item);
    },
  });
  await recordedCount(40);
  assert.equal(hung.length, 4);
  const stopped = pump.stop();
  for (const release of hung) release();
  await stopped;
});

test('stop waits until what is under way is recorded, and claims nothing more', async () => {
  const { options, recorded } = memoryQueue({ a: numbers(20) });
  const begun: (() => void)[] = [];
  const begins = Promise.withResolvers<void>();
  const pump = startPump({
    ...options,
    perform: (item) =>
      new Promise((resolve) => {
        begun.push(() => resolve(item));
        if (begun.length === 4) begins.resolve();
      }),
  });
  await begins.promise;
  const stopped = pump.stop();
  for (const finish of begun) finish();
  await stopped;
  assert.deepEqual(recorded, [0, 1, 2, 3]);
});

test('results outlive a database that is away for a while', async () => {
  const { options, recorded, recordedCount } = memoryQueue({ a: numbers(6) });
  let failures = 3;
  const pump = startPump({
    ...options,
    isUnavailable: () => true,
    record: async (results) => {
      if (failures-- > 0) throw new Error('away');
      await options.record(results);
    },
  });
  await recordedCount(6);
  await pump.stop();
  assert.equal(recorded.length, 6);
});

test('a result that the database refuses keeps no other result from being written', async () => {
  const { options, recorded, recordedCount } = memoryQueue({ a: numbers(40) });
  const pump = startPump({
    ...options,
    record: async (results) => {
      if (results.includes(13)) throw new Error('refused');
      await options.record(results);
    },
  });
  await recordedCount(39);
  await pump.stop();
  assert.deepEqual(
    recorded.toSorted((x, y) => x - y),
    numbers(40).filter((item) => item !== 13),
  );
});

test('a wake is answered even when it comes while a lane is being emptied', async () => {
  const waiting = { a: numbers(1) };
  const { options, recordedCount } = memoryQueue(waiting);
  const late = Promise.withResolvers<void>();
  const pump = startPump({
    ...options,
    perform: async (item) => {
      if (item === 0) late.resolve();
      return item;
    },
  });
  await late.promise;
  waiting.a.push(1);
  pump.wake();
  await recordedCount(2);
  await pump.stop();
});
