import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { gatherResults } from './results.ts';

/** Results of numbers, of which `soon.are` more are expected. A batch with 13 is refused. */
function gathered() {
  const soon = { are: 0 };
  const recorded: number[][] = [];
  let written = Promise.withResolvers<void>();
  const results = gatherResults<number>({
    name: 'test',
    log: pino({ level: 'silent' }),
    async record(batch) {
      if (batch.includes(13)) throw new Error('refused');
      recorded.push(batch);
      await written.promise;
    },
    isUnavailable: () => false,
    isStopping: () => false,
    patienceMs: 1_000,
    expected: () => soon.are,
  });
  const write = (): void => {
    written.resolve();
    written = Promise.withResolvers();
  };
  return { soon, recorded, results, write };
}

test('half of the results are written at once, while the other half is expected', async () => {
  const { soon, recorded, results, write } = gathered();
  soon.are = 2;
  const first = results.add(1);
  assert.deepEqual(recorded, []);
  const second = results.add(2);
  assert.deepEqual(recorded, [[1, 2]]);
  soon.are = 0;
  const third = results.add(3);
  assert.deepEqual([recorded.length, results.unwritten()], [1, 3], 'one batch at a time');
  write();
  await Promise.all([first, second]);
  assert.deepEqual(recorded, [[1, 2], [3]]);
  write();
  await third;
  assert.equal(results.unwritten(), 0);
});

test('the only result is written at once', () => {
  const { recorded, results } = gathered();
  results.add(1);
  assert.deepEqual(recorded, [[1]]);
});

test('few results of much work are gathered for a moment', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { soon, recorded, results } = gathered();
  soon.are = 100;
  for (const result of [1, 2, 3]) results.add(result);
  t.mock.timers.tick(9);
  assert.deepEqual(recorded, []);
  t.mock.timers.tick(1);
  assert.deepEqual(recorded, [[1, 2, 3]]);
});

for (const together of [2, 3, 40]) {
  test(`of ${together} results that are written together, only the refused one is lost`, async () => {
    const { soon, recorded, results, write } = gathered();
    soon.are = together;
    const batch = Array.from({ length: together }, (_, index) => 13 - index);
    const written = Promise.all(batch.map((result) => results.add(result)));
    while (recorded.flat().length < together - 1) await new Promise(setImmediate);
    write();
    await written;
    assert.deepEqual(
      recorded.flat().toSorted((a, b) => b - a),
      batch.filter((result) => result !== 13),
    );
  });
}
