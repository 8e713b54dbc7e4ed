import { test } from 'node:test';
import { talkThroughCrashes } from './scenario-crash.ts';

test('200 clients talk with a scenario through twenty kills: every one is told everything, and heard', async (t) => {
  t.diagnostic(JSON.stringify(await talkThroughCrashes(t, { chats: 200, crashes: 20, lapse: true })));
});

test('the same when claims end in their time', async (t) => {
  t.diagnostic(JSON.stringify(await talkThroughCrashes(t, { chats: 200, crashes: 3, lapse: false })));
});
