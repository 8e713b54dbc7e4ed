import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendThroughCrashes } from './crash.ts';
import { deliverThroughCrashes } from './webhook-crash.ts';

test('2,000 messages through ten kills: none lost, and only messages in flight repeated', async (t) => {
  const figures = await sendThroughCrashes(t, {
    messages: 2_000,
    crashes: 10,
    signal: 'SIGKILL',
    lapse: false,
  });
  t.diagnostic(JSON.stringify(figures));
});

test('2,000 messages through ten orderly stops: none lost, none repeated', async (t) => {
  const figures = await sendThroughCrashes(t, {
    messages: 2_000,
    crashes: 10,
    signal: 'SIGTERM',
    lapse: false,
  });
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual([figures.inFlight, figures.repeats], [0, 0]);
});

test('2,000 webhooks through ten kills: none lost, in order, and only calls in flight repeated', async (t) => {
  const figures = await deliverThroughCrashes(t, {
    messages: 2_000,
    crashes: 10,
    signal: 'SIGKILL',
    lapse: false,
  });
  t.diagnostic(JSON.stringify(figures));
});

test('2,000 webhooks through ten orderly stops: none lost, in order, none repeated', async (t) => {
  const figures = await deliverThroughCrashes(t, {
    messages: 2_000,
    crashes: 10,
    signal: 'SIGTERM',
    lapse: false,
  });
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual([figures.inFlight, figures.repeats], [0, 0]);
});
