import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { type ApiAnswer, startHttpApi } from '../../../simulator/http-api.ts';
import { startViber, viberError, viberJson, viberSignature } from '../../../simulator/viber/provider.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { viber } from './adapter.ts';

const settings = { auth_token: '4453b6ac12345678-e02c5f12174805f9', sender_name: 'Shop' };
const olga = { id: '01234567890A=', name: 'Olga' };

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: olga.id },
};

type Lifetime = { after(cleanUp: () => Promise<void>): void };

/** A web server, by the responses of its paths. */
const startSite = (t: Lifetime) =>
  startHttpApi(t, ({ path }): ApiAnswer => {
    if (path === '/huge.pdf') return { status: 200, headers: { 'content-length': '60000000' } };
    if (path === '/chunked.pdf')
      return { status: 200, headers: { 'transfer-encoding': 'chunked' }, body: 'bytes' };
    return { status: path === '/gone.pdf' ? 404 : 200, body: 'bytes' };
  });

async function scene(t: Lifetime) {
  const api = await startViber(t, settings);
  const heard: Buffer[] = [];
  const ours = await startHttpApi(t, ({ body, headers }) => {
    heard.push(body);
    const verdict = deliver(viber, settings, { body, headers });
    return verdict.accepted ? { status: 200, body: '' } : { status: verdict.status };
  });
  const client = clientOver(testOutbound(t));
  const own = { ...settings, api_root: api.root };
  await viber.setup?.(own, `${ours.root}/channels/c/`, client);
  api.people.set(olga.id, 'subscribed');
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const send = (message: Partial<OutgoingMessage>) =>
    viber.send?.({ ...text, ...message }, own, client, attempt);
  return { api, client, own, heard, send, site: await startSite(t) };
}

test('a text is sent under the bot’s name, and its token keeps all digits', async (t) => {
  const { api, send } = await scene(t);
  assert.deepEqual(await send({}), { sent: true, providerId: '5098034272017990003' });
  assert.deepEqual(api.sent[0]?.body, {
    receiver: olga.id,
    sender: { name: 'Shop' },
    type: 'text',
    text: 'Hello',
  });
});

test('a picture has its text, which may be empty', async (t) => {
  const { api, send } = await scene(t);
  const url = 'https://shop.example/cat.png';
  await send({ type: 'image', url });
  await send({ type: 'image', url, text: null });
  assert.partialDeepStrictEqual(api.sent[0]?.body, { type: 'picture', media: url, text: 'Hello' });
  assert.partialDeepStrictEqual(api.sent[1]?.body, { type: 'picture', media: url, text: '' });
});

test('a file is sent with its size and its name', async (t) => {
  const { api, send, site } = await scene(t);
  for (const path of ['a%20b.pdf', 'chunked.pdf']) {
    await send({ type: 'document', url: `${site.root}/${path}`, text: null });
  }
  assert.partialDeepStrictEqual(api.sent[0]?.body, { type: 'file', size: 5, file_name: 'a b.pdf' });
  assert.partialDeepStrictEqual(api.sent[1]?.body, { type: 'file', size: 5, file_name: 'chunked.pdf' });
});

test('a file that is missing, too large, forbidden or beside a text is refused, and nothing is sent', async (t) => {
  const { api, send, site } = await scene(t);
  const document = { type: 'document' as const, text: null };
  const unfit: [message: Partial<OutgoingMessage>, detail: string][] = [
    [{ url: `${site.root}/gone.pdf` }, 'The address of the file answered 404.'],
    [{ url: `${site.root}/huge.pdf` }, 'The file is larger than 50 MiB.'],
    [{ url: `${site.root}/a.pdf`, text: 'Look' }, 'A file of Viber has no text beside it.'],
  ];
  for (const [message, detail] of unfit) {
    const error = { code: 'bad_content', detail };
    assert.deepEqual(await send({ ...document, ...message }), { sent: false, error });
  }
  assert.partialDeepStrictEqual(await send({ ...document, url: 'http://10.0.0.1/a.pdf' }), {
    error: { code: 'bad_content' },
  });
  assert.equal(api.sent.length, 0);
});

test('a file whose server fails for now has not been sent, and is tried again', async (t) => {
  const { send, site } = await scene(t);
  const document = { type: 'document' as const, url: `${site.root}/a.pdf`, text: null };
  const error = { code: 'temporary', mayHaveBeenSent: false };
  site.react(() => 'close');
  assert.partialDeepStrictEqual(await send(document), { error });
  site.react(() => ({ status: 503 }));
  assert.partialDeepStrictEqual(await send(document), { error });
});

