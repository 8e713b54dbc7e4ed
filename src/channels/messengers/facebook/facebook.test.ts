import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { startFacebook } from '../../../simulator/facebook/provider.ts';
import { graphError, signed } from '../../../simulator/graph/graph.ts';
import { graphNotification } from '../../../simulator/graph/messages.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { facebook } from './adapter.ts';

const page = {
  id: '102030405060708',
  token: 'EAAG-page-token',
  app_secret: 'app-secret',
  verify_token: 'verify-me',
};
const { app_secret, verify_token } = page;
const settings = { page_access_token: page.token, app_secret, verify_token, page_id: page.id };
const client = '6543210987654321';

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: client },
};

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const meta = await startFacebook(t, page);
  meta.people.set(client, 'open');
  const http = clientOver(testOutbound(t));
  const own = { ...settings, api_root: meta.root };
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const send = (message: Partial<OutgoingMessage>) =>
    facebook.send?.({ ...text, ...message }, own, http, attempt);
  return { meta, http, own, send };
}

test('a text is an answer to the client, and its mid is the provider’s id', async (t) => {
  const { meta, send } = await scene(t);
  assert.deepEqual(await send({}), { sent: true, providerId: 'm_00000001' });
  assert.equal(meta.calls[0]?.path, '/v25.0/me/messages');
  assert.deepEqual(meta.sent[0]?.body, {
    recipient: { id: client },
    messaging_type: 'RESPONSE',
    message: { text: 'Hello' },
  });
});

test('only a person’s answer has a tag, from a day to a week after the client wrote', async (t) => {
  const { meta, send } = await scene(t);
  const hour = 3_600_000;
  const kinds: unknown[] = [];
  for (const hours of [23.9, 24.1, 167.9, 168.1]) {
    const answers = { externalId: 'm_in', subject: null, at: new Date(Date.now() - hours * hour) };
    for (const person of [{ byPerson: true } as const, {}]) {
      await send({ answers, ...person });
      const { messaging_type, tag } = meta.sent.at(-1)?.body ?? {};
      kinds.push([hours, 'byPerson' in person, messaging_type, tag]);
    }
  }
  assert.deepEqual(kinds, [
    [23.9, true, 'RESPONSE', undefined],
    [23.9, false, 'RESPONSE', undefined],
    [24.1, true, 'MESSAGE_TAG', 'HUMAN_AGENT'],
    [24.1, false, 'RESPONSE', undefined],
    [167.9, true, 'MESSAGE_TAG', 'HUMAN_AGENT'],
    [167.9, false, 'RESPONSE', undefined],
    [168.1, true, 'RESPONSE', undefined],
    [168.1, false, 'RESPONSE', undefined],
  ]);
});

const yes = { text: 'Yes', payload: 'yes' };
const shop = { text: 'Shop', url: 'https://shop.example/' };
const url = 'https://shop.example/cat.png';

const buttonTemplate = (words: string, buttons: object[]) => ({
  attachment: { type: 'template', payload: { template_type: 'button', text: words, buttons } },
});

const yesReply = { content_type: 'text', title: 'Yes', payload: 'yes' };

const messages: [what: string, given: Partial<OutgoingMessage>, message: object][] = [
  ['a picture', { type: 'image', url, text: null }, { attachment: { type: 'image', payload: { url } } }],
  ['a document', { type: 'document', url, text: null }, { attachment: { type: 'file', payload: { url } } }],
  [
    'a text with buttons',
    { buttons: [yes, { text: 'No' }, shop] },
    buttonTemplate('Hello', [
      { type: 'postback', title: 'Yes', payload: 'yes' },
      { type: 'postback', title: 'No', payload: 'No' },
      { type: 'web_url', title: 'Shop', url: shop.url },
    ]),
  ],
  [
    'a long text with a reply',
    { text: 'x'.repeat(641), buttons: [yes] },
    { text: 'x'.repeat(641), quick_replies: [yesReply] },
  ],
  [
    'a text with four replies',
    { buttons: Array.from({ length: 4 }, () => yes) },
    { text: 'Hello', quick_replies: Array.from({ length: 4 }, () => yesReply) },
  ],
  [
    'a picture with a reply',
    { type: 'image', url, text: null, buttons: [yes] },
    { attachment: { type: 'image', payload: { url } }, quick_replies: [yesReply] },
  ],
];

for (const [what, given, message] of messages) {
  test(`${what} has the form of the Send API`, async (t) => {
    const { meta, send } = await scene(t);
    assert.partialDeepStrictEqual(await send(given), { sent: true });
    assert.deepEqual(meta.sent[0]?.body.message, message);
  });
}

test('content that the Send API does not support is refused without a call', async (t) => {
  const { meta, send } = await scene(t);
  const unfit: Partial<OutgoingMessage>[] = [
    { type: 'image', url },
    { type: 'image', url, text: null, buttons: [shop] },
    { buttons: [yes, yes, yes, shop] },
    { text: 'x'.repeat(641), buttons: [shop] },
    { type: 'template' },
  ];
  for (const message of unfit) {
    assert.partialDeepStrictEqual(await send(message), { sent: false, error: { code: 'bad_content' } });
  }
  assert.equal(meta.calls.length, 0);
});

