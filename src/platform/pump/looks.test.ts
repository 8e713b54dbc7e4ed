import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startLooks } from './looks.ts';

/** Looks of this length, each followed by a wake at once. Returns the moments at which they began. */
async function looksOf(t: TestContext, lengthMs: number, untilMs: number): Promise<number[]> {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const began: number[] = [];
  const looks = startLooks({
    look: async () => {
      began.push(now);
      looks.soon();
      now += lengthMs;
    },
    onProblem: (error) => assert.fail(String(error)),
    onRound: () => {},
  });
  looks.begin();
  looks.soon();
  while (now < untilMs) {
    t.mock.timers.tick(10);
    now += 10;
    await new Promise(setImmediate);
  }
  looks.end();
  return began;
}

test('short looks follow each other as soon as a person would notice', async (t) => {
  const began = await looksOf(t, 5, 1_000);
  assert.ok(began.length >= 16, String(began));
});

test('long looks leave four fifths of the time to others', async (t) => {
  const began = await looksOf(t, 200, 10_000);
  for (const [index, moment] of began.entries()) {
    const before = began[index - 1];
    if (before !== undefined) assert.ok(moment - before >= 1_000, String(began));
  }
  assert.ok(began.length >= 8, String(began));
});

test('however long a look takes, the next one begins within the slow look’s time', async (t) => {
  const began = await looksOf(t, 60_000, 300_000);
  assert.ok(began.length >= 4, String(began));
});
