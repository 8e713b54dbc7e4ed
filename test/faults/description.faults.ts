import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzApi } from '../openapi/fuzz-api.ts';

test('the description covers every answer to 50,000 requests derived from it', async (t) => {
  const statuses = await fuzzApi(t, 50_000);
  const unserved = Object.entries(statuses).filter(
    ([, counts]) => !counts[200] && !counts[201] && !counts[204],
  );
  assert.deepEqual(unserved, []);
  t.diagnostic(JSON.stringify(statuses));
});
