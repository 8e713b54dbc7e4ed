import assert from 'node:assert/strict';
import { test } from 'node:test';
import { twoProcesses } from '../waiting.ts';
import { killOneOfTwo, pauseOneOfTwo } from './workers.ts';

/** The promised limit of a takeover. */
const longestTakeOverMs = 6_000;

test('the work of a killed worker continues within 6 s in the other', twoProcesses, async (t) => {
  const figures = await killOneOfTwo(t, { messages: 100, lapse: false });
  t.diagnostic(JSON.stringify(figures));
  assert.ok(figures.takenOverMs <= longestTakeOverMs);
});

test(
  'a worker that sleeps through the end of its claims writes nothing when it wakes',
  twoProcesses,
  async (t) => {
    t.diagnostic(JSON.stringify(await pauseOneOfTwo(t, { messages: 100, lapse: false })));
  },
);
