import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { manualClock } from '../../../test/clock.ts';
import { until } from '../../../test/faults/until.ts';
import { heldTimeouts } from '../../../test/held-timeouts.ts';
import { inTime } from '../../../test/in-time.ts';
import { type Lane, type PumpOptions, startPump } from './pump.ts';
import { createCell, dueLane, laneName } from './suspects.ts';

const log = pino({ level: 'silent' });

const leaseMs = 20_000;

/** The result of a renewal when their holder still has every item. */
const allOf = (items: readonly unknown[]) => items.map((_, position) => ({ position }));

/** A manual `performance.now`, of whole milliseconds: fractions are rounded when they are added. */
function heldTime(t: TestContext) {
  let now = Math.ceil(performance.now());
  t.mock.method(performance, 'now', () => now);
  return {
    advance: (ms: number) => {
      now += ms;
    },
  };
}

/** A queue in memory: claimed items leave it, and recorded items are kept. */
function memoryQueue(items: Record<string, number[]>) {
  const clock = manualClock();
  const recorded: number[] = [];
  const waiters: { count: number; resolve: () => void }[] = [];
  const options: Omit<PumpOptions<number, number>, 'ahead'> = {
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
    leaseMs,
    renew: async (items) => allOf(items),
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

test('all waiting items are performed once and recorded', async () => {
  const { options, recorded, recordedCount } = memoryQueue({ a: numbers(100), b: numbers(50) });
  const pump = startPump(options);
  await recordedCount(150);
  await pump.stop();
  assert.deepEqual(
    recorded.toSorted((x, y) => x - y),
    [...numbers(100), ...numbers(50)].sort((x, y) => x - y),
  );
});

test('a lane never has more running items than its capacity', async () => {
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

test('a lane whose claim left places free is not claimed from again', async () => {
  const { options, recordedCount } = memoryQueue({ a: numbers(1) });
  let claims = 0;
  const pump = startPump({
    ...options,
    claim(key, free) {
      claims += 1;
      return options.claim(key, free);
    },
  });
  await recordedCount(1);
  await pump.stop();
  assert.equal(claims, 1);
});

const fastItems = 100;

/** A lane of four places. Its first hundred items take a millisecond each. The test ends the others, one by one. */
async function aheadStory(t: TestContext) {
  const time = heldTime(t);
  const waiting = numbers(200);
  const { options, recorded, recordedCount } = memoryQueue({ a: waiting });
  const running = new Map<number, (result: number) => void>();
  const given: number[][] = [];
  const begun: number[] = [];
  const writing = Promise.withResolvers<void>();
  let mayClaim = true;
  let claims = 0;
  let looks = 0;
  const pump = startPump<number, number>({
    ...options,
    due() {
      looks += 1;
      return options.due();
    },
    async claim(key, free) {
      claims += 1;
      return mayClaim ? options.claim(key, free) : [];
    },
    async record(results) {
      if (results.some((result) => result < 0)) await writing.promise;
      await options.record(results);
    },
    perform(item) {
      begun.push(item);
      time.advance(1);
      return item < fastItems ? Promise.resolve(item) : new Promise((resolve) => running.set(item, resolve));
    },
    ahead: {
      async giveBack(items) {
        given.push(items);
        waiting.unshift(...items);
      },
      outdates: (result) => result < 0,
    },
  });
  const end = (item: number, result = item): void => {
    running.get(item)?.(result);
    running.delete(item);
  };
  await until(() => running.size === 4 && waiting.length <= 90);
  mayClaim = false;
  return {
    pump,
    time,
    running,
    begun,
    given,
    end,
    recorded,
    writing,
    claims: () => claims,
    looks: () => looks,
    /** Ends everything that still runs or begins, and all items are recorded once. */
    async finish() {
      mayClaim = true;
      pump.wake();
      await until(() => {
        for (const item of running.keys()) end(item);
        return recorded.length === 200;
      });
      await pump.stop();
    },
    recordedCount,
  };
}

test('a place that becomes free finds its next item without waiting for a claim', async (t) => {
  const { begun, running, end, given, recorded, recordedCount, finish } = await aheadStory(t);
  for (const item of [100, 101, 102, 103, 104]) {
    end(item);
    await recordedCount(item + 1);
    await turn();
    assert.equal(running.size, 4);
  }
  assert.deepEqual(begun, numbers(109));
  assert.deepEqual(given, []);
  await finish();
  assert.deepEqual(
    recorded.toSorted((x, y) => x - y),
    numbers(200),
  );
});

test('items that were claimed a while ago are given back instead of started', async (t) => {
  const { begun, time, end, given, recordedCount, recorded, finish } = await aheadStory(t);
  time.advance(250);
  end(100);
  await recordedCount(fastItems + 1);
  await turn();
  assert.deepEqual(begun, numbers(104));
  assert.deepEqual(given, [numbers(104 + (given[0]?.length ?? 0)).slice(104)]);
  await finish();
  assert.equal(new Set(recorded).size, 200);
});

test('a result that changes what a claim takes gives back what was claimed, and the next claim waits for it', async (t) => {
  const { pump, time, begun, end, given, claims, looks, writing, recordedCount, recorded, finish } =
    await aheadStory(t);
  const before = claims();
  end(100, -1);
  end(101);
  await turn();
  assert.equal(given.length, 1);
  assert.ok(given[0]?.includes(104));
  const looked = looks();
  time.advance(100);
  pump.wake();
  await until(() => looks() > looked);
  await turn();
  assert.equal(claims(), before);
  writing.resolve();
  await recordedCount(fastItems + 2);
  await until(() => claims() > before);
  assert.deepEqual(begun, numbers(104));
  await finish();
  assert.equal(new Set(recorded).size, 200);
});

test('a stop gives back what has not begun, and waits for the rest', async (t) => {
  const { pump, begun, end, given, recorded } = await aheadStory(t);
  const stopped = pump.stop();
  await turn();
  assert.ok(given[0]?.includes(104));
  for (const item of [100, 101, 102, 103]) end(item);
  await stopped;
  assert.deepEqual(begun, numbers(104));
  assert.equal(recorded.length, 104);
});

test('one half of a lane is claimed while the other is being performed', async () => {
  const { options, recordedCount } = memoryQueue({ a: numbers(40) });
  const asked: number[] = [];
  const finish: (() => void)[] = [];
  const begun = Promise.withResolvers<void>();
  const pump = startPump({
    ...options,
    places: () => ({ least: 9, most: 9 }),
    claim(key, free) {
      asked.push(free);
      return options.claim(key, free);
    },
    perform: (item) =>
      item < 8
        ? new Promise((resolve) => {
            finish.push(() => resolve(item));
            if (finish.length === 8) begun.resolve();
          })
        : Promise.resolve(item),
  });
  await begun.promise;
  assert.deepEqual(asked.slice(0, 2), [4, 4]);
  for (const end of finish) end();
  await recordedCount(40);
  await pump.stop();
  assert.equal(Math.max(...asked), 4);
});

test('a lane whose capacity falls while it is emptied is filled no further than the new capacity', async () => {
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
  assert.equal(seen.length, 51);
  assert.equal(Math.max(...seen), 2);
});

test('one suspect of several pumps runs at a time, and delays nothing else', async () => {
  const cell = createCell();
  let suspects = 0;
  let most = 0;
  const pumps = ['sending', 'running'].map((name) => {
    const lanes = ['a', 'b'].flatMap((key) =>
      [false, true].map(
        (areSuspects) => dueLane({ key: `${name} ${key}`, areSuspects, dueAt: new Date(0) }).key,
      ),
    );
    const { options, recordedCount } = memoryQueue(
      Object.fromEntries(lanes.map((lane) => [lane, numbers(6)])),
    );
    const pump = startPump<{ lane: string; item: number }, number>({
      ...options,
      name,
      cell,
      renew: async (items) => allOf(items),
      claim: async (lane, free) => (await options.claim(lane, free)).map((item) => ({ lane, item })),
      async perform({ lane, item }) {
        if (!laneName(lane).areSuspects) return item;
        most = Math.max(most, ++suspects);
        // Other items continue meanwhile.
        await recordedCount(12);
        suspects -= 1;
        return item;
      },
    });
    return { pump, isDone: recordedCount(24) };
  });
  for (const { isDone } of pumps) await isDone;
  for (const { pump } of pumps) await pump.stop();
  assert.equal(most, 1);
});

test('a lane whose work hangs does not delay another', async () => {
  const { options, recordedCount } = memoryQueue({ stuck: numbers(40), quick: numbers(40) });
  const hung: (() => void)[] = [];
  const claimedBy = new Map<number, string>();
  const pump = startPump<{ key: string; item: number }, number>({
    ...options,
    renew: async (items) => allOf(items),
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

test('a stop waits until running work is recorded, and claims nothing more', async () => {
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

test('results survive a short outage of the database', async () => {
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

/** A pump with one result that the database does not accept yet. */
async function lateResult(t: TestContext) {
  const time = heldTime(t);
  const { options, recorded, recordedCount } = memoryQueue({ a: numbers(1) });
  let tried = Promise.withResolvers<void>();
  const first = tried;
  let isAway = true;
  const pump = startPump({
    ...options,
    isUnavailable: () => true,
    async record(results) {
      tried.resolve();
      if (isAway) throw new Error('away');
      await options.record(results);
    },
  });
  await first.promise;
  await turn();
  return {
    pump,
    recorded,
    recordedCount,
    async triesAfter(ms: number) {
      time.advance(ms);
      tried = Promise.withResolvers();
      await tried.promise;
      await turn();
    },
    comesBack: () => {
      isAway = false;
    },
  };
}

test('results are kept as long as the database does not accept them', async (t) => {
  const { pump, recorded, recordedCount, triesAfter, comesBack } = await lateResult(t);
  await triesAfter(100 * leaseMs);
  await triesAfter(100 * leaseMs);
  comesBack();
  await recordedCount(1);
  await pump.stop();
  assert.deepEqual(recorded, [0]);
});

test('a stop gives results up after exactly four leases', async (t) => {
  const { pump, recorded, triesAfter } = await lateResult(t);
  await triesAfter(100 * leaseMs);
  const stopped = pump.stop();
  await triesAfter(4 * leaseMs);
  await triesAfter(1);
  await stopped;
  assert.deepEqual(recorded, []);
});

test('a result that the database refuses does not prevent the recording of others', async () => {
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

test('a wake is answered even while a lane is being emptied', async () => {
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

for (const [what, claimMs] of [
  ['longer than its lease', leaseMs],
  // Its work would soon be another worker's, too.
  ['that took half of its lease', leaseMs / 2],
] as const) {
  test(`after a claim ${what}, only items that this worker still holds are performed`, async () => {
    const { options, recorded, recordedCount } = memoryQueue({ a: numbers(3) });
    const clock = manualClock();
    const pump = startPump({
      ...options,
      clock,
      async claim(key, free) {
        const items = await options.claim(key, free);
        // As in a process that is suspended while the answer arrives.
        clock.advance(claimMs);
        return items;
      },
      async renew(_items, until) {
        assert.ok(until > clock.now());
        return [{ position: 0 }, { position: 2 }];
      },
    });
    await recordedCount(2);
    await pump.stop();
    assert.deepEqual(recorded, [0, 2]);
  });
}

/**
 * The lease calls of a pump while an item of `a` runs until one of `b` does. Each claim takes `claimMs`, and `b`
 * becomes due after another `restMs`.
 */
async function leaseStory({ claimMs, restMs }: { claimMs: number; restMs: number }): Promise<string[]> {
  const waiting = { a: numbers(1), b: [] as number[] };
  const { options, recordedCount } = memoryQueue(waiting);
  const clock = manualClock();
  const begun = Promise.withResolvers<void>();
  const claimed = Promise.withResolvers<void>();
  const told: string[] = [];
  const pump = startPump({
    ...options,
    clock,
    due: async () => (await options.due()).map((lane) => ({ ...lane, dueAt: clock.now() })),
    async renew(items, until) {
      told.push(`renews ${items} until ${until.getTime() - clock.now().getTime()}`);
      return allOf(items);
    },
    async claim(key, free) {
      told.push(`claims ${key}`);
      clock.advance(claimMs);
      return options.claim(key, free);
    },
    async perform(item) {
      begun.resolve();
      if (item === 0) await claimed.promise;
      else claimed.resolve();
      return item;
    },
  });
  await begun.promise;
  clock.advance(restMs);
  waiting.b.push(1);
  pump.wake();
  await recordedCount(2);
  await pump.stop();
  return told;
}

test('leases that lapsed during the work are renewed before the next claim', async () => {
  const told = await leaseStory({ claimMs: 0, restMs: leaseMs });
  assert.deepEqual(told, ['claims a', `renews 0 until ${leaseMs}`, 'claims b']);
});

test('after a long outage of the database other workers may renew their leases before the next claim', async () => {
  const { options, recordedCount } = memoryQueue({ a: numbers(1) });
  const leaseMs = 100;
  const graceMs = 0.3 * leaseMs;
  const begun = performance.now();
  let backAt = 0;
  let claimedAt = 0;
  const pump = startPump({
    ...options,
    leaseMs,
    due() {
      if (performance.now() - begun < graceMs) throw new Error('away');
      backAt ||= performance.now();
      return options.due();
    },
    claim(key, free) {
      claimedAt ||= performance.now();
      return options.claim(key, free);
    },
  });
  await recordedCount(1);
  await pump.stop();
  assert.ok(claimedAt - backAt >= graceMs, `claimed after ${claimedAt - backAt} ms`);
});

test('a lease is counted from before its claim', async () => {
  const told = await leaseStory({ claimMs: leaseMs / 2 - 1, restMs: leaseMs / 2 + 1 });
  assert.deepEqual(told, ['claims a', `renews 0 until ${leaseMs}`, 'claims b']);
});

test('after a failed look and a short outage, claims continue at once', async () => {
  const { options, recordedCount } = memoryQueue({ a: numbers(1) });
  let hasFailed = false;
  const pump = startPump({
    ...options,
    due() {
      if (!hasFailed) {
        hasFailed = true;
        throw new Error('away');
      }
      return options.due();
    },
  });
  await inTime(recordedCount(1), 0.3 * leaseMs);
  await pump.stop();
});

test('a lane is not emptied further during an outage of the database, but afterwards', async () => {
  const { options, recordedCount } = memoryQueue({ a: numbers(40) });
  const finish: (() => void)[] = [];
  const begun = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  let isAway = false;
  let claims = 0;
  const pump = startPump({
    ...options,
    due() {
      if (!isAway) return options.due();
      failed.resolve();
      throw new Error('away');
    },
    claim(key, free) {
      claims += 1;
      return options.claim(key, free);
    },
    perform: (item) =>
      item < 4
        ? new Promise((resolve) => {
            finish.push(() => resolve(item));
            if (finish.length === 4) begun.resolve();
          })
        : Promise.resolve(item),
  });
  await begun.promise;
  isAway = true;
  pump.wake();
  await failed.promise;
  for (const end of finish) end();
  await recordedCount(4);
  for (let turns = 0; turns < 50; turns += 1) await turn();
  assert.equal(claims, 2);
  isAway = false;
  await recordedCount(40);
  await pump.stop();
});

test('items of a claim that runs during the stop are performed and recorded, and nothing after them', async () => {
  const { options, recorded } = memoryQueue({ a: numbers(20) });
  const claiming = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let claims = 0;
  const pump = startPump({
    ...options,
    claim: async (key, free) => {
      claims += 1;
      claiming.resolve();
      await goOn.promise;
      return options.claim(key, free);
    },
  });
  await claiming.promise;
  let isStopped = false;
  const stopped = pump.stop().then(() => {
    isStopped = true;
  });
  await turn();
  assert.equal(isStopped, false);
  goOn.resolve();
  await stopped;
  assert.deepEqual(recorded, [0, 1]);
  assert.equal(claims, 1);
});

test('nothing is claimed while too many results are unwritten, and everything is claimed afterwards', async () => {
  const items: Record<string, number[]> = {};
  const { options, recorded, recordedCount } = memoryQueue(items);
  const away = Promise.withResolvers<void>();
  const inLane = 300;
  let claimed = 0;
  let looks = 0;
  const pump = startPump({
    ...options,
    places: () => ({ least: inLane, most: inLane }),
    mostAtOnce: 20 * inLane,
    due() {
      looks += 1;
      return options.due();
    },
    async claim(key, free) {
      const some = await options.claim(key, free);
      claimed += some.length;
      return some;
    },
    async record(results) {
      await away.promise;
      await options.record(results);
    },
  });
  const add = async (key: string): Promise<void> => {
    const before = looks;
    items[key] = numbers(inLane);
    pump.wake();
    while (looks === before) await turn();
    // Free places are claimed in the same turn: these turns give it every chance to.
    for (let turns = 0; turns < 50; turns += 1) await turn();
  };
  // 1024 may be unwritten: the second half of the fourth lane waits.
  for (const key of ['a', 'b', 'c', 'd']) await add(key);
  assert.equal(claimed, 3.5 * inLane);
  await add('e');
  assert.equal(claimed, 3.5 * inLane);
  away.resolve();
  await recordedCount(5 * inLane);
  await pump.stop();
  assert.equal(recorded.length, 5 * inLane);
});

test('work gets a deadline when it begins, and work that begins at once shares a timer', async (t) => {
  const timeouts = heldTimeouts(t);
  const time = heldTime(t);
  const { options, recordedCount } = memoryQueue({ a: numbers(6) });
  const deadlines: AbortSignal[] = [];
  const begun = [4, 6].map((count) => ({ count, ...Promise.withResolvers<void>() }));
  const pump = startPump({
    ...options,
    perform: (item, deadline) => {
      deadlines.push(deadline);
      for (const { count, resolve } of begun) if (deadlines.length === count) resolve();
      return new Promise((resolve) => deadline.addEventListener('abort', () => resolve(item)));
    },
  });
  await begun[0]?.promise;
  assert.deepEqual(timeouts.asked, [15_000]);
  time.advance(100);
  timeouts.end();
  await begun[1]?.promise;
  assert.deepEqual(timeouts.asked, [15_000, 15_000]);
  assert.ok(deadlines.slice(4).every(({ aborted }) => !aborted));
  timeouts.end();
  await recordedCount(6);
  await pump.stop();
});

test('lanes whose work hangs leave places to each later lane', async () => {
  const items: Record<string, number[]> = { a: numbers(100) };
  const { options } = memoryQueue(items);
  const hung: (() => void)[] = [];
  const begun: Record<string, number> = {};
  const pump = startPump<{ key: string; item: number }, number>({
    ...options,
    renew: async (items) => allOf(items),
    places: () => ({ least: 100, most: 100 }),
    mostAtOnce: 20,
    claim: async (key, free) => (await options.claim(key, free)).map((item) => ({ key, item })),
    perform: ({ key, item }) => {
      begun[key] = (begun[key] ?? 0) + 1;
      return new Promise((resolve) => hung.push(() => resolve(item)));
    },
  });
  for (const [key, share] of [
    ['a', 10],
    ['b', 5],
    ['c', 2],
    ['d', 1],
  ] as const) {
    items[key] ??= numbers(100);
    pump.wake();
    while (begun[key] !== share) await turn();
  }
  for (let turns = 0; turns < 50; turns += 1) await turn();
  assert.deepEqual(begun, { a: 10, b: 5, c: 2, d: 1 });
  const stopped = pump.stop();
  for (const release of hung) release();
  await stopped;
});

test('however many lanes of an owner hang, another owner finds places', async () => {
  const own = Object.fromEntries(numbers(30).map((lane) => [`own ${lane}`, numbers(100)]));
  const items: Record<string, number[]> = { ...own };
  const { options } = memoryQueue(items);
  const hung: (() => void)[] = [];
  let begun = 0;
  let hasOtherBegun = false;
  const pump = startPump<{ key: string; item: number }, number>({
    ...options,
    due: async () => (await options.due()).map((lane) => ({ ...lane, owner: lane.key.replace(/ .*/, '') })),
    renew: async (items) => allOf(items),
    mostAtOnce: 20,
    claim: async (key, free) => (await options.claim(key, free)).map((item) => ({ key, item })),
    perform: ({ key, item }) => {
      begun += 1;
      hasOtherBegun ||= key === 'other';
      return new Promise((resolve) => hung.push(() => resolve(item)));
    },
  });
  while (begun < 10) await turn();
  for (let turns = 0; turns < 50; turns += 1) await turn();
  assert.equal(begun, 10);
  items.other = [0];
  pump.wake();
  while (!hasOtherBegun) await turn();
  const stopped = pump.stop();
  for (const release of hung) release();
  await stopped;
});

test('a lane whose claims fail rests for a while, longer each time, and then works', async (t) => {
  const time = heldTime(t);
  const { options, recordedCount } = memoryQueue({ a: numbers(4) });
  let looks = 0;
  let refused = 0;
  const pump = startPump({
    ...options,
    due: () => {
      looks += 1;
      return options.due();
    },
    claim: async (key, free) => {
      if (refused === 2) return options.claim(key, free);
      refused += 1;
      throw new Error('broken');
    },
  });
  const look = async (): Promise<void> => {
    const before = looks;
    pump.wake();
    while (looks < before + 2) {
      pump.wake();
      await turn();
    }
  };
  for (const [afterMs, expected] of [
    [0, 1],
    [199, 1],
    [101, 2],
    [301, 2],
  ] as const) {
    time.advance(afterMs);
    await look();
    assert.equal(refused, expected, `after ${afterMs} ms more`);
  }
  time.advance(300);
  await look();
  await recordedCount(4);
  await pump.stop();
});
