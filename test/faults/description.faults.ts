import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzApi } from '../openapi/fuzz-api.ts';

test('every answer to 50,000 requests made from the description is one that it describes', async (t) => {
  const statuses = await fuzzApi(t, 50_000);
  const unserved = Object.entries(statuses).filter(
    ([, counts]) => !counts[200] && !counts[201] && !counts[204],
  );
  assert.deepEqual(unserved, []);
  t.diagnostic(JSON.stringify(statuses));
});
