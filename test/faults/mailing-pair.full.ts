import { test } from 'node:test';
import { twoProcesses } from '../waiting.ts';
import { mailByWrongClocks } from './mailing-clock.ts';
import { mailByTwo } from './mailing-pair.ts';

test(
  'two planners start each run once, and when one is killed the other ends it',
  twoProcesses,
  async (t) => {
    t.diagnostic(JSON.stringify(await mailByTwo(t, { recipients: 1_500, runs: 2, lapse: true })));
  },
);

test(
  'with clocks ten minutes off, a mailing starts at its time, and every client gets it once',
  twoProcesses,
  async (t) => {
    t.diagnostic(JSON.stringify(await mailByWrongClocks(t, 40)));
  },
);
