import { test } from 'node:test';
import { serverToLose } from '../waiting.ts';
import { loseWorker, stopped } from './lost-worker.ts';

test(
  'a worker that was stopped for longer than its leases calls nothing that it had claimed ahead',
  serverToLose,
  async (t) => {
    t.diagnostic(JSON.stringify(await loseWorker(t, stopped)));
  },
);