test('a pressed button returns its label and its payload', async (t) => {
  const { api, send, heard } = await scene(t);
  const link = { text: 'Shop', url: 'https://shop.example/' };
  await send({ buttons: [{ text: 'Да', payload: 'да "1"' }, { text: 'No' }, link] });
  const keys = api.sent[0]?.body.keyboard.Buttons;
  assert.partialDeepStrictEqual(keys, [
    { ActionType: 'reply', ActionBody: 'да "1"', Text: 'Да' },
    { ActionType: 'reply', ActionBody: 'No', Text: 'No' },
    { ActionType: 'open-url', ActionBody: link.url, Text: 'Shop' },
  ]);
  const become: [said: string, message: object][] = [
    [keys[0].ActionBody, { type: 'button', text: 'Да', payload: 'да "1"' }],
    [keys[1].ActionBody, { type: 'button', text: 'No', payload: 'No' }],
    ['Hm', { type: 'text', text: 'Hm', payload: null }],
  ];
  for (const [said, message] of become) {
    await api.say(olga, { type: 'text', text: said });
    assert.partialDeepStrictEqual(eventsOf(heard.at(-1) ?? ''), [{ message }]);
  }
});

test('a pressed button with too many long labels beside it returns its payload, without its label', async (t) => {
  const { api, send, heard } = await scene(t);
  const buttons = Array.from({ length: 24 }, (_, n) => ({ text: `${n}`.padEnd(250, '.'), payload: `${n}` }));
  assert.partialDeepStrictEqual(await send({ buttons }), { sent: true });
  const { keyboard, tracking_data } = api.sent[0]?.body ?? assert.fail();
  assert.equal(keyboard.Buttons.length, 24);
  assert.ok(tracking_data.length <= 4_000);
  await api.say(olga, { type: 'text', text: '23' });
  assert.partialDeepStrictEqual(eventsOf(heard.at(-1) ?? ''), [
    { message: { type: 'button', text: null, payload: '23' } },
  ]);
  await api.say(olga, { type: 'text', text: '24' });
  assert.partialDeepStrictEqual(eventsOf(heard.at(-1) ?? ''), [{ message: { type: 'text', text: '24' } }]);
});

const refusals: [status: number, means: object][] = [
  [2, { code: 'auth' }],
  [3, { code: 'bad_content' }],
  [4, { code: 'bad_content' }],
  [5, { code: 'invalid_recipient' }],
  [6, { code: 'blocked' }],
  [7, { code: 'auth' }],
  [10, { code: 'auth' }],
  [11, { code: 'invalid_recipient' }],
  [12, { code: 'rate_limited', scope: 'chat', retryAfterMs: 5_000 }],
  [24, { code: 'auth' }],
  [777, { code: 'temporary', mayHaveBeenSent: false }],
];

for (const [status, means] of refusals) {
  test(`the refusal ${status} is understood`, async (t) => {
    const { api, send } = await scene(t);
    api.react(() => viberError(status, `In words, for ${settings.auth_token}.`));
    const error = { ...means, detail: 'In words, for ***.' };
    assert.partialDeepStrictEqual(await send({}), { sent: false, error });
  });
}

test("a response from another server than Viber's is no refusal", async (t) => {
  const { api, send } = await scene(t);
  api.react(() => ({ status: 502, body: '<html>' }));
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'temporary', mayHaveBeenSent: true } });
  api.react(() => ({ status: 200, body: '{"status":0,' }));
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'temporary', mayHaveBeenSent: true } });
  api.react(() => 'close');
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'temporary', mayHaveBeenSent: true } });
  api.react(() => ({ status: 429, headers: { 'retry-after': '7' }, body: '' }));
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'rate_limited', retryAfterMs: 7_000 } });
});

test('a client who left counts as blocked, and an unknown one as invalid', async (t) => {
  const { api, send } = await scene(t);
  api.people.set(olga.id, 'unsubscribed');
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'blocked' } });
  api.people.clear();
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'invalid_recipient' } });
});

/** The events of a signed callback. */
function eventsOf(event: object | Buffer | string) {
  const body = typeof event === 'string' || Buffer.isBuffer(event) ? event : viberJson(event);
  const verdict = deliver(viber, settings, { headers: viberSignature(settings.auth_token, body), body });
  assert.ok(verdict.accepted);
  assert.deepEqual(verdict.answer?.([]), { body: '' });
  return verdict.events;
}

const said = (message: object) => ({
  event: 'message',
  timestamp: 1_457_764_197_627,
  message_token: '4912661846655238145',
  sender: { ...olga, country: 'UK', language: 'en', api_version: 1 },
  message,
});

const media = 'https://dl-media.viber.com/1/file';

const inbound: [what: string, message: object, becomes: object][] = [
  ['text', { type: 'text', text: 'Hi' }, { type: 'text', text: 'Hi' }],
  [
    'picture',
    { type: 'picture', media, text: 'Look', file_name: 'a.jpg' },
    { type: 'image', text: 'Look', file: { url: media, name: 'a.jpg' } },
  ],
  [
    'file',
    { type: 'file', media, file_name: 'a.pdf', file_size: 10_000 },
    { type: 'document', text: null, file: { url: media, name: 'a.pdf' } },
  ],
  ['video', { type: 'video', media, duration: 5, size: 1 }, { type: 'document', file: { url: media } }],
  [
    'sticker with a picture',
    { type: 'sticker', media, sticker_id: 1 },
    { type: 'image', file: { url: media } },
  ],
  ['sticker', { type: 'sticker', sticker_id: 46105 }, { type: 'text', text: 'Sticker 46105' }],
  ['link', { type: 'url', media: 'https://a.example/' }, { type: 'text', text: 'https://a.example/' }],
  ['place', { type: 'location', location: { lat: 50.76891, lon: 6.11499 } }, { text: '50.76891, 6.11499' }],
  [
    'contact',
    { type: 'contact', contact: { name: 'Alex', phone_number: '+972511123123' } },
    { text: 'Alex +972511123123' },
  ],
];

