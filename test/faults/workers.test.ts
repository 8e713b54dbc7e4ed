import { test } from 'node:test';
import { testDatabaseKind } from '../database.ts';
import { killOneOfTwo, pauseOneOfTwo } from './workers.ts';

const skip = testDatabaseKind === 'embedded' && 'one process has the embedded database';

test("a killed worker's messages are sent by the other worker, whose own are sent once", {
  skip,
}, async (t) => {
  t.diagnostic(JSON.stringify(await killOneOfTwo(t, { messages: 10, lapse: true })));
});

test('a worker that was paused until its claims were taken over writes nothing any more', {
  skip,
}, async (t) => {
  t.diagnostic(JSON.stringify(await pauseOneOfTwo(t, { messages: 10, lapse: true })));
});
