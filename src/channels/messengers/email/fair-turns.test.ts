import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFairTurns } from './fair-turns.ts';

const { signal } = new AbortController();

/** Work that a test ends, and who has begun. */
function scene(most: number) {
  let time = 0;
  const turns = createFairTurns(most, () => time);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, until: AbortSignal = signal) =>
    turns(name, until, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string, ms: number) => {
    await nextTurn();
    time += ms;
    ends.get(name)?.();
    await nextTurn();
  };
  return { ask, end, begun };
}

test('no more work at the same time than is allowed', async () => {
  const { ask, end, begun } = scene(3);
  const all = ['a', 'b', 'c'].map((name) => ask(name));
  await nextTurn();
  assert.deepEqual(begun, ['a', 'b']);
  await end('a', 1);
  assert.deepEqual(begun, ['a', 'b', 'c']);
  await end('b', 1);
  await end('c', 1);
  await Promise.all(all);
});

test('a slow one waits for those who are quick, or new', async () => {
  const { ask, end, begun } = scene(1);
  void ask('slow');
  void ask('quick');
  await end('slow', 20_000);
  void ask('slow');
  void ask('other');
  await end('quick', 1);
  await end('other', 1);
  assert.deepEqual(begun, ['slow', 'quick', 'other', 'slow']);
});

test('one who is known to be quick does not wait for new ones, whatever they turn out to be', async () => {
  const { ask, end, begun } = scene(2);
  void ask('quick');
  await end('quick', 1);
  void ask('new');
  void ask('newer');
  void ask('quick');
  await end('quick', 1);
  assert.deepEqual(begun, ['quick', 'new', 'quick']);
  await end('new', 80_000);
  assert.deepEqual(begun, ['quick', 'new', 'quick', 'newer']);
});

test('who was quick is known after a pause', async () => {
  const { ask, end, begun } = scene(2);
  void ask('quick');
  await end('quick', 1);
  void ask('slow');
  await end('slow', 20_000);
  for (const name of ['slow', 'new', 'quick']) void ask(name);
  await nextTurn();
  assert.deepEqual(begun, ['quick', 'slow', 'slow', 'quick']);
  await end('slow', 20_000);
  assert.deepEqual(begun.at(-1), 'new');
});

test('quick work makes a slow one quick only after twenty times as long', async () => {
  const { ask, end, begun } = scene(2);
  const work = async (ms: number) => {
    void ask('sly');
    await end('sly', ms);
  };
  await work(20_000);
  for (let count = 0; count < 9; count += 1) await work(10);
  void ask('new');
  void ask('sly');
  await nextTurn();
  assert.equal(begun.at(-1), 'new');
  await end('new', 400_000);
  await end('sly', 10);
  void ask('newer');
  void ask('sly');
  await nextTurn();
  assert.deepEqual(begun.slice(-2), ['newer', 'sly']);
});

test('work that fails, or that nobody waits for any more, holds up nobody', async () => {
  const { ask, end, begun } = scene(1);
  const gone = new AbortController();
  void ask('first');
  const given = assert.rejects(ask('gone', gone.signal));
  void ask('last');
  gone.abort();
  await given;
  await end('first', 1);
  assert.deepEqual(begun, ['first', 'last']);

  const turns = createFairTurns(1);
  await assert.rejects(turns('a', signal, () => Promise.reject(new Error('failed'))));
  assert.equal(await turns('b', signal, async () => 'done'), 'done');
});
