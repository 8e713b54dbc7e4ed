import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNight, secondsFor } from './prediction.ts';

const pace = { rate: 30, ceiling: 30, pauseSeconds: 0 };

test('a channel at its limit takes the time of its messages at this rate, after the requested pause', () => {
  assert.equal(secondsFor(3_000, pace), 100);
  assert.equal(secondsFor(3_000, { ...pace, pauseSeconds: 20 }), 120);
  assert.equal(secondsFor(0, { ...pace, pauseSeconds: -5 }), 0);
});

test('a slowed channel speeds up every second, as the claims of sending do, up to its limit', () => {
  let [rate, left, seconds] = [10, 3_000, 0];
  const step = 0.01;
  for (; left > 0; seconds += step) {
    left -= rate * step;
    rate = Math.min(30, rate * (1 + 0.02 * step));
  }
  const told = secondsFor(3_000, { rate: 10, ceiling: 30, pauseSeconds: 0 });
  assert.ok(Math.abs(told - seconds) < seconds * 0.02, `${told} for ${seconds}`);
  assert.ok(secondsFor(100, { rate: 10, ceiling: 30, pauseSeconds: 0 }) < 10);
});

test('the wait for a channel without a limit is finite', () => {
  assert.equal(secondsFor(10_000, { rate: null, ceiling: null, pauseSeconds: 0 }), 20);
});

test("the night is in the recipient's own time zone; an unknown zone has none", () => {
  const evening = new Date('2026-11-20T20:30:00Z');
  assert.deepEqual(
    ['Europe/London', 'Europe/Moscow', 'Asia/Vladivostok', 'Mars/Base'].map((zone) => isNight(zone, evening)),
    [false, true, true, false],
  );
});
