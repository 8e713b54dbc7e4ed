import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendThroughCrashes } from './crash.ts';
import { deliverThroughCrashes } from './webhook-crash.ts';

test('a program killed during sending loses nothing, and repeats only messages in flight', async (t) => {
  const figures = await sendThroughCrashes(t, { messages: 60, crashes: 1, signal: 'SIGKILL', lapse: true });
  t.diagnostic(JSON.stringify(figures));
});

test('a program stopped during sending loses nothing and repeats nothing', async (t) => {
  const figures = await sendThroughCrashes(t, { messages: 60, crashes: 1, signal: 'SIGTERM', lapse: false });
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual([figures.inFlight, figures.repeats], [0, 0]);
});

test('a program killed during webhook delivery loses none, and keeps the order of each chat', async (t) => {
  const figures = await deliverThroughCrashes(t, {
    messages: 60,
    crashes: 1,
    signal: 'SIGKILL',
    lapse: true,
  });
  t.diagnostic(JSON.stringify(figures));
});
