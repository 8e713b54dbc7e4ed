import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { batched } from './batch.ts';
import { createTurns } from './turns.ts';

/** Long enough for an ended flush to notify its callers and for the next one to start. */
async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await nextTurn();
}

/** Batches that share turns, whose flushes end when the test says so. */
function sharing() {
  const turns = createTurns();
  const flushes: { name: string; items: number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const batch = (name: string) =>
    batched(
      (items: number[]) =>
        new Promise<number[]>((resolve, reject) => {
          flushes.push({ name, items, end: () => resolve(items), fail: reject });
        }),
      { max: 10, turns },
    );
  const begun = () => flushes.map(({ name, items }) => [name, items.length]);
  return { flushes, begun, batch };
}

test('of batches that share turns one flushes at a time, the fullest first', async () => {
  const { flushes, begun, batch } = sharing();
  const [first, small, full] = [batch('first'), batch('small'), batch('full')];
  const calls = [first(0)];
  await turnsOfTheLoop();
  calls.push(small(1), full(2), full(3), first(4));
  await turnsOfTheLoop();
  assert.deepEqual(begun(), [['first', 1]]);
  for (let ended = 0; ended < 4; ended += 1) {
    flushes[ended]?.end();
    await turnsOfTheLoop();
  }
  assert.deepEqual(begun(), [
    ['first', 1],
    ['full', 2],
    ['small', 1],
    ['first', 1],
  ]);
  assert.deepEqual(await Promise.all(calls), [0, 1, 2, 3, 4]);
});

test('a batch waits for two turns at most, however full the others are', async () => {
  const { flushes, begun, batch } = sharing();
  const [crowded, quiet, third] = [batch('crowded'), batch('quiet'), batch('third')];
  const calls: Promise<number>[] = [];
  const crowd = () => calls.push(...Array.from({ length: 5 }, (_, item) => crowded(item)));
  crowd();
  await turnsOfTheLoop();
  calls.push(quiet(1), third(2));
  for (let ended = 0; ended < 6; ended += 1) {
    crowd();
    flushes[ended]?.end();
    await turnsOfTheLoop();
  }
  const names = begun().map(([name]) => name);
  assert.deepEqual(names.slice(0, 6), ['crowded', 'crowded', 'crowded', 'quiet', 'third', 'crowded']);
  for (const { end } of flushes) end();
  await Promise.all(calls);
});

test('a failed flush ends its turn too', async () => {
  const { flushes, batch } = sharing();
  const refused = batch('refused')(1);
  await turnsOfTheLoop();
  const other = batch('other')(2);
  flushes[0]?.fail(new Error('refused'));
  await assert.rejects(refused, /refused/);
  await turnsOfTheLoop();
  flushes[1]?.end();
  assert.equal(await other, 2);
});

test('a slow flush does not block other batches, and its end gives no batch a second turn', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { flushes, begun, batch } = sharing();
  const [hanging, other, third] = [batch('hanging'), batch('other'), batch('third')];
  const calls = [hanging(1)];
  await turnsOfTheLoop();
  calls.push(other(2));
  t.mock.timers.tick(99);
  await turnsOfTheLoop();
  assert.deepEqual(begun(), [['hanging', 1]]);
  t.mock.timers.tick(1);
  await turnsOfTheLoop();
  const both = [
    ['hanging', 1],
    ['other', 1],
  ];
  assert.deepEqual(begun(), both);
  calls.push(third(3));
  flushes[0]?.end();
  await turnsOfTheLoop();
  assert.deepEqual(begun(), both);
  flushes[1]?.end();
  await turnsOfTheLoop();
  flushes[2]?.end();
  assert.deepEqual(await Promise.all(calls), [1, 2, 3]);
});
