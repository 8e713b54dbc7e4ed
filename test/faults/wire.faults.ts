import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../database.ts';
import { anySeed, judgeExchanges } from './wire.ts';

test('100,000 exchanges, whatever happens to their connections: each gets its own rows or an error', async (t) => {
  const { wrong, ...figures } = await judgeExchanges(await testDatabase(t), 100_000, anySeed());
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual(wrong, []);
});
