import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopAroundCompletion, stopInFlight, stopThroughCrash } from './mailing-stop.ts';

for (let time = 1; time <= 5; time += 1) {
  test(`a stop in the middle of 5,000: no call begins after the answer (${time})`, async (t) => {
    const stopAfter = Math.ceil(Math.random() * 3_000);
    t.diagnostic(JSON.stringify(await stopInFlight(t, { recipients: 5_000, stopAfter })));
  });
}

test('a program is killed after it has answered a stop: the next one sends nothing', async (t) => {
  t.diagnostic(JSON.stringify(await stopThroughCrash(t, { recipients: 5_000, stopAfter: 1_000 })));
});

test('100 stops race the completion: each mailing has exactly one of the two ends', async (t) => {
  const { stopped = 0, completed = 0 } = await stopAroundCompletion(t, 100);
  t.diagnostic(JSON.stringify({ stopped, completed }));
  assert.equal(stopped + completed, 100);
  assert.ok(stopped > 0 && completed > 0);
});
