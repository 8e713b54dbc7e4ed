import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnceAfterFailure, nextAtOnce, searched } from '../chunk-size.ts';
import { figuresOf, inWords } from './progress.ts';

test('a chunk grows while it is fast, shrinks when it is slow, and is one at least', () => {
  assert.deepEqual([nextAtOnce(1_000, 50), nextAtOnce(5_000, 50)], [2_000, 5_000]);
  assert.equal(nextAtOnce(1_000, 200), 1_000);
  assert.deepEqual([nextAtOnce(1_000, 900), nextAtOnce(1, 900)], [500, 1]);
  const sizes = [5_000];
  while (sizes.at(-1) !== 1) sizes.push(atOnceAfterFailure(sizes.at(-1) ?? 1));
  assert.deepEqual(sizes, [5_000, 625, 78, 9, 1]);
});

test('a search of an audience makes shorter statements than the planning of a mailing', () => {
  const sizes = [10, 30, 90].map((tookMs) => nextAtOnce(1_000, tookMs, searched));
  assert.deepEqual(sizes, [2_000, 1_000, 500]);
});

test('a run’s figures exclude earlier runs, and predict its end', () => {
  const before = { planned: 100, sent: 90, undelivered: 10, cancelled: 0 };
  const begun = { before, measured_at: 0, measured_done: 0 };
  const counts = { planned: 1_100, sent: 280, undelivered: 20, cancelled: 0 };
  const first = figuresOf(begun, counts, new Date(2_000));
  assert.deepEqual([first.prepared, first.sent, first.rate, first.seconds_left], [1_000, 190, 100, 8]);
  const later = figuresOf({ ...begun, ...first }, { ...counts, sent: 480 }, new Date(3_000));
  assert.deepEqual([later.sent, later.rate, later.seconds_left], [390, 130, 5]);
  assert.equal(inWords(later), '1,000 prepared, 390 sent, 130 a second, about 5 seconds left');
  assert.equal(
    inWords({ prepared: 2, sent: 0, problems: 1_200 }),
    '2 prepared, 0 sent, 1,200 lines reached nobody',
  );
  assert.deepEqual(figuresOf({ ...begun, ...first }, counts, new Date(2_100)).measured_at, 2_000);
});
