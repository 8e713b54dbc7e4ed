import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { answerWith, holdAnswers } from '../../../test/stand-ins/messenger.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { context } = patchbay;

/** A client, and an operator who writes to them. */
async function conversation() {
  const partner = await createPartner({ after }, patchbay);
  const { messenger } = partner;
  const { chat } = await partner.client('ann');
  const { connector } = openShop(patchbay, partner);
  return {
    messenger,
    write: async (text: string) => {
      const { status } = await connector(chat, { event: 'message_created', message: { type: 'text', text } });
      assert.equal(status, 200);
    },
    heard: async (count: number): Promise<string[]> =>
      (await messenger.received(count)).map(({ body }) => body.payload.message.text),
  };
}

/** Resolves when the result of every call is recorded. */
async function callsEnd(): Promise<void> {
  while ((await context.sql`select from messages where lease is not null`).length > 0);
}

const later = (ms: number): void => {
  clock.advance(ms);
  context.wake.wake('sending');
};

test('an operator’s message waits for the one before, which a slow messenger has not taken yet', async () => {
  const { messenger, write, heard } = await conversation();
  const answers = holdAnswers(messenger);
  await write('The contract');
  await answers.waits();
  await write('Sign page 2');
  const other = await conversation();
  await other.write('Meanwhile');
  await other.heard(1);
  assert.deepEqual(await heard(1), ['The contract']);
  await answers.release();
  assert.deepEqual(await heard(2), ['The contract', 'Sign page 2']);
  await answers.release();
});

test('it waits for the first two retries of the one before, and no longer', async () => {
  const { messenger, write, heard } = await conversation();
  messenger.behave((delivery, response) =>
    answerWith(delivery.body.payload.message.text === 'The contract' ? 503 : 200)(delivery, response),
  );
  for (const text of ['The contract', 'Sign page 2', 'Bye']) await write(text);
  for (const [count, seconds] of [
    [1, 0],
    [2, 6],
    [3, 24],
  ] as const) {
    later(seconds * 1000);
    assert.deepEqual(await heard(count), Array(count).fill('The contract'));
    await callsEnd();
  }
  assert.deepEqual((await heard(5)).slice(3), ['Sign page 2', 'Bye']);
});
