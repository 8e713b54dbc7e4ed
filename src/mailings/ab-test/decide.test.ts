import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviateFor, shareOf } from '../measure.ts';
import { leadersAt, sharesAt, variantFor } from './decide.ts';

/** Two-sided normal deviates of 5 % divided by the number of pairs: 1, 3, 6, 10 and 15. Source: R, `qnorm`. */
const published = [1.959964, 2.39398, 2.638257, 2.807034, 2.935199];

for (const [index, deviate] of published.entries()) {
  test(`the intervals of ${index + 2} variants are as wide as their comparisons demand`, () => {
    assert.ok(Math.abs(deviateFor(index + 2) - deviate) < 1e-6);
  });
}

const of = (sent: number, ...reacted: number[]) => reacted.map((count) => ({ sent, reacted: count }));

test('two variants have the intervals that two mailings have', () => {
  assert.deepEqual(sharesAt(of(1_000, 100, 200)), [shareOf(100, 1_000), shareOf(200, 1_000)]);
});

test('a difference that two variants show is none among six', () => {
  assert.deepEqual(leadersAt(of(1_000, 100, 160)), [2]);
  assert.deepEqual(leadersAt(of(1_000, 100, 160, 100, 100, 100, 100)), [1, 2, 3, 4, 5, 6]);
});

test('of six variants a clear winner is one', () => {
  assert.deepEqual(leadersAt(of(1_000, 100, 100, 300, 100, 100, 100)), [3]);
});

test('a winner gets the rest, and otherwise the rule that people set', () => {
  for (const otherwise of ['first', 'ask'] as const) assert.equal(variantFor([2], otherwise), 2);
  assert.equal(variantFor([1, 3], 'first'), 1);
  assert.equal(variantFor([2, 3], 'first'), 2);
  assert.equal(variantFor([2, 3], 'ask'), null);
  assert.equal(variantFor([], 'first'), 1);
  assert.equal(variantFor([], 'ask'), null);
});

test('a sample that reached nobody, or one variant only, has no winner', () => {
  assert.deepEqual(leadersAt(of(0, 0, 0)), []);
  const [one, none] = [
    { sent: 10, reacted: 1 },
    { sent: 0, reacted: 0 },
  ];
  assert.deepEqual(leadersAt([one, none]), [1, 2]);
});

test('where no variant is better, at most one test in twenty says otherwise', () => {
  // A linear congruential generator: the same draws on every machine.
  let seed = 7;
  const draw = () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return seed / 2 ** 32;
  };
  const reactions = () => Array.from({ length: 200 }, draw).filter((one) => one < 0.3).length;
  for (const variants of [2, 4, 6]) {
    const tests = Array.from({ length: 300 }, () =>
      leadersAt(of(200, ...Array.from({ length: variants }, reactions))),
    );
    const wrong = tests.filter((leaders) => leaders.length < variants).length;
    assert.ok(wrong <= 300 / 20, `${wrong} of 300 with ${variants}`);
  }
});
