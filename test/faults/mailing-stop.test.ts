import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopAroundCompletion, stopInFlight } from './mailing-stop.ts';

test('after the answer to a stop, the provider gets only calls in flight', async (t) => {
  t.diagnostic(JSON.stringify(await stopInFlight(t, { recipients: 500, stopAfter: 100 })));
});

test('a stop that races the completion leaves the mailing stopped or completed, as it answers', async (t) => {
  const { stopped = 0, completed = 0 } = await stopAroundCompletion(t, 20);
  t.diagnostic(JSON.stringify({ stopped, completed }));
  assert.equal(stopped + completed, 20);
});