test('a closed window, a client who blocked the page and an unknown client have different errors', async (t) => {
  const { meta, send } = await scene(t);
  meta.people.set(client, 'window_closed');
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'window_closed' } });
  meta.people.set(client, 'blocked');
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'blocked' } });
  meta.people.clear();
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'invalid_recipient' } });
});

const refusals: [status: number, code: number, subcode: number | undefined, means: object][] = [
  [400, 10, 2018065, { code: 'window_closed' }],
  [400, 10, 2018108, { code: 'blocked' }],
  [400, 10, 9999999, { code: 'bad_content' }],
  [403, 10, undefined, { code: 'auth' }],
  [403, 200, undefined, { code: 'auth' }],
  [400, 190, 460, { code: 'auth' }],
  [400, 100, 2018109, { code: 'bad_content' }],
  [400, 613, undefined, { code: 'rate_limited', retryAfterMs: 5_000, scope: 'channel' }],
  [400, 4, 2018022, { code: 'rate_limited' }],
  ...[17, 32, 80002, 80004, 80006].map((code): (typeof refusals)[number] => [
    400,
    code,
    undefined,
    { code: 'rate_limited', retryAfterMs: 5_000, scope: 'channel' },
  ]),
  [400, 1200, undefined, { code: 'temporary' }],
  [500, 2, undefined, { code: 'temporary', mayHaveBeenSent: true }],
  [400, 777777, undefined, { code: 'bad_content' }],
];

for (const [status, code, subcode, means] of refusals) {
  test(`the refusal ${code}/${subcode ?? 0} is understood`, async (t) => {
    const { meta, send } = await scene(t);
    meta.react(() =>
      graphError(status, code, `(#${code}) For ${page.token}.`, { ...(subcode && { subcode }) }),
    );
    const error = { ...means, detail: `(#${code}) For ***.` };
    assert.partialDeepStrictEqual(await send({}), { sent: false, error });
  });
}

test("a response from another server than Meta's is no refusal", async (t) => {
  const { meta, send } = await scene(t);
  meta.react(() => ({ status: 502, body: '<html>' }));
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'temporary', mayHaveBeenSent: true } });
  meta.react(() => 'close');
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'temporary', mayHaveBeenSent: true } });
  meta.react(() => ({ status: 429, headers: { 'retry-after': '7' }, body: '' }));
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'rate_limited', retryAfterMs: 7_000 } });
});

/** The events of a signed notification. */
function eventsOf(events: object[], id = page.id) {
  const body = graphNotification('page', id, events);
  const verdict = deliver(facebook, settings, { headers: signed(app_secret, body), body });
  assert.ok(verdict.accepted);
  return verdict.events;
}

const from = { sender: { id: client }, recipient: { id: page.id }, timestamp: 1_569_262_485_349 };
const file = (type: string, address: string) => ({ type, payload: { url: address } });
const cdn = 'https://cdn.fbsbx.com/v/1';

const inbound: [what: string, message: object, becomes: object][] = [
  ['text', { text: 'Привет 👋' }, { type: 'text', text: 'Привет 👋', payload: null }],
  ['picture', { attachments: [file('image', cdn)] }, { type: 'image', text: null, file: { url: cdn } }],
  [
    'sticker',
    { attachments: [{ type: 'image', payload: { url: cdn, sticker_id: 369239263222822 } }] },
    { type: 'image', file: { url: cdn } },
  ],
  ['file', { attachments: [file('file', cdn)] }, { type: 'document', file: { url: cdn } }],
  ['voice', { attachments: [file('audio', cdn)] }, { type: 'document', file: { url: cdn } }],
  [
    'place',
    { attachments: [{ type: 'location', title: 'Café', payload: { coordinates: { lat: 1.5, long: 2.5 } } }] },
    { type: 'text', text: 'Café\n1.5, 2.5' },
  ],
  [
    'shared link',
    { attachments: [{ type: 'fallback', title: 'A page', url: 'https://a.example/', payload: null }] },
    { type: 'text', text: 'A page\nhttps://a.example/' },
  ],
  [
    'text with a link',
    {
      text: 'Look: a.example',
      attachments: [{ type: 'fallback', title: 'A page', url: 'https://a.example/' }],
    },
    { type: 'text', text: 'Look: a.example' },
  ],
  [
    'pressed reply',
    { text: 'Yes', quick_reply: { payload: 'да "1"' } },
    { type: 'button', text: 'Yes', payload: 'да "1"' },
  ],
];

for (const [what, message, becomes] of inbound) {
  test(`a ${what} becomes a message of its client`, () => {
    const [event, ...others] = eventsOf([{ ...from, message: { mid: 'm_1', ...message } }]);
    assert.partialDeepStrictEqual(event, {
      kind: 'message',
      chat: { externalId: client },
      message: { externalId: 'm_1', ...becomes },
    });
    assert.equal(others.length, 0);
  });
}

