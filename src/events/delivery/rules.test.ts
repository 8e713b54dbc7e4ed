import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSuccess, judge } from './rules.ts';

const middle = () => 0.5;
const failed = { status: 500, retryAfterMs: null };

test('only 2xx is success', () => {
  assert.deepEqual([200, 201, 204, 299].map(isSuccess), [true, true, true, true]);
  assert.deepEqual([null, 101, 199, 300, 301, 304, 400, 404, 410, 500].map(isSuccess), Array(10).fill(false));
});

test('retries follow the schedule, attempt by attempt', () => {
  const pauses = Array.from({ length: 10 }, (_, index) => judge(failed, index + 1, middle));
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];
  assert.deepEqual(pauses, [
    ...minutes.map((pause) => ({ state: 'PENDING', retryInMs: pause * 60_000 })),
    { state: 'FAILED' },
  ]);
});

test('Retry-After lengthens a pause, and shortens none', () => {
  const asked = (retryAfterMs: number, attempt: number) =>
    judge({ status: 429, retryAfterMs }, attempt, middle);
  assert.deepEqual(asked(60_000, 1), { state: 'PENDING', retryInMs: 60_000 });
  assert.deepEqual(asked(60_000, 2), { state: 'PENDING', retryInMs: 300_000 });
  assert.deepEqual(asked(Number.MAX_SAFE_INTEGER, 1), { state: 'PENDING', retryInMs: 86_400_000 });
  assert.deepEqual(asked(60_000, 10), { state: 'FAILED' });
});
