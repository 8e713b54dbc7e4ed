import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailCrowd } from './mail-crowd.ts';

test('a mailing to 10,000 simulated people ends with the statistics that they caused', async (t) => {
  const { counted, caused } = await mailCrowd(t, 10_000);
  assert.deepEqual(counted, caused);
});
