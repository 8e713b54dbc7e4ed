import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exponentialDelay, retryDelay, WEBHOOK_RETRIES } from './backoff.ts';

const middle = () => 0.5;
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('webhooks are retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then no more', () => {
  const seconds = Array.from({ length: 10 }, (_, index) =>
    retryDelay(index + 1, WEBHOOK_RETRIES, middle),
  ).map((ms) => ms && ms / 1000);
  assert.deepEqual(seconds, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
});

test('each delay is spread by a fifth to either side', () => {
  assert.equal(
    retryDelay(1, [1000], () => 0),
    800,
  );
  assert.equal(
    retryDelay(1, [1000], () => 1 - Number.EPSILON),
    1200,
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fraction, (attempt, random) => {
      const planned = WEBHOOK_RETRIES[attempt - 1] ?? 0;
      const delay = retryDelay(attempt, WEBHOOK_RETRIES, () => random) ?? 0;
      assert.ok(Number.isInteger(delay) && delay >= planned * 0.8 && delay <= planned * 1.2);
    }),
  );
});

test('a delay that doubles stops at its limit, however many attempts there were', () => {
  const delays = [1, 2, 3, 4, 5, 5000].map((attempt) => exponentialDelay(attempt, 1000, 10_000, middle));
  assert.deepEqual(delays, [1000, 2000, 4000, 8000, 10_000, 10_000]);
});

test('a delay that doubles is spread by a fifth to either side', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), fraction, (attempt, random) => {
      const planned = exponentialDelay(attempt, 1000, 60_000, middle);
      const delay = exponentialDelay(attempt, 1000, 60_000, () => random);
      assert.ok(Number.isInteger(delay) && delay >= planned * 0.8 && delay <= planned * 1.2);
    }),
  );
});
