import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { startMessenger as startReceiver } from '../../../test/stand-ins/messenger.ts';
import { importScenario } from '../../scenarios/import.ts';
import { MessageUpdated } from '../chats/webhook-schemas.ts';

/** The events that an integration gets about its own messages. Source: docs/contract.md, sections 3 and 8. */

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;

async function scene(t: TestContext) {
  const partner = await createPartner(t, patchbay);
  const receiver = await startReceiver(t);
  const { status } = await call('PUT', '/api/partners/integrations/credentials/', {
    headers: partner.token,
    body: { webhook_url: receiver.url, webhook_events: ['message_created', 'message_updated'] },
  });
  assert.equal(status, 200);
  const { chat } = await partner.client('ann');
  const push = async (content: object, more: object = {}): Promise<string> => {
    const { status, body } = await call('POST', '/api/partners/push-messages/', {
      headers: partner.key,
      body: { chat: { uuid: chat }, content, ...more },
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body.uuid;
  };
  const cancel = async (uuid: string): Promise<number> =>
    (await call('POST', `/api/partners/push-messages/${uuid}/cancel/`, { headers: partner.key })).status;
  /** Skips the probe and the client's first message. */
  const told = async (count: number) =>
    (await receiver.received(count + 2)).slice(2, count + 2).map(({ body }) => body);
  return { ...partner, chat, push, cancel, told };
}

const later = { launch_at: '2099-01-01T00:00:00Z' };

test('a cancel is announced, with the type of the message', async (t) => {
  const { chat, push, cancel, told } = await scene(t);
  const uuid = await push({ type: 'TEXT', text: 'Hello' }, later);
  assert.equal(await cancel(uuid), 204);
  assert.equal(await cancel(uuid), 400);
  const [event] = await told(1);
  assert.equal(event.event_type, 'message_updated');
  assert.equal(event.payload.chat.uuid, chat);
  assert.deepEqual(event.payload.message, {
    uuid,
    type: 'text',
    text: 'Hello',
    external_id: null,
    state: { code: 'CANCELLED', detail: '' },
  });
  assert.equal(event.payload.session, null);
  // Announced once: the next event is the next message's.
  const next = await push({ type: 'TEXT', text: 'Again' });
  assert.equal((await told(2))[1].payload.message.uuid, next);
});

test('an event names the message type with one of five words, whatever the content type of the push', async (t) => {
  const { projectId, channel, push, cancel, told } = await scene(t);
  const definition = { name: 'Hi', steps: [{ id: 'hi', type: 'message', text: 'Hi' }] };
  await importScenario(context, { projectId, file: Buffer.from(JSON.stringify(definition)) });
  await push({ type: 'TEXT', text: 'Hello' });
  const [sent] = await told(1);
  assert.equal(sent.payload.message.type, 'text');
  await cancel(await push({ type: 'NODE', node: { name: 'Hi' } }, later));
  const [, node] = await told(2);
  assert.deepEqual([node.payload.message.type, node.payload.message.state.code], ['text', 'CANCELLED']);
  const { status } = await call('POST', `/channels/${channel.id}/messages/`, {
    headers: { authorization: `Bearer ${channel.secret}` },
    body: {
      chat: { external_id: 'ann' },
      message: { external_id: 'pressed', type: 'button', payload: 'yes' },
    },
  });
  assert.equal(status, 200);
  assert.equal((await told(3))[2].payload.message.type, 'button');
  assert.deepEqual(MessageUpdated.properties.message.properties.type.enum, [
    'text',
    'image',
    'document',
    'button',
    'whatsapp_template',
  ]);
});
