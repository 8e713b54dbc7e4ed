import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { startHttpApi } from '../../../simulator/http-api.ts';
import { startVk, vkError } from '../../../simulator/vkontakte/provider.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { vkontakte } from './adapter.ts';

const community = { group_id: '12345', access_token: 'vk1.a.token' };
const settings = { ...community, secret: 's3cret', confirmation: 'a1b2c3d4' };
const log = pino({ level: 'silent' });

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '777' },
};

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const vk = await startVk(t, community);
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], log });
  t.after(() => outbound.close());
  const client = clientOver(outbound);
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const own = { ...settings, api_root: vk.root };
  const send = (message: OutgoingMessage) => vkontakte.send?.(message, own, client, attempt);
  return { vk, client, own, send };
}

test('a text is sent once in any number of attempts, and its number is the provider’s id', async (t) => {
  const { vk, send } = await scene(t);
  assert.deepEqual(await send(text), { sent: true, providerId: '1' });
  assert.deepEqual(await send(text), { sent: true, providerId: '1' });
  assert.deepEqual(await send({ ...text, uuid: '01990000-0000-7000-8000-000000000003' }), {
    sent: true,
    providerId: '2',
  });
  const [first] = vk.sent;
  assert.partialDeepStrictEqual(first?.parameters, { user_id: '777', message: 'Hello', v: '5.199' });
  assert.match(first?.parameters.random_id ?? '', /^\d{1,10}$/);
  assert.equal(vk.calls[0]?.query.size, 0);
});

test('buttons carry the partner’s payload, and a press returns it', async (t) => {
  const { vk, send } = await scene(t);
  const link = { text: 'Shop', url: 'https://shop.example/' };
  await send({ ...text, buttons: [{ text: 'Yes', payload: 'да "1"' }, link] });
  const { inline, buttons } = JSON.parse(vk.sent[0]?.parameters.keyboard ?? '');
  assert.equal(inline, true);
  assert.deepEqual(buttons[1], [{ action: { type: 'open_link', link: link.url, label: 'Shop' } }]);
  const { payload } = buttons[0][0].action;
  const [event] = eventsOf('message_new', { message: { ...said, text: 'Yes', payload } });
  assert.partialDeepStrictEqual(event, { message: { type: 'button', text: 'Yes', payload: 'да "1"' } });
});

test('pictures and documents are uploaded', async (t) => {
  const { vk, send } = await scene(t);
  const shop = await startHttpApi(t, ({ path }) => ({ status: path === '/gone' ? 404 : 200, body: 'bytes' }));
  const image = { ...text, type: 'image' as const, url: `${shop.root}/cat.png` };
  assert.partialDeepStrictEqual(await send(image), { sent: true });
  assert.equal(vk.sent[0]?.parameters.attachment, 'photo-12345_1_k');
  assert.equal(vk.uploads.get('photo-12345_1_k')?.toString(), 'bytes');
  const document = { ...image, uuid: '2', type: 'document' as const, text: null };
  assert.partialDeepStrictEqual(await send(document), { sent: true });
  assert.equal(vk.sent[1]?.parameters.attachment, 'doc-12345_2');
  assert.partialDeepStrictEqual(await send({ ...image, uuid: '3', url: `${shop.root}/gone` }), {
    error: { code: 'bad_content' },
  });
});

test('a picture at an address that may not be called fails alone, and the channel goes on', async (t) => {
  const { send } = await scene(t);
  const image = { ...text, type: 'image' as const, url: 'http://10.0.0.1/cat.png' };
  assert.partialDeepStrictEqual(await send(image), { sent: false, error: { code: 'bad_content' } });
});

test('a picture whose upload failed has not been sent', async (t) => {
  const { vk, send } = await scene(t);
  const shop = await startHttpApi(t, () => ({ status: 200, body: 'bytes' }));
  vk.react(({ path }) => (path === '/upload/photo' ? { status: 502, body: '<html>' } : null));
  assert.partialDeepStrictEqual(await send({ ...text, type: 'image', url: `${shop.root}/cat.png` }), {
    error: { code: 'temporary', mayHaveBeenSent: false },
  });
});

const photos = '“Community photos” (Фотографии сообщества)';
const documents = '“Community documents” (Документы сообщества)';
const ofFiles = [
  ['image', 'photos.getMessagesUploadServer', photos],
  ['image', 'photos.saveMessagesPhoto', photos],
  ['document', 'docs.getMessagesUploadServer', documents],
  ['document', 'docs.save', documents],
] as const;

