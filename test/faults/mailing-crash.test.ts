import { test } from 'node:test';
import { mailThroughCrashes } from './mailing-crash.ts';

test('mailings of a program killed during planning reach every client once', async (t) => {
  const figures = await mailThroughCrashes(t, {
    recipients: 100,
    padding: 5_000,
    kills: ['planning'],
    lapse: true,
  });
  t.diagnostic(JSON.stringify(figures));
});
