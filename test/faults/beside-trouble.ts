import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { createPartner, type Lifetime, type Partner, type Patchbay } from '../harness.ts';
import { queueTexts } from '../queue-texts.ts';
import { answerWith, type Behaviour } from '../stand-ins/messenger.ts';
import { answered, silent } from './provider.ts';
import { until } from './until.ts';

/**
 * Runs channels in every kind of trouble beside a healthy one. Resolves when the healthy one's messages were all
 * sent, at the first attempt. The silent ones have many more messages, and their calls are still open.
 */
export async function sendBesideTrouble(lifetime: Lifetime, patchbay: Patchbay, messages: number) {
  const openCalls: ServerResponse[] = [];
  const open =
    (behaviour: Behaviour): Behaviour =>
    (delivery, response) => {
      openCalls.push(response);
      behaviour(delivery, response);
    };
  const newChat = async (behaviour: Behaviour) => {
    const partner = await createPartner(lifetime, patchbay);
    const { chat } = await partner.client('ann');
    partner.messenger.behave(behaviour);
    return { ...partner, chat };
  };
  const sick = [];
  for (const { behaviour } of Object.values(answered)) {
    sick.push({ ...(await newChat(behaviour)), count: messages });
  }
  for (const { behaviour } of Object.values(silent)) {
    sick.push({ ...(await newChat(open(behaviour))), count: 6 * messages });
  }
  const healthy = await newChat(answerWith(200));

  for (const { projectId, channel, chat, messenger, count } of sick) {
    await queueTexts(patchbay.context, { projectId, channelId: channel.id, chat }, count);
    await messenger.received(1);
  }
  await sendAll(patchbay, healthy.projectId, healthy.channel.id, healthy.chat, messages);
  assert.equal(healthy.messenger.deliveries.length, messages);
  assert.ok(openCalls.length > 0 && openCalls.every(({ destroyed }) => !destroyed));
  return { sent: messages, openCalls: openCalls.length };
}

/** The same for channels with one common host, which answers for one of them only. */
export async function sendBesideTroubleAtOneHost(
  lifetime: Lifetime,
  patchbay: Patchbay,
  { messages, sickChannels }: { messages: number; sickChannels: number },
) {
  const partner = await createPartner(lifetime, patchbay);
  const { projectId, messenger } = partner;
  const openCalls: ServerResponse[] = [];
  messenger.behave((delivery, response) => {
    if (delivery.body.payload.chat.external_id === 'healthy') answerWith(200)(delivery, response);
    else openCalls.push(response);
  });
  const sick = [];
  for (let number = 0; number < sickChannels; number += 1)
    sick.push(await addNeighbour(patchbay, partner, 'sick'));
  const healthy = await addNeighbour(patchbay, partner, 'healthy');

  for (const { channelId, chat } of sick)
    await queueTexts(patchbay.context, { projectId, channelId, chat }, messages);
  await messenger.received(1);
  await sendAll(patchbay, projectId, healthy.channelId, healthy.chat, messages);
  assert.ok(openCalls.length > 0 && openCalls.every(({ destroyed }) => !destroyed));
  return { sent: messages, openCalls: openCalls.length };
}

/** Another channel of the partner at the same messenger, with one client. */
async function addNeighbour({ context, call }: Patchbay, { projectId, messenger }: Partner, client: string) {
  const secret = 'the secret of another channel';
  const { id: channelId } = await addChannel(context, {
    projectId,
    platform: 'API_Messenger',
    name: 'Another',
    settings: { webhook_url: `${messenger.url}another/`, secret },
  });
  const { body } = await call('POST', `/channels/${channelId}/messages/`, {
    headers: { authorization: `Bearer ${secret}` },
    body: { chat: { external_id: client }, message: { external_id: 'first', type: 'text', text: 'Hi' } },
  });
  return { channelId, chat: String(body.chat_uuid) };
}

async function sendAll(
  patchbay: Patchbay,
  projectId: string,
  channelId: string,
  chat: string,
  messages: number,
): Promise<void> {
  const { sql } = patchbay.context;
  await queueTexts(patchbay.context, { projectId, channelId, chat }, messages);
  await until(async () => {
    const [row] = await sql`
      select count(*) from messages where channel_id = ${channelId} and state = 'SENT' and attempts = 1`;
    return row?.count === messages;
  });
}
