import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzApi } from './fuzz-api.ts';

test('every answer to what the description allows, or nearly allows, is one that it describes', async (t) => {
  const statuses = await fuzzApi(t, 500);
  // It is of no use when all of it is refused at the door.
  const served = Object.values(statuses).map(
    ({ 200: shown = 0, 201: made = 0, 204: done = 0 }) => shown + made + done,
  );
  assert.ok(served.reduce((sum, count) => sum + count) > 100, JSON.stringify(statuses));
});
