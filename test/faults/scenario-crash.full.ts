import { test } from 'node:test';
import { talkThroughCrashes } from './scenario-crash.ts';

test('a program that is killed while scenarios talk loses no answer, and repeats only what was under way', async (t) => {
  t.diagnostic(JSON.stringify(await talkThroughCrashes(t, { chats: 40, crashes: 2, lapse: true })));
});
