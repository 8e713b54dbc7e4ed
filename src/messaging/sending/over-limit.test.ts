import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { seedChannel, seedChat, seedProfile } from '../../../test/seed.ts';
import { addChannel } from '../../channels/connected/channels.ts';
import { overLimit } from '../../channels/contract/limits.ts';
import { adapterFor } from '../../channels/registry.ts';

/** Source: docs/contract.md, section 3, "Over the messenger's limit": never cut, never split. */

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;
const { sql } = context;
const { projectId, key, token } = await createPartner({ after }, patchbay);
const { headers } = await signIn(context, { projectId });
const widget = await addChannel(context, {
  projectId,
  platform: 'Widget',
  name: 'Site',
  settings: { allowed_origins: 'https://shop.test' },
});
const profileId = await seedProfile(sql, projectId, { external_id: 'ann' });
const chat = await seedChat(sql, projectId, { channelId: widget.id, platform: 'Widget', profileId });
const [fits, over] = ['😀'.repeat(4_096), '😀'.repeat(4_097)];
const complaint = ['Ensure this field has no more than 4096 characters.'];

test('a text over the limit of a known chat is refused on its field, to the exact character', async () => {
  const push = (text: string, recipient: object) =>
    call('POST', '/api/partners/push-messages/', {
      headers: key,
      body: { ...recipient, content: { type: 'TEXT', text } },
    });
  const connector = (text: string) =>
    call('POST', '/api/partners/connector/', {
      headers: token,
      body: {
        event: 'message_created',
        chat: { uuid: chat },
        sender: { name: 'Olga' },
        timestamp: 1,
        message: { type: 'text', text },
      },
    });
  const operator = (text: string) =>
    call('POST', `/chat-center/api/chats/${chat}/messages/`, {
      headers,
      body: { id: randomUUID(), type: 'text', text },
    });
  const stream = await call('POST', '/api/partners/stream/', {
    headers: token,
    body: {
      type: 'regular_message',
      payload: { chat: { uuid: chat }, content: { type: 'TEXT', text: over } },
    },
  });
  assert.deepEqual([stream.status, stream.body], [400, { payload: { content: { text: complaint } } }]);
  for (const recipient of [{ chat: { uuid: chat } }, { profile: { external_id: 'ann' } }]) {
    const { status, body } = await push(over, recipient);
    assert.deepEqual([status, body], [400, { content: { text: complaint } }]);
    assert.equal((await push(fits, recipient)).status, 201);
  }
  assert.deepEqual((await connector(over)).body, { message: { text: complaint } });
  assert.equal((await connector(fits)).status, 200);
  assert.deepEqual((await operator(over)).body, { text: complaint });
  assert.equal((await operator(fits)).status, 201);
});

test('if the channel was unknown, the message is undelivered with the reason, and nothing is cut', async () => {
  const made = await call('POST', '/api/partners/mailings/', {
    headers: key,
    body: { name: 'Long', text: over, origin: 'chat_center', filter_chats: { all: [] } },
  });
  assert.equal(made.status, 201);
  const row = async () =>
    (await sql`select state, state_detail from messages where mailing_id = ${made.body.uuid}`)[0];
  while ((await row())?.state !== 'UNDELIVERED') await new Promise(setImmediate);
  assert.equal((await row())?.state_detail, 'The text has 4097 characters, and this messenger takes 4096.');
});

test("captions, the number of buttons and a button's payload have their own limits", () => {
  const { limits } = adapterFor('Telegram');
  assert.ok(limits);
  const about = (message: Partial<Parameters<typeof overLimit>[1]>) =>
    overLimit(limits, { type: 'text', text: 'Hi', buttons: [], ...message });
  assert.equal(about({}), null);
  assert.match(about({ type: 'image', text: 'x'.repeat(1_025) }) ?? '', /1025 characters.* 1024/);
  assert.equal(about({ type: 'image', text: null }), null);
  assert.match(about({ buttons: Array(101).fill({ text: 'a' }) }) ?? '', /101 buttons/);
  assert.match(about({ buttons: [{ text: 'ж'.repeat(33) }] }) ?? '', /64 bytes/);
  assert.equal(about({ buttons: [{ text: 'ж'.repeat(33), url: 'https://shop.test/' }] }), null);
});

test('a text to a profile without a chat is not refused', async () => {
  await seedChannel(sql, projectId, 'Telegram');
  const { status } = await call('POST', '/api/partners/stream/', {
    headers: token,
    body: {
      type: 'regular_message',
      payload: { profile: { external_id: 'nobody' }, content: { type: 'TEXT', text: over } },
    },
  });
  assert.equal(status, 201);
});
