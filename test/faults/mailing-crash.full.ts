import { test } from 'node:test';
import { mailThroughCrashes } from './mailing-crash.ts';

test('mailings of a program killed during reading, planning and sending reach every client once', async (t) => {
  const figures = await mailThroughCrashes(t, {
    recipients: 150,
    padding: 15_000,
    kills: ['reading', 'planning', 'sending'],
    lapse: true,
  });
  t.diagnostic(JSON.stringify(figures));
});