for (const [type, method, right] of ofFiles) {
  test(`a key without the right to ${method} fails the file alone, and its right is named`, async (t) => {
    const { vk, send } = await scene(t);
    const shop = await startHttpApi(t, () => ({ status: 200, body: 'bytes' }));
    const file = { ...text, type, url: `${shop.root}/a` };
    const refuse = (code: number) =>
      vk.react(({ path }) => (path === `/method/${method}` ? vkError(code, 'Access denied.') : null));
    for (const code of [7, 15, 27]) {
      refuse(code);
      const result = await send(file);
      assert.ok(result?.sent === false && result.error.code === 'bad_content', `${code}`);
      assert.ok(result.error.detail?.includes(right) && result.error.detail.endsWith('Access denied.'));
    }
    assert.partialDeepStrictEqual(await send(text), { sent: true });
    refuse(5);
    assert.partialDeepStrictEqual(await send(file), { error: { code: 'auth' } });
  });
}

test('the guide names what the refusals of files and buttons ask for', () => {
  const parts = vkontakte.guide.before.flatMap(({ sketch }) => sketch?.parts ?? []);
  const ticked = parts.flatMap((part) => ('tick' in part ? [`“${part.tick.en}” (${part.tick.ru})`] : []));
  assert.deepEqual(ticked.slice(-2), [photos, documents]);
  const fields = parts.flatMap((part) => ('field' in part ? [`“${part.field.en}” (${part.field.ru})`] : []));
  assert.ok(fields.includes('“Bot abilities” (Возможности ботов)'));
});

const refusals: [code: number, means: object][] = [
  [900, { code: 'blocked' }],
  [901, { code: 'blocked' }],
  [902, { code: 'blocked' }],
  [936, { code: 'invalid_recipient' }],
  [113, { code: 'invalid_recipient' }],
  [950, { code: 'window_closed' }],
  [914, { code: 'bad_content' }],
  [6, { code: 'rate_limited', scope: 'channel' }],
  [9, { code: 'rate_limited', scope: 'chat' }],
  [29, { code: 'rate_limited' }],
  [1, { code: 'temporary' }],
  [10, { code: 'temporary' }],
  [14, { code: 'temporary' }],
  [43, { code: 'temporary' }],
  [5, { code: 'auth' }],
  [7, { code: 'auth' }],
  [15, { code: 'auth' }],
  [27, { code: 'auth' }],
  [945, { code: 'bad_content' }],
  [99999, { code: 'bad_content' }],
];

for (const [code, means] of refusals) {
  test(`the refusal ${code} is understood`, async (t) => {
    const { vk, send } = await scene(t);
    vk.react(() => vkError(code, `In words, for ${community.access_token}.`));
    assert.partialDeepStrictEqual(await send(text), {
      sent: false,
      error: { ...means, detail: 'In words, for ***.' },
    });
  });
}

test('buttons that the community has not switched on fail their message, and the text says what to do', async (t) => {
  const { vk, send } = await scene(t);
  vk.react(() => vkError(912, 'This is a chat bot feature, change this status in settings'));
  assert.deepEqual(await send({ ...text, buttons: [{ text: 'Yes' }] }), {
    sent: false,
    error: {
      code: 'bad_content',
      detail: 'VK takes no buttons: switch on “Bot abilities” (Возможности ботов) of the community.',
    },
  });
});

const said = { id: 42, from_id: 777, peer_id: 777, conversation_message_id: 7 };

const envelope = (type: string, object: object) => ({
  type,
  group_id: 12345,
  event_id: 'e1',
  v: '5.199',
  secret: 's3cret',
  object,
});

function eventsOf(type: string, object: object) {
  const verdict = deliver(vkontakte, settings, { body: envelope(type, object) });
  assert.ok(verdict.accepted);
  assert.deepEqual(verdict.answer?.([]), { body: 'ok' });
  return verdict.events;
}

const photo = {
  type: 'photo',
  photo: {
    sizes: [
      { url: 'https://vk.example/s.jpg', width: 75, height: 75 },
      { url: 'https://vk.example/l.jpg', width: 900, height: 900 },
    ],
  },
};
const doc = { type: 'doc', doc: { url: 'https://vk.example/d', title: 'a.pdf', ext: 'pdf' } };

test('a text becomes a message, identified by its event', () => {
  assert.deepEqual(eventsOf('message_new', { message: { ...said, text: 'Hi' }, client_info: {} }), [
    {
      kind: 'message',
      chat: { externalId: '777' },
      message: { externalId: 'e1', type: 'text', text: 'Hi', url: null, payload: null },
    },
  ]);
});

