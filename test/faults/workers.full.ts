import { test } from 'node:test';
import { twoProcesses } from '../waiting.ts';
import { killOneOfTwo, pauseOneOfTwo } from './workers.ts';

test(
  "a killed worker's messages are sent by the other worker, whose own are sent once",
  twoProcesses,
  async (t) => {
    t.diagnostic(JSON.stringify(await killOneOfTwo(t, { messages: 10, lapse: true })));
  },
);

test('a worker paused until its claims were taken over writes nothing any more', twoProcesses, async (t) => {
  t.diagnostic(JSON.stringify(await pauseOneOfTwo(t, { messages: 10, lapse: true })));
});
