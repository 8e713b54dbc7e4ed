import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../database.ts';
import { createKept } from './exchanges.ts';
import { anySeed, judgeExchanges, loseAtEveryByte } from './wire.ts';

const database = await testDatabase({ after });
await createKept(database.sql);

test('100,000 exchanges over faulty connections: each gets its own rows or an error', async (t) => {
  const { wrong, ...figures } = await judgeExchanges(database, 100_000, anySeed());
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual(wrong, []);
});

test('a connection is cut at every byte: each statement gets its own rows or an error', async (t) => {
  const { wrong, times } = await loseAtEveryByte(database, 'cut', 1);
  t.diagnostic(`${times} cuts`);
  assert.deepEqual(wrong, []);
});

test('a server falls silent at any byte: each statement gets its own rows or an error', async (t) => {
  const { wrong, times } = await loseAtEveryByte(database, 'silence', 29);
  t.diagnostic(`${times} silences`);
  assert.deepEqual(wrong, []);
});
