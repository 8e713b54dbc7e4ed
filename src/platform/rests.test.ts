import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRests } from './rests.ts';

/** Rests with a clock of their own. `use` is a statement that ends now. */
function restsAt() {
  let now = 0;
  const rests = createRests(() => now);
  return {
    ...rests,
    pass: (ms: number) => {
      now += ms;
    },
    use(owner: string, ms: number, othersWait = true) {
      const begun = now;
      now += ms;
      rests.note(owner, begun, () => othersWait);
    },
  };
}

test('after long use an owner rests for as long, and a second at most', () => {
  const { use, left, pass } = restsAt();
  use('a', 300);
  assert.equal(left('a'), 300);
  pass(299);
  assert.equal(left('a'), 1);
  pass(1);
  assert.equal(left('a'), 0);
  use('a', 5_000);
  assert.equal(left('a'), 1_000);
});

test('short use needs no rest, nor does use for which nobody waits, and the program itself has none', () => {
  const { use, left, hasRested } = restsAt();
  use('a', 5_000, false);
  use('a', 49);
  use('', 5_000);
  for (const owner of ['a', '']) assert.deepEqual([left(owner), hasRested(owner)], [0, false]);
});

test('an owner who has waited for another one’s use need not rest for it', () => {
  const { note, use, left } = restsAt();
  use('a', 300);
  note('b', 0, () => true);
  assert.equal(left('b'), 0);
});

test('a rest is remembered for a second', () => {
  const { use, hasRested, pass } = restsAt();
  use('a', 100);
  pass(1_099);
  assert.equal(hasRested('a'), true);
  pass(1);
  assert.equal(hasRested('a'), false);
});