test('each file of a message becomes one message, with the text in the first', () => {
  const attachments = [file('image', `${cdn}a`), file('image', `${cdn}b`)];
  assert.partialDeepStrictEqual(eventsOf([{ ...from, message: { mid: 'm_1', text: 'Look', attachments } }]), [
    { message: { externalId: 'm_1', text: 'Look', file: { url: `${cdn}a` } } },
    { message: { externalId: 'm_1:1', text: null, file: { url: `${cdn}b` } } },
  ]);
});

test('a pressed button sends its label and its payload', () => {
  const postback = { mid: 'm_2', title: 'Yes', payload: 'yes' };
  assert.partialDeepStrictEqual(eventsOf([{ ...from, postback }]), [
    {
      chat: { externalId: client },
      message: { externalId: 'm_2', type: 'button', text: 'Yes', payload: 'yes' },
    },
  ]);
});

test('the parameter of a link comes with a first press, with a message, or alone as a start', () => {
  const referral = { ref: 'spring', source: 'SHORTLINK', type: 'OPEN_THREAD' };
  const events = eventsOf([
    { ...from, postback: { mid: 'm_3', title: 'Get started', payload: 'go', referral } },
    { ...from, message: { mid: 'm_4', text: 'Hi', referral } },
    { ...from, timestamp: 1_458_692_752_478, referral },
    { ...from, referral: { source: 'ADS', type: 'OPEN_THREAD' } },
  ]);
  assert.partialDeepStrictEqual(events, [
    { message: { externalId: 'm_3', type: 'button', payload: 'go', ref: 'spring' } },
    { message: { externalId: 'm_4', text: 'Hi', ref: 'spring' } },
    { message: { externalId: `start:${client}:1458692752478`, text: '/start spring', ref: 'spring' } },
  ]);
  assert.equal(events.length, 3);
});

test('delivery receipts name messages and a time, and read receipts a time', () => {
  const watermark = 1_458_668_856_253;
  const until = { chat: client, until: new Date(watermark) };
  assert.deepEqual(
    eventsOf([
      { ...from, delivery: { mids: ['m_1'], watermark } },
      { ...from, read: { watermark } },
    ]),
    [
      { kind: 'receipt', message: { providerId: 'm_1' }, state: 'delivered', detail: '' },
      { kind: 'receipt', message: until, state: 'delivered', detail: '' },
      { kind: 'receipt', message: until, state: 'read', detail: '' },
    ],
  );
});

test('echoes, other pages of the app and unknown events are no client’s messages', () => {
  const message = { mid: 'm_1', text: 'Hi' };
  assert.deepEqual(eventsOf([{ ...from, message: { ...message, is_echo: true } }]), []);
  assert.deepEqual(eventsOf([{ ...from, message }], '1'), []);
  assert.deepEqual(eventsOf([{ ...from, reaction: { emoji: '❤' } }, { sender: 5 }, []]), []);
});

test('only the app’s signature over the exact bytes is accepted', () => {
  const body = graphNotification('page', page.id, [{ ...from, message: { mid: 'm_1', text: 'Привет' } }]);
  const ask = (headers: Record<string, string>, bytes = body) =>
    deliver(facebook, settings, { headers, body: bytes });
  const refused = { accepted: false, status: 403 };
  assert.deepEqual(ask({}), refused);
  assert.deepEqual(ask(signed('another secret', body)), refused);
  assert.deepEqual(ask(signed(app_secret, body), JSON.stringify(JSON.parse(body))), refused);
  assert.deepEqual(ask(signed(app_secret, '{'), '{'), { accepted: false, status: 400 });
});

test('only the right verify token gets its challenge back, byte for byte', () => {
  const ask = (token: string) =>
    deliver(facebook, settings, {
      method: 'GET',
      query: { 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '00123' },
    });
  const right = ask(verify_token);
  assert.deepEqual(right.accepted && right.answer?.([]), { body: '00123' });
  assert.deepEqual(ask('guess'), { accepted: false, status: 403 });
});

test('a new channel learns its page, and subscribes the app to its events', async (t) => {
  const { meta, http, own } = await scene(t);
  assert.deepEqual(await facebook.learn?.(own, http), { page_id: page.id });
  await facebook.setup?.(own, 'https://patchbay.example/channels/c/', http);
  assert.deepEqual(meta.subscribed(), [
    'messages',
    'messaging_postbacks',
    'messaging_referrals',
    'message_deliveries',
    'message_reads',
  ]);
});

test('the guide names the events to which the app is subscribed', async (t) => {
  const { meta, http, own } = await scene(t);
  await facebook.setup?.(own, 'https://patchbay.example/channels/c/', http);
  const [address] = facebook.guide.after;
  const named = `: ${meta.subscribed().join(', ')}.`;
  assert.deepEqual([address?.text.en.endsWith(named), address?.text.ru.endsWith(named)], [true, true]);
});

test("a wrong token is detected before the channel exists, in Meta's words", async (t) => {
  const { http, own } = await scene(t);
  await assert.rejects(async () => facebook.learn?.({ ...own, page_access_token: 'wrong' }, http), {
    message: 'Meta refused: Invalid OAuth access token - Cannot parse access token',
  });
});
