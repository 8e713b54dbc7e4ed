import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterMs } from './retry-after.ts';

const now = new Date('2026-11-20T05:00:00Z');

test('a number of seconds is read, whole or fractional', () => {
  assert.equal(retryAfterMs('0', now), 0);
  assert.equal(retryAfterMs(' 30 ', now), 30_000);
  assert.equal(retryAfterMs('0.5', now), 500);
});

test('a date is the time until then, and zero when it has passed', () => {
  assert.equal(retryAfterMs('Fri, 20 Nov 2026 05:01:30 GMT', now), 90_000);
  assert.equal(retryAfterMs('Fri, 20 Nov 2026 04:00:00 GMT', now), 0);
});

test('an unreadable header gives null', () => {
  for (const header of [undefined, '', '-1', '1e9', 'soon', '99999999999', '2026-11-20', 'Never GMT']) {
    assert.equal(retryAfterMs(header, now), null, String(header));
  }
});
