import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { batched } from './batch.ts';

/** Long enough for an ended flush to notify its callers and for the next one to start. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

/** A run whose flushes end when the test says so. */
function held() {
  const flushes: { items: number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const run = (items: number[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      flushes.push({ items, end: () => resolve(items.map(String)), fail: reject });
    });
  const itemsOfEach = () => flushes.map(({ items }) => items);
  return { flushes, run, itemsOfEach };
}

test('a single call is flushed in the same turn of the event loop', async () => {
  const { flushes, run } = held();
  const call = batched(run, { max: 10 })(1);
  assert.equal(flushes.length, 0);
  await nextTurn();
  assert.equal(flushes.length, 1);
  flushes[0]?.end();
  assert.equal(await call, '1');
});

test('calls of one turn are joined, also from different callbacks', async () => {
  const { flushes, run, itemsOfEach } = held();
  const add = batched(run, { max: 10 });
  const calls = [add(1), Promise.resolve().then(() => add(2))];
  process.nextTick(() => calls.push(add(3)));
  await nextTurn();
  assert.deepEqual(itemsOfEach(), [[1, 2, 3]]);
  flushes[0]?.end();
  assert.deepEqual(await Promise.all(calls), ['1', '2', '3']);
});

test('calls that arrive during a flush are gathered for the next', async () => {
  const { flushes, run, itemsOfEach } = held();
  const add = batched(run, { max: 10 });
  const calls = [add(1)];
  await turns();
  calls.push(add(2), add(3));
  await turns();
  assert.deepEqual(itemsOfEach(), [[1]]);
  flushes[0]?.end();
  await turns();
  assert.deepEqual(itemsOfEach(), [[1], [2, 3]]);
  flushes[1]?.end();
  assert.deepEqual(await Promise.all(calls), ['1', '2', '3']);
});

test('no flush is larger than the maximum, and the allowed number of flushes runs at once', async () => {
  const { flushes, run, itemsOfEach } = held();
  const add = batched(run, { max: 2, concurrency: 2 });
  const calls = [1, 2, 3, 4, 5, 6, 7].map(add);
  await turns();
  assert.deepEqual(itemsOfEach(), [
    [1, 2],
    [3, 4],
  ]);
  flushes[1]?.end();
  await turns();
  assert.deepEqual(itemsOfEach(), [
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  flushes[0]?.end();
  flushes[2]?.end();
  await turns();
  flushes[3]?.end();
  assert.deepEqual(await Promise.all(calls), ['1', '2', '3', '4', '5', '6', '7']);
});

test('a failed flush rejects its own calls and no others', async () => {
  const { flushes, run } = held();
  const add = batched(run, { max: 10 });
  const first = [add(1), add(2)];
  await turns();
  const second = add(3);
  flushes[0]?.fail(new Error('the database is gone'));
  for (const call of first) await assert.rejects(call, /the database is gone/);
  await turns();
  flushes[1]?.end();
  assert.equal(await second, '3');
});

test('a run that throws synchronously rejects its calls, and the next calls continue', async () => {
  let broken = true;
  const add = batched(
    (items: number[]) => {
      if (broken) throw new Error('broken');
      return Promise.resolve(items);
    },
    { max: 10 },
  );
  await assert.rejects(add(1), /broken/);
  broken = false;
  assert.equal(await add(2), 2);
});

test('a run with too few or too many results rejects the calls instead of mixing them up', async () => {
  for (const results of [[], ['a'], ['a', 'b', 'c']]) {
    const add = batched(() => Promise.resolve(results), { max: 10 });
    const calls = await Promise.allSettled([add(1), add(2)]);
    assert.deepEqual(
      calls.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
  }
});

test('a failure that affects everyone rejects the waiting calls too, and later ones are tried again', async () => {
  const { flushes, run, itemsOfEach } = held();
  const add = batched(run, { max: 1, failsAll: (error) => error instanceof RangeError });
  const calls = [add(1), add(2), add(3)];
  await nextTurn();
  flushes[0]?.fail(new RangeError('away'));
  for (const call of calls) await assert.rejects(call, RangeError);
  const later = add(4);
  await turns();
  flushes[1]?.end();
  assert.equal(await later, '4');
  assert.deepEqual(itemsOfEach(), [[1], [4]]);
});

test('a failure that affects everyone leaves no calls for a flush that was about to start', async () => {
  const { flushes, run, itemsOfEach } = held();
  const add = batched(run, { max: 1, concurrency: 2, failsAll: () => true });
  const first = add(1);
  await nextTurn();
  flushes[0]?.fail(new Error('away'));
  const second = add(2);
  await assert.rejects(first);
  await assert.rejects(second);
  await turns();
  assert.deepEqual(itemsOfEach(), [[1]]);
});

test('items with one key are never in one flush, and keep their order', async () => {
  const { flushes, run, itemsOfEach } = held();
  const add = batched(run, { max: 2, keyOf: (item) => String(item % 10) });
  const calls = [11, 21, 12, 31, 22, 13].map(add);
  for (let flush = 0; flush < 3; flush += 1) {
    await turns();
    flushes[flush]?.end();
  }
  assert.deepEqual(await Promise.all(calls), ['11', '21', '12', '31', '22', '13']);
  assert.deepEqual(itemsOfEach(), [
    [11, 12],
    [21, 22],
    [31, 13],
  ]);
});

test('one refused item prevents no other: each is tried alone', async () => {
  const flushes: number[][] = [];
  const add = batched(
    async (items: number[]) => {
      flushes.push(items);
      if (items.includes(2)) throw new Error('2 is refused');
      return items.map(String);
    },
    { max: 10, retriesAlone: true },
  );
  const calls = await Promise.allSettled([add(1), add(2), add(3)]);
  assert.deepEqual(
    calls.map((call) => (call.status === 'fulfilled' ? call.value : call.reason.message)),
    ['1', '2 is refused', '3'],
  );
  assert.deepEqual(flushes, [[1, 2, 3], [1], [2], [3]]);
});

test('a failure that affects everyone is not tried alone', async () => {
  const { flushes, run, itemsOfEach } = held();
  const add = batched(run, { max: 10, retriesAlone: true, failsAll: () => true });
  const calls = [add(1), add(2)];
  await nextTurn();
  flushes[0]?.fail(new Error('away'));
  for (const call of calls) await assert.rejects(call, /away/);
  assert.deepEqual(itemsOfEach(), [[1, 2]]);
});

test('for any calls and timing, each item is run once, in order within its flush, and gets its own result', async () => {
  const step = fc.oneof(fc.constant('turn'), fc.constant('microtask'), fc.constant('call'));
  const limits = fc.record({
    max: fc.integer({ min: 1, max: 5 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      limits,
      fc.func(fc.nat(3)),
      fc.func(fc.boolean()),
      check,
    ),
  );

  async function check(
    steps: string[],
    { max, concurrency }: { max: number; concurrency: number },
    turnsOf: (flush: number) => number,
    fails: (flush: number) => boolean,
  ): Promise<void> {
    const flushes: number[][] = [];
    let underWay = 0;
    const add = batched(
      async (items: number[]) => {
        const flush = flushes.push(items);
        underWay += 1;
        assert.ok(underWay <= concurrency && items.length > 0 && items.length <= max);
        for (let turn = turnsOf(flush); turn > 0; turn -= 1) await nextTurn();
        underWay -= 1;
        if (fails(flush)) throw new Error(`flush ${flush}`);
        return items.map((item) => `result ${item}`);
      },
      { max, concurrency },
    );

    const calls: Promise<string | Error>[] = [];
    for (const what of steps) {
      if (what === 'call') calls.push(add(calls.length).catch((error) => error));
      else if (what === 'turn') await nextTurn();
      else await null;
    }
    const results = await Promise.all(calls);

    assert.deepEqual(flushes.flat(), [...calls.keys()], 'each once, in order of arrival');
    for (const [item, result] of results.entries()) {
      const flush = flushes.findIndex((items) => items.includes(item)) + 1;
      assert.deepEqual(result, fails(flush) ? new Error(`flush ${flush}`) : `result ${item}`);
    }
  }
});
