import { test } from 'node:test';
import { talkThroughCrashes } from './scenario-crash.ts';

test('200 clients talk to a scenario through twenty kills: each gets every message, and every answer counts', async (t) => {
  t.diagnostic(JSON.stringify(await talkThroughCrashes(t, { chats: 200, crashes: 20, lapse: true })));
});

test('the same when claims end in their time', async (t) => {
  t.diagnostic(JSON.stringify(await talkThroughCrashes(t, { chats: 200, crashes: 3, lapse: false })));
});
