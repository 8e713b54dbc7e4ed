import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { Refused } from '../platform/problem.ts';
import { listenAt } from '../simulator/listening.ts';
import { openSimulator } from './run-simulator.ts';

test('a simulator whose port is taken names its option', async (t) => {
  const taken = createServer();
  t.after(() => taken.close());
  const port = await listenAt(taken, 0);
  await assert.rejects(
    openSimulator(port, null),
    (error) =>
      error instanceof Refused && error.message.includes(`:${port}`) && /--port\b/.test(error.message),
  );
});
