import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../../test/faults/until.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { whatsappAccount as account } from '../../../test/whatsapp-account.ts';
import { addChannel, changeChannel, loadChannel } from '../../channels/connected/channels.ts';
import { startVk } from '../../simulator/vkontakte/provider.ts';
import { startWhatsapp } from '../../simulator/whatsapp/provider.ts';
import { findTemplate } from '../templates/store.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-providers-'));
after(() => rm(dataDir, { recursive: true }));
const patchbay = await startPatchbay({ after }, { config: { dataDir } });
const { context, call } = patchbay;
const { sql } = context;
// Stand-ins call the given addresses.
context.config.publicUrl = patchbay.address;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;

const stateOf = async (id: string) => {
  const [row] = await sql<{ state: string }[]>`select state from messages where id = ${id}`;
  return row?.state;
};
const reaches = (id: string, state: string) => until(async () => (await stateOf(id)) === state);

async function push(body: object): Promise<string> {
  const answer = await call('POST', '/api/partners/push-messages/', { headers: partner.key, body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.uuid;
}

const community = { group_id: '12345', access_token: 'vk1.a.token' };
const vk = await startVk({ after }, community);
const meta = await startWhatsapp({ after }, account);

const addVk = (settings: object = {}) =>
  addChannel(context, {
    projectId,
    platform: 'Vkontakte',
    name: 'Community',
    settings: { ...community, api_root: vk.root, ...settings },
  });

test('an address answers while its channel is being added, and a read receipt counts up to a number', async () => {
  const channel = await addVk();
  assert.equal(channel.webhookUrl, vk.servers[0]?.url);
  const said = { id: 1, from_id: 777, peer_id: 777, text: 'Hi' };
  assert.deepEqual(await vk.happen('message_new', { message: said }, 'e1'), [{ status: 200, text: 'ok' }]);
  await vk.happen('message_new', { message: said }, 'e1');
  const chats = await sql`select id from messages where channel_id = ${channel.id} and direction = 'in'`;
  assert.equal(chats.length, 1);

  const chat = { vkontakte_id: 777 };
  const [first = '', second = '', third = ''] = [
    await push({ chat, content: { type: 'TEXT', text: 'One' } }),
    await push({ chat, content: { type: 'TEXT', text: 'Two' } }),
    await push({ chat, content: { type: 'TEXT', text: 'Three' } }),
  ];
  for (const id of [first, second, third]) await reaches(id, 'SENT');
  const numberOf = (words: string) => vk.sent.find(({ parameters }) => parameters.message === words)?.id ?? 0;
  const last = Math.max(numberOf('One'), numberOf('Two'), numberOf('Three'));
  await vk.happen('message_read', { from_id: 777, peer_id: 777, read_message_id: last - 1 });
  const states = await sql<{ state: string }[]>`
    select state from messages where id = any (${[first, second, third]}::uuid[]) order by state`;
  assert.deepEqual(
    states.map(({ state }) => state),
    ['READ', 'READ', 'SENT'],
  );
});

test('a receipt up to a message that VK has not confirmed yet is kept until its number is known', async () => {
  const [chat] = await sql<{ id: string }[]>`select id from chats where external_id = '777'`;
  const held = Promise.withResolvers<void>();
  vk.react(async ({ path }) => {
    if (!path.endsWith('/messages.send')) return null;
    const number = vk.nextMessage();
    await vk.happen('message_read', { from_id: 777, peer_id: 777, read_message_id: number });
    held.resolve();
    return { status: 200, body: { response: number } };
  });
  const read = await push({ chat: { uuid: chat?.id }, content: { type: 'TEXT', text: 'Read at once' } });
  await held.promise;
  await reaches(read, 'READ');
  vk.react(() => null);
  const unread = await push({ chat: { uuid: chat?.id }, content: { type: 'TEXT', text: 'And this?' } });
  await reaches(unread, 'SENT');
});

test('a refused new channel is removed, and a refused change leaves the channel unchanged', async () => {
  const count = async () => (await sql`select id from channels where platform = 'Vkontakte'`).length;
  const before = await count();
  await assert.rejects(addVk({ access_token: 'wrong' }), {
    fields: {
      settings: { non_field_errors: ['VK refused: User authorization failed: invalid access_token.'] },
    },
  });
  // Only the last step fails: by then the channel has a row.
  vk.react(({ path }) => (path.endsWith('setCallbackSettings') ? { status: 502, body: '<html>' } : null));
  await assert.rejects(addVk());
  const [row] = await sql<{ id: string }[]>`select id from channels where platform = 'Vkontakte'`;
  const channel = await loadChannel(context, row?.id ?? '');
  assert.ok(channel);
  await assert.rejects(changeChannel(context, channel, { settings: { secret: 'another' } }));
  vk.react(() => null);
  assert.equal(await count(), before);
  assert.deepEqual((await loadChannel(context, channel.id))?.settings, channel.settings);
});

test('a template of the provider can be used at once, and opens a chat by phone', async () => {
  meta.templates.push({
    name: 'order_ready',
    language: 'de',
    status: 'APPROVED',
    components: [{ type: 'BODY', text: 'Order {{1}} is {{2}}.' }],
  });
  const channel = await addChannel(context, {
    projectId,
    platform: 'Whatsapp',
    name: 'Number',
    settings: { ...account, api_root: meta.root },
  });
  context.wake.wake('channels');
  assert.deepEqual(await meta.verify(channel.webhookUrl), { status: 200, text: '1158201444' });
  await until(async () => (await findTemplate(sql, projectId, 'order_ready')) !== null);

  await call('PUT', '/api/partners/profiles/phone/+16505551234/', {
    headers: partner.token,
    body: { name: 'Ann' },
  });
  const { profile } = await partner.client('phoned', { phone: '+16505551234' });
  const id = await push({
    profile: { uuid: profile },
    content: {
      type: 'WHATSAPP_TEMPLATE',
      whatsapp_template: { pid: 'order_ready' },
      whatsapp_template_variables: { 1: '17', 2: 'ready' },
    },
  });
  await reaches(id, 'SENT');
  assert.partialDeepStrictEqual(meta.sent.at(-1)?.body, {
    to: '16505551234',
    template: { name: 'order_ready', language: { code: 'de' } },
  });

  // The client answers: it is the chat that was opened by phone.
  const contacts = [{ wa_id: '16505551234', profile: { name: 'Ann' } }];
  const message = { from: '16505551234', id: 'wamid.in1', type: 'text', text: { body: 'Thanks' } };
  assert.equal((await meta.notify(channel.webhookUrl, { contacts, messages: [message] })).status, 200);
  const rows = await sql`select distinct chat_id from messages where channel_id = ${channel.id}`;
  assert.equal(rows.length, 1);
});

test('a template with a header, a file or a button is sent with all of its values, and not without', async () => {
  const [channel] = await sql<{ id: string }[]>`select id from channels where platform = 'Whatsapp'`;
  const templates = [
    {
      name: 'order_paid',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
        { type: 'BODY', text: 'Paid: {{1}}.' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://shop.example/o/{{1}}' }] },
      ],
    },
    {
      name: 'near_you',
      components: [
        { type: 'HEADER', format: 'LOCATION' },
        { type: 'BODY', text: 'Here' },
      ],
    },
  ];
  meta.templates.push(...templates.map((template) => ({ ...template, language: 'de', status: 'APPROVED' })));
  const changed = { event: 'APPROVED' };
  await meta.notify(
    `${patchbay.address}/channels/${channel?.id}/`,
    changed,
    'message_template_status_update',
  );
  await until(async () => (await findTemplate(sql, projectId, 'order_paid')) !== null);

  const { profile } = await partner.client('payer', { phone: '+16505551234' });
  const send = (pid: string, whatsapp_template_variables: object) =>
    call('POST', '/api/partners/push-messages/', {
      headers: partner.token,
      body: {
        profile: { uuid: profile },
        content: { type: 'WHATSAPP_TEMPLATE', whatsapp_template: { pid }, whatsapp_template_variables },
      },
    });
  const lacking = await send('order_paid', { 1: '5 €', 'button.1.url': '17\n' });
  assert.deepEqual(
    [lacking.status, lacking.body],
    [
      400,
      {
        content: {
          whatsapp_template_variables: {
            'header.1': ['This field is required.'],
            'button.1.url': [
              'A value has one line, without tabs and without more than four spaces in a row.',
            ],
          },
        },
      },
    ],
  );
  const { status, body } = await send('order_paid', { 1: '5 €', 'header.1': '17', 'button.1.url': '17' });
  assert.equal(status, 201, JSON.stringify(body));
  await reaches(body.uuid, 'SENT');
  assert.deepEqual(meta.sent.at(-1)?.body.template.components, [
    { type: 'header', parameters: [{ type: 'text', text: '17' }] },
    { type: 'body', parameters: [{ type: 'text', text: '5 €' }] },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '17' }] },
  ]);
  assert.equal((await send('near_you', {})).status, 400);
});

