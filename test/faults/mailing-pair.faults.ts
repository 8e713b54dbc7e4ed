import { test } from 'node:test';
import { twoProcesses } from '../waiting.ts';
import { mailByTwo } from './mailing-pair.ts';

test(
  'one of two planners is killed in the second of four runs: each run once, each recipient once a run',
  twoProcesses,
  async (t) => {
    t.diagnostic(JSON.stringify(await mailByTwo(t, { recipients: 3_000, runs: 4, lapse: false })));
  },
);
