import { test } from 'node:test';
import { testDatabaseKind } from '../database.ts';
import { mailByTwo } from './mailing-pair.ts';

const skip = testDatabaseKind === 'embedded' && 'one process has the embedded database';

test('one of two planners is killed in the second of four runs: each run once, each recipient once a run', {
  skip,
}, async (t) => {
  t.diagnostic(JSON.stringify(await mailByTwo(t, { recipients: 3_000, runs: 4, lapse: false })));
});