test('a mailing fills the header and the buttons of a template', async () => {
  const variable = (value: string) => ({ type: 'GLOBAL', value });
  const variables = { 1: variable('6 €'), 'header.1': variable('18') };
  const create = (template_variables: object) =>
    call('POST', '/api/partners/mailings/', {
      headers: partner.token,
      body: {
        name: 'Paid',
        content_type: 'TEMPLATE_WHATSAPP',
        template_whatsapp: 'order_paid',
        template_variables,
        filter_chats: { all: [{ type: 'attribute', platform: 'Whatsapp' }] },
      },
    });
  const lacking = await create(variables);
  assert.deepEqual(lacking.body, { template_variables: { 'button.1.url': ['This field is required.'] } });
  const asked = () => meta.calls.filter(({ path }) => path.endsWith('/messages'));
  const before = asked().length;
  assert.equal((await create({ ...variables, 'button.1.url': variable('18') })).status, 201);
  await until(async () => asked().length > before);
  assert.deepEqual(JSON.parse(asked()[before]?.body.toString() ?? '').template.components, [
    { type: 'header', parameters: [{ type: 'text', text: '18' }] },
    { type: 'body', parameters: [{ type: 'text', text: '6 €' }] },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '18' }] },
  ]);
});

test('a receipt that arrives before the response to its send is kept until the id is known', async () => {
  const [channel] = await sql<{ id: string }[]>`select id from channels where platform = 'Whatsapp'`;
  const address = `${patchbay.address}/channels/${channel?.id}/`;
  const held = Promise.withResolvers<void>();
  const early = { statuses: [{ id: 'wamid.early', status: 'delivered' }] };
  meta.react(({ path }) => {
    if (!path.endsWith('/messages')) return null;
    void meta.notify(address, early).then(() => held.resolve());
    return { status: 200, body: { messages: [{ id: 'wamid.early' }] } };
  });
  const contacts = [{ wa_id: '4915100000000', profile: { name: 'Bob' } }];
  const message = { from: '4915100000000', id: 'wamid.in2', type: 'text', text: { body: 'Hi' } };
  await meta.notify(address, { contacts, messages: [message] });
  const [chat] = await sql<{ id: string }[]>`select id from chats where external_id = '+4915100000000'`;
  const id = await push({ chat: { uuid: chat?.id }, content: { type: 'WHATSAPP_TEXT', text: 'Hello' } });
  await held.promise;
  await reaches(id, 'DELIVERED');
  meta.react(() => null);
});

test('a client’s file becomes a file of ours', async () => {
  const [channel] = await sql<{ id: string }[]>`select id from channels where platform = 'Whatsapp'`;
  meta.media.set('900', Buffer.from('Contract'));
  const contacts = [{ wa_id: '4915100000000', profile: { name: 'Bob' } }];
  const document = { id: '900', filename: 'contract.txt' };
  const message = { from: '4915100000000', id: 'wamid.in3', type: 'document', document };
  await meta.notify(`${patchbay.address}/channels/${channel?.id}/`, { contacts, messages: [message] });
  const [row] = await sql<{ url: string }[]>`
    select content ->> 'url' as url from messages where external_id = 'wamid.in3'`;
  const answer = await fetch(row?.url ?? '');
  assert.deepEqual([answer.status, await answer.text()], [200, 'Contract']);
});