test('the parameter of a link comes with the first message', () => {
  assert.partialDeepStrictEqual(
    eventsOf('message_new', { message: { ...said, text: 'Hi', ref: 'spring', ref_source: 'site' } }),
    [{ message: { text: 'Hi', ref: 'spring' } }],
  );
});

test('each file of a message becomes one message, with the text in the first', () => {
  const events = eventsOf('message_new', { message: { ...said, text: 'Look', attachments: [photo, doc] } });
  assert.partialDeepStrictEqual(events, [
    { message: { externalId: 'e1', type: 'image', text: 'Look', file: { url: 'https://vk.example/l.jpg' } } },
    {
      message: {
        externalId: 'e1:1',
        type: 'document',
        text: null,
        file: { url: 'https://vk.example/d', name: 'a.pdf' },
      },
    },
  ]);
});

test('reads, button presses, denials and permissions become events', () => {
  assert.deepEqual(eventsOf('message_read', { from_id: 777, peer_id: 777, read_message_id: 41 }), [
    { kind: 'receipt', message: { chat: '777', upTo: '41' }, state: 'read', detail: '' },
  ]);
  assert.deepEqual(eventsOf('message_deny', { user_id: 777 }), [
    { kind: 'stopped', chat: { externalId: '777' } },
  ]);
  assert.deepEqual(eventsOf('message_allow', { user_id: 777, key: 'spring' }), [
    { kind: 'returned', chat: { externalId: '777' } },
  ]);
  const press = { user_id: 777, peer_id: 777, event_id: 'p1', payload: { button: 'yes' } };
  assert.partialDeepStrictEqual(eventsOf('message_event', press), [
    { message: { externalId: 'press:p1', type: 'button', payload: 'yes' } },
    { kind: 'pressed', press: { event_id: 'p1', user_id: '777', peer_id: '777' } },
  ]);
});

test('messages in group chats, or from a community, are no client’s', () => {
  assert.deepEqual(eventsOf('message_new', { message: { ...said, peer_id: 2_000_000_001, text: 'Hi' } }), []);
  assert.deepEqual(
    eventsOf('message_new', { message: { ...said, from_id: -5, peer_id: -5, text: 'Hi' } }),
    [],
  );
  assert.deepEqual(eventsOf('wall_post_new', { id: 1 }), []);
});

test('the confirmation is sent byte for byte, and never with a wrong secret', () => {
  const ask = (body: object) => deliver(vkontakte, settings, { body });
  const right = ask({ type: 'confirmation', group_id: 12345 });
  assert.deepEqual(right.accepted && right.answer?.([]), { body: 'a1b2c3d4' });
  assert.deepEqual(ask({ type: 'confirmation', group_id: 12345, secret: 'x' }), {
    accepted: false,
    status: 403,
  });
  assert.deepEqual(ask({ type: 'confirmation', group_id: 1 }), { accepted: false, status: 403 });
});

test('a channel’s known address is changed, and a removed one is added again', async (t) => {
  const { vk, client, own } = await scene(t);
  const answering = await startHttpApi(t, () => ({ status: 200, body: 'a1b2c3d4' }));
  const learnt = await vkontakte.setup?.(own, `${answering.root}/a/`, client);
  assert.deepEqual(learnt, { server_id: '1' });
  await vkontakte.setup?.({ ...own, server_id: '1' }, `${answering.root}/b/`, client);
  assert.deepEqual(
    vk.servers.map(({ url, secret_key }) => [url, secret_key]),
    [[`${answering.root}/b/`, 's3cret']],
  );
  assert.deepEqual(await vkontakte.setup?.({ ...own, server_id: '9' }, `${answering.root}/c/`, client), {
    server_id: '2',
  });
});

test('a change that fails leaves VK with the secret that the channel keeps, and with one address', async (t) => {
  const { vk, client, own } = await scene(t);
  const answering = await startHttpApi(t, () => ({ status: 200, body: 'a1b2c3d4' }));
  const url = `${answering.root}/a/`;
  await vkontakte.setup?.(own, url, client);
  for (const method of ['setCallbackSettings', 'editCallbackServer']) {
    vk.react(({ path }) => (path.endsWith(method) ? { status: 502, body: '<html>' } : null));
    await assert.rejects(
      async () => vkontakte.setup?.({ ...own, secret: 'another', server_id: '1' }, url, client),
      method,
    );
    assert.deepEqual(
      vk.servers.map(({ secret_key }) => secret_key),
      ['s3cret'],
      method,
    );
  }
});
