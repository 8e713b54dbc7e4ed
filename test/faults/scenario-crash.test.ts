import { test } from 'node:test';
import { talkThroughCrashes } from './scenario-crash.ts';

test('a program killed during scenarios loses no answer, and repeats only messages in flight', async (t) => {
  t.diagnostic(JSON.stringify(await talkThroughCrashes(t, { chats: 10, crashes: 1, lapse: true })));
});
