import { test } from 'node:test';
import { twoProcesses } from '../waiting.ts';
import { mailByTwo } from './mailing-pair.ts';

test(
  'two planners start each run once, and when one is killed the other ends it',
  twoProcesses,
  async (t) => {
    t.diagnostic(JSON.stringify(await mailByTwo(t, { recipients: 500, runs: 2, lapse: true })));
  },
);