for (const [what, message, becomes] of inbound) {
  test(`a ${what} becomes a message of its client`, () => {
    const [event, ...others] = eventsOf(said(message));
    assert.partialDeepStrictEqual(event, {
      kind: 'message',
      chat: { externalId: olga.id, name: 'Olga' },
      message: { externalId: '4912661846655238145', ...becomes },
    });
    assert.equal(others.length, 0);
  });
}

test('group messages and unknown events are no client’s messages', () => {
  assert.deepEqual(eventsOf({ ...said({ type: 'text', text: 'Hi' }), chat_id: 'g1' }), []);
  assert.deepEqual(eventsOf({ event: 'webhook', message_token: '1' }), []);
  assert.deepEqual(eventsOf({ event: 'conversation_started', message_token: '1', user: olga }), []);
  assert.deepEqual(eventsOf({ event: 'message', message_token: '1', sender: [], message: 5 }), []);
  assert.deepEqual(eventsOf('[1]'), []);
});

test('a link with a parameter is a start of a client who can be answered, and of no other', () => {
  const opened = { event: 'conversation_started', message_token: 491, type: 'open', user: olga };
  assert.partialDeepStrictEqual(eventsOf({ ...opened, context: 'spring', subscribed: true }), [
    {
      chat: { externalId: olga.id, name: 'Olga' },
      message: { externalId: '491', type: 'text', text: '/start spring', ref: 'spring' },
    },
  ]);
  assert.deepEqual(eventsOf({ ...opened, context: 'spring', subscribed: false }), []);
});

test('receipts name a message by all digits of its token', () => {
  const told = { message_token: '4912661846655238146', user_id: olga.id };
  const message = { providerId: '4912661846655238146' };
  assert.deepEqual(
    [
      ...eventsOf({ event: 'delivered', ...told }),
      ...eventsOf({ event: 'seen', ...told }),
      ...eventsOf({ event: 'failed', desc: 'failure description', ...told }),
    ],
    [
      { kind: 'receipt', message, state: 'delivered', detail: '' },
      { kind: 'receipt', message, state: 'read', detail: '' },
      { kind: 'receipt', message, state: 'undelivered', detail: 'failure description' },
    ],
  );
});

test('a client who unsubscribes has stopped the conversation', () => {
  assert.deepEqual(eventsOf({ event: 'unsubscribed', user_id: olga.id, message_token: '1' }), [
    { kind: 'stopped', chat: { externalId: olga.id } },
  ]);
});

test('a client who subscribes again, or opens the conversation as a subscriber, has returned', () => {
  const returned = [{ kind: 'returned', chat: { externalId: olga.id } }];
  assert.deepEqual(eventsOf({ event: 'subscribed', user: olga, message_token: '1' }), returned);
  const opened = { event: 'conversation_started', message_token: 491, type: 'open', user: olga };
  assert.deepEqual(eventsOf({ ...opened, subscribed: true }), returned);
  assert.deepEqual(eventsOf({ ...opened, subscribed: false }), []);
  assert.deepEqual(eventsOf(opened), []);
});

test('only the bot’s own signature over the exact bytes is accepted', () => {
  const body = viberJson(said({ type: 'text', text: 'Привет' }));
  const ask = (headers: Record<string, string>, bytes = body) =>
    deliver(viber, settings, { headers, body: bytes });
  const refused = { accepted: false, status: 403 };
  assert.deepEqual(ask({}), refused);
  assert.deepEqual(ask(viberSignature('another token', body)), refused);
  assert.deepEqual(ask(viberSignature(settings.auth_token, body), `${body} `), refused);
  assert.deepEqual(ask(viberSignature(settings.auth_token, '{'), '{'), { accepted: false, status: 400 });
});

test('the channel sends Viber its address, which must answer at once', async (t) => {
  const { api, client, own, heard } = await scene(t);
  assert.match(api.webhook() ?? '', /\/channels\/c\/$/);
  assert.partialDeepStrictEqual(JSON.parse(String(heard[0])), { event: 'webhook' });
  const mute = await startHttpApi(t, () => ({ status: 404 }));
  await assert.rejects(async () => viber.setup?.(own, mute.root, client), {
    message: 'Viber refused: invalidUrl',
  });
});

test("a wrong token is detected before the channel exists, in Viber's words", async (t) => {
  const { client, own } = await scene(t);
  assert.deepEqual(await viber.learn?.(own, client), {});
  await assert.rejects(async () => viber.learn?.({ ...own, auth_token: 'wrong' }, client), {
    message: 'Viber refused: invalidAuthToken',
  });
});
