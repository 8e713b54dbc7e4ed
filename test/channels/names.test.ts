import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Adapter } from '../../src/channels/contract/adapter.ts';
import { avito } from '../../src/channels/messengers/avito/adapter.ts';
import { facebook } from '../../src/channels/messengers/facebook/adapter.ts';
import { instagram } from '../../src/channels/messengers/instagram/adapter.ts';
import { odnoklassniki } from '../../src/channels/messengers/odnoklassniki/adapter.ts';
import { vkontakte } from '../../src/channels/messengers/vkontakte/adapter.ts';
import { startAvito } from '../../src/simulator/avito/provider.ts';
import { startFacebook } from '../../src/simulator/facebook/provider.ts';
import { startInstagram } from '../../src/simulator/instagram/provider.ts';
import { startOk } from '../../src/simulator/odnoklassniki/provider.ts';
import { startVk } from '../../src/simulator/vkontakte/provider.ts';
import type { Lifetime } from '../database.ts';
import { testOutbound } from '../outbound.ts';

/** Asks for the names of a client at a provider's stand-in. */
async function ask<Settings>(
  t: Lifetime,
  { namesOf, token }: Adapter<Settings>,
  settings: Settings,
  externalId: string,
) {
  const http = testOutbound(t);
  const client = { ...http, token: async () => (token ? (await token(settings, http)).value : '') };
  return namesOf?.(externalId, settings, client);
}

const refused = { message: /refused/ };
const page = { id: '1', token: 'a-token', app_secret: 's', verify_token: 'v' };
const meta = { app_secret: 's', verify_token: 'v' };

test('Vkontakte tells the first and the last name of a client', async (t) => {
  const { root } = await startVk(t, { group_id: '1', access_token: 'a-token' });
  const settings = { group_id: '1', access_token: 'a-token', api_root: root };
  assert.deepEqual(await ask(t, vkontakte, settings, '777'), { name: 'Olga Ivanova' });
  await assert.rejects(ask(t, vkontakte, { ...settings, access_token: 'wrong' }, '777'), refused);
});

test('Odnoklassniki tells the title of a conversation', async (t) => {
  const { root } = await startOk(t, { access_token: 'a-token' });
  const settings = { access_token: 'a-token', api_root: root };
  assert.deepEqual(await ask(t, odnoklassniki, settings, 'chat:C1'), { name: 'Olga Ivanova' });
  await assert.rejects(ask(t, odnoklassniki, { ...settings, access_token: 'wrong' }, 'chat:C1'), refused);
});

test('Avito tells the other person of a chat', async (t) => {
  const account = { client_id: 'c', client_secret: 's', user_id: '123' };
  const { root, chats } = await startAvito(t, account);
  chats.set('u2i-1', []);
  const settings = { ...account, api_root: root };
  assert.deepEqual(await ask(t, avito, settings, 'u2i-1'), { name: 'Olga Ivanova' });
  await assert.rejects(ask(t, avito, settings, 'u2i-2'), refused);
});

test('Facebook tells the name of a client who has written', async (t) => {
  const { root, people } = await startFacebook(t, page);
  people.set('777', 'open');
  const settings = { page_access_token: 'a-token', ...meta, api_root: root };
  assert.deepEqual(await ask(t, facebook, settings, '777'), { name: 'Olga Ivanova' });
  await assert.rejects(ask(t, facebook, settings, '778'), refused);
});

test('Instagram tells the name and the user name of a client who has written', async (t) => {
  const { root, people } = await startInstagram(t, page);
  people.set('777', 'open');
  const settings = { access_token: 'a-token', ...meta, api_root: root };
  const names = { name: 'Olga Ivanova', username: 'olga.i' };
  assert.deepEqual(await ask(t, instagram, settings, '777'), names);
});
