import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../../../test/faults/until.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { startOzon } from '../../../simulator/ozon/provider.ts';
import { addChannel } from '../../connected/channels.ts';

const seller = { client_id: '7', api_key: 'the-api-key' };
const chatName = 'b646d975-0c9c-4872-9f41-8b1e57181063';

const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-ozon-'));
after(() => rm(dataDir, { recursive: true }));
const patchbay = await startPatchbay({ after }, { config: { dataDir } });
const { context, call } = patchbay;
const { sql } = context;
context.config.publicUrl = patchbay.address;
const { projectId, key } = await createPartner({ after }, patchbay);
const provider = await startOzon({ after }, seller);

const add = (changes: object = {}) =>
  addChannel(context, {
    projectId,
    platform: 'Ozon',
    name: 'Shop',
    settings: { ...seller, api_root: provider.root, ...changes },
  });

const stateOf = async (id: string) => {
  const [row] = await sql<{ state: string }[]>`select state from messages where id = ${id}`;
  return row?.state;
};

async function push(content: object, name = chatName): Promise<string> {
  const [chat] = await sql<{ id: string }[]>`select id from chats where external_id = ${name}`;
  const body = { chat: { uuid: chat?.id }, content };
  const answer = await call('POST', '/api/partners/push-messages/', { headers: key, body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.uuid;
}

test('a buyer asks, sends a file, gets answers, and reads only the first', async () => {
  const { id: channelId, webhookUrl } = await add();
  const file = '/v2/chat/file/m/receipt.txt';
  provider.files.set(file, Buffer.from('Receipt'));
  const asked = await provider.write(webhookUrl, chatName, ['Where is it?', `![](${provider.root}${file})`]);
  assert.deepEqual(asked, { status: 200, text: '{"result":true}' });

  const [row] = await sql<{ text: string; url: string }[]>`
    select content ->> 'text' as text, content ->> 'url' as url from messages where channel_id = ${channelId}`;
  assert.equal(row?.text, 'Where is it?');
  const found = await fetch(row?.url ?? '');
  assert.deepEqual([found.status, await found.text()], [200, 'Receipt']);

  const first = await push({ type: 'TEXT', text: 'On its way' });
  await until(async () => (await stateOf(first)) === 'SENT');
  await provider.read(webhookUrl, chatName);
  await until(async () => (await stateOf(first)) === 'READ');
  const second = await push({ type: 'TEXT', text: 'On its way' });
  await until(async () => (await stateOf(second)) === 'SENT');
  assert.equal(await stateOf(second), 'SENT');
  await provider.read(webhookUrl, chatName);
  await until(async () => (await stateOf(second)) === 'READ');
});

test('a buyer who reads before Ozon has named the message has read it', async () => {
  const { webhookUrl } = await add();
  await provider.write(webhookUrl, 'eager-buyer', ['Where is it?']);
  provider.react(async ({ path }) => {
    if (path === '/v3/chat/history') await provider.read(webhookUrl, 'eager-buyer');
    return null;
  });
  const id = await push({ type: 'TEXT', text: 'On its way' }, 'eager-buyer');
  await until(async () => (await stateOf(id)) === 'READ');
  provider.react(() => null);
});

test('wrong keys are reported when the channel is added, and a wrong ending of the address is not found', async () => {
  await assert.rejects(add({ api_key: 'other' }), {
    fields: {
      settings: { non_field_errors: ['Ozon refused: Invalid Api-Key, please contact support'] },
    },
  });
  const { webhookUrl } = await add();
  const wrong = webhookUrl.replace(/[^/]+\/$/, `${'a'.repeat(43)}/`);
  const ping = { message_type: 'TYPE_PING', time: '2019-08-24T14:15:22Z' };
  assert.equal((await provider.push(wrong, ping)).status, 404);
  assert.deepEqual(await provider.push(webhookUrl, ping), {
    status: 200,
    text: '{"version":"1.0","name":"Patchbay","time":"2019-08-24T14:15:22Z"}',
  });
});
