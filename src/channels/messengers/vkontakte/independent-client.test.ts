import assert from 'node:assert/strict';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Keyboard, VK } from 'vk-io';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { startVk } from '../../../simulator/vkontakte/provider.ts';
import { vkontakte } from './adapter.ts';

/** A client of VK's API by other authors, so that we do not only test our own reading of it. */

const community = { group_id: '123456', access_token: 'a-token' };

/** Its own agent speaks https only. */
const agent = new Agent();
const plain = Object.assign(agent, { options: Reflect.get(agent, 'options') });

async function setUp(t: { after(cleanUp: () => unknown): void }) {
  const server = await startVk(t, community);
  const vk = new VK({
    token: community.access_token,
    apiVersion: '5.199',
    agent: plain,
    apiBaseUrl: `${server.root}/method`,
    webhookSecret: 'our-secret',
    webhookConfirmation: 'a1b2c3d4',
  });
  return { server, vk };
}

test('a text with buttons is the same message as that of vk-io', async (t) => {
  const { server, vk } = await setUp(t);
  const message = {
    uuid: '01990000-0000-7000-8000-000000000001',
    type: 'text' as const,
    text: 'Choose',
    url: null,
    buttons: [
      { text: 'Yes', payload: 'yes' },
      { text: 'Shop', url: 'https://shop.example/' },
    ],
    chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '777' },
  };
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const own = { ...community, api_root: server.root };
  await vkontakte.send?.(message, own, clientOver(testOutbound(t)), attempt);
  const ours = server.sent[0]?.parameters ?? {};
  const keyboard = Keyboard.builder()
    .inline()
    .textButton({ label: 'Yes', payload: { button: 'yes' } })
    .row()
    .urlButton({ label: 'Shop', url: 'https://shop.example/' });
  const id = await vk.api.messages.send({ user_id: 777, random_id: 7, message: 'Choose', keyboard });
  const theirs = server.sent[1]?.parameters ?? {};
  assert.equal(id, 2);
  assert.deepEqual([ours.user_id, ours.message, ours.v], [theirs.user_id, theirs.message, theirs.v]);
  assert.partialDeepStrictEqual(JSON.parse(theirs.keyboard ?? ''), { inline: true });
  const buttonsIn = ({ keyboard = '' }: Record<string, string>) =>
    JSON.parse(keyboard).buttons.map((row: { action: { payload?: string } }[]) =>
      row.map(({ action: { payload, ...action } }) => ({
        ...action,
        ...(payload && payload !== '{}' && { payload: JSON.parse(payload) }),
      })),
    );
  assert.deepEqual(buttonsIn(ours), buttonsIn(theirs));
});

test('vk-io confirms its address to our stand-in, and reads its events with their secret', async (t) => {
  const { server, vk } = await setUp(t);
  const heard: unknown[] = [];
  const all = Promise.withResolvers<void>();
  vk.updates.on('message_new', ({ senderId, text, referralValue }) => {
    heard.push([senderId, text, referralValue]);
    all.resolve();
  });
  const take = vk.updates.getWebhookCallback('/');
  const receiver = createServer((request, response) => take(request, response, () => response.end()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.after(() => receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const added = await vk.api.groups.addCallbackServer({
    group_id: 123456,
    url,
    title: 'Other',
    secret_key: 'our-secret',
  });
  assert.equal(added.server_id, 1);
  const said = { id: 1, date: 1_700_000_000, from_id: 777, peer_id: 777, text: 'Hi', ref: 'spring' };
  const object = { message: { ...said, attachments: [], fwd_messages: [] }, client_info: {} };
  assert.deepEqual(await server.happen('message_new', object), [{ status: 200, text: 'ok' }]);
  await all.promise;
  assert.deepEqual(heard, [[777, 'Hi', 'spring']]);
});
