import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelAroundLaunch } from './cancel.ts';

test('a cancel that races the launch either stops the message or comes too late, never both', async (t) => {
  const figures = await cancelAroundLaunch(t, 50);
  t.diagnostic(JSON.stringify(figures));
  assert.equal(figures.cancelled + figures.sent, 50);
});
