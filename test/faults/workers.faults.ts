import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabaseKind } from '../database.ts';
import { killOneOfTwo, pauseOneOfTwo } from './workers.ts';

const skip = testDatabaseKind === 'embedded' && 'one process has the embedded database';

/** Source: issue 8, "The engine". */
const longestTakeOverMs = 6_000;

test('the work of a killed worker goes on within 6 s in the other', { skip }, async (t) => {
  const figures = await killOneOfTwo(t, { messages: 100, lapse: false });
  t.diagnostic(JSON.stringify(figures));
  assert.ok(figures.takenOverMs <= longestTakeOverMs);
});

test('a worker that sleeps through the end of its claims writes nothing when it wakes', {
  skip,
}, async (t) => {
  t.diagnostic(JSON.stringify(await pauseOneOfTwo(t, { messages: 100, lapse: false })));
});
