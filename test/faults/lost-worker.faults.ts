import { test } from 'node:test';
import { serverToLose } from '../waiting.ts';
import { cutOff, loseWorker } from './lost-worker.ts';

test(
  'a worker that was cut off until it gave up its results calls nothing that it had claimed ahead',
  serverToLose,
  async (t) => {
    t.diagnostic(JSON.stringify(await loseWorker(t, cutOff)));
  },
);
