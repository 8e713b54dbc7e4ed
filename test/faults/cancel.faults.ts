import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelAroundLaunch } from './cancel.ts';

test('500 cancels race the launch: each message is stopped or sent once, and both happen', async (t) => {
  const figures = await cancelAroundLaunch(t, 500);
  t.diagnostic(JSON.stringify(figures));
  assert.equal(figures.cancelled + figures.sent, 500);
  assert.ok(figures.cancelled > 0 && figures.sent > 0);
});
