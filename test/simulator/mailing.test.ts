import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailCrowd } from './mail-crowd.ts';

test('a mailing to 300 simulated people ends with the statistics that they caused', async (t) => {
  const { counted, caused } = await mailCrowd(t, 300);
  assert.deepEqual(counted, caused);
});
