import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { graphError, signed } from '../../../simulator/graph/graph.ts';
import { graphNotification } from '../../../simulator/graph/messages.ts';
import { startInstagram } from '../../../simulator/instagram/provider.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { CredentialsRefused } from '../../contract/failure.ts';
import { overLimit } from '../../contract/limits.ts';
import { instagram } from './adapter.ts';

const account = {
  id: '17841405309211844',
  token: 'IGAA-token',
  app_secret: 'app-secret',
  verify_token: 'verify-me',
};
const { app_secret, verify_token } = account;
const settings = { access_token: account.token, app_secret, verify_token, account_id: account.id };
const client = '1254459154682919';

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: client },
};

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const meta = await startInstagram(t, account);
  meta.people.set(client, 'open');
  const http = { ...clientOver(testOutbound(t)), token: async () => account.token };
  const own = { ...settings, api_root: meta.root };
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const send = (message: Partial<OutgoingMessage>) =>
    instagram.send?.({ ...text, ...message }, own, http, attempt);
  return { meta, http, own, send };
}

test('texts, pictures, files and buttons are sent', async (t) => {
  const { meta, send } = await scene(t);
  const url = 'https://shop.example/a';
  assert.deepEqual(await send({}), { sent: true, providerId: 'm_00000001' });
  await send({ type: 'image', url, text: null });
  await send({ type: 'document', url, text: null });
  await send({ buttons: [{ text: 'Yes', payload: 'yes' }] });
  assert.equal(meta.calls[0]?.path, '/v25.0/me/messages');
  assert.deepEqual(
    meta.sent.map(({ body }) => body.message),
    [
      { text: 'Hello' },
      { attachment: { type: 'image', payload: { url } } },
      { attachment: { type: 'file', payload: { url } } },
      {
        attachment: {
          type: 'template',
          payload: {
            template_type: 'button',
            text: 'Hello',
            buttons: [{ type: 'postback', title: 'Yes', payload: 'yes' }],
          },
        },
      },
    ],
  );
});

test('a text has at most a thousand bytes, here as at Meta', async (t) => {
  const { send } = await scene(t);
  const fits = { ...text, text: 'я'.repeat(500) };
  const tooLong = { ...text, text: 'я'.repeat(501) };
  assert.equal(overLimit(instagram.limits, fits), null);
  assert.partialDeepStrictEqual(await send(fits), { sent: true });
  assert.match(overLimit(instagram.limits, tooLong) ?? '', /1002 bytes/);
  assert.partialDeepStrictEqual(await send(tooLong), { error: { code: 'bad_content' } });
});

test('a closed window, a client who blocked the account and an unknown client have different errors', async (t) => {
  const { meta, send } = await scene(t);
  meta.people.set(client, 'window_closed');
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'window_closed' } });
  meta.people.set(client, 'blocked');
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'blocked' } });
  meta.people.clear();
  assert.partialDeepStrictEqual(await send({}), { error: { code: 'invalid_recipient' } });
});

/** The events of a signed notification. */
function eventsOf(events: object[], id = account.id) {
  const body = graphNotification('instagram', id, events);
  const verdict = deliver(instagram, settings, { headers: signed(app_secret, body), body });
  assert.ok(verdict.accepted);
  return verdict.events;
}

const from = { sender: { id: client }, recipient: { id: account.id }, timestamp: 1_569_262_485_349 };
const cdn = 'https://lookaside.fbsbx.com/ig_messaging_cdn/?asset_id=1';

const inbound: [what: string, message: object, becomes: object][] = [
  ['text', { text: 'Привет' }, { type: 'text', text: 'Привет' }],
  [
    'picture',
    { attachments: [{ type: 'image', payload: { url: cdn } }] },
    { type: 'image', file: { url: cdn } },
  ],
  [
    'voice',
    { attachments: [{ type: 'audio', payload: { url: cdn } }] },
    { type: 'document', file: { url: cdn } },
  ],
  [
    'mention in a story',
    { attachments: [{ type: 'story_mention', payload: { url: cdn } }] },
    { type: 'document', file: { url: cdn } },
  ],
  ['shared post', { attachments: [{ type: 'share', payload: { url: cdn } }] }, { type: 'text', text: cdn }],
  [
    'answer to a story',
    { text: 'Nice', reply_to: { story: { url: cdn, id: '1' } } },
    { type: 'text', text: 'Nice' },
  ],
  [
    'pressed reply',
    { text: 'Yes', quick_reply: { payload: 'да' } },
    { type: 'button', text: 'Yes', payload: 'да' },
  ],
];

for (const [what, message, becomes] of inbound) {
  test(`a ${what} becomes a message of its client`, () => {
    const [event, ...others] = eventsOf([{ ...from, message: { mid: 'aWdf', ...message } }]);
    assert.partialDeepStrictEqual(event, {
      kind: 'message',
      chat: { externalId: client },
      message: { externalId: 'aWdf', ...becomes },
    });
    assert.equal(others.length, 0);
  });
}

test('a pressed button sends its label and its payload', () => {
  const postback = { mid: 'aWdf', title: 'Yes', payload: 'yes' };
  assert.partialDeepStrictEqual(eventsOf([{ ...from, postback }]), [
    { message: { externalId: 'aWdf', type: 'button', text: 'Yes', payload: 'yes' } },
  ]);
});

test('the parameter of a link into an existing conversation is a start', () => {
  const referral = { ref: 'spring', source: 'IGME-SOURCE-LINK', type: 'OPEN_THREAD' };
  assert.partialDeepStrictEqual(eventsOf([{ ...from, referral }]), [
    { message: { externalId: `start:${client}:${from.timestamp}`, text: '/start spring', ref: 'spring' } },
  ]);
});

test('a read receipt names the message that was read', () => {
  assert.deepEqual(eventsOf([{ ...from, read: { mid: 'aWdf' } }]), [
    { kind: 'receipt', message: { providerId: 'aWdf' }, state: 'read', detail: '' },
  ]);
});

test('echoes, withdrawn and unsupported messages, and other accounts of the app are no client’s messages', () => {
  const message = { mid: 'aWdf', text: 'Hi' };
  const own = { ...from, sender: { id: account.id }, message: { ...message, is_echo: true } };
  assert.deepEqual(eventsOf([own]), []);
  assert.deepEqual(eventsOf([{ ...from, message: { mid: 'aWdf', is_deleted: true } }]), []);
  assert.deepEqual(eventsOf([{ ...from, message: { mid: 'aWdf', is_unsupported: true } }]), []);
  assert.deepEqual(eventsOf([{ ...from, message }], '1'), []);
});

test('requests without a valid token or signature are refused', () => {
  const body = graphNotification('instagram', account.id, []);
  const refused = { accepted: false, status: 403 };
  assert.deepEqual(deliver(instagram, settings, { headers: signed('another secret', body), body }), refused);
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'guess', 'hub.challenge': '00123' };
  assert.deepEqual(deliver(instagram, settings, { method: 'GET', query }), refused);
  const right = deliver(instagram, settings, {
    method: 'GET',
    query: { ...query, 'hub.verify_token': verify_token },
  });
  assert.deepEqual(right.accepted && right.answer?.([]), { body: '00123' });
});

test('a new channel learns the id of its account in webhooks, and subscribes the app to it', async (t) => {
  const { meta, http, own } = await scene(t);
  assert.deepEqual(await instagram.learn?.(own, http), { account_id: account.id });
  await instagram.setup?.(own, 'https://patchbay.example/channels/c/', http);
  assert.deepEqual(meta.subscribed(), [
    'messages',
    'messaging_postbacks',
    'messaging_referral',
    'messaging_seen',
  ]);
});

test('the guide names the events to which the app is subscribed', async (t) => {
  const { meta, http, own } = await scene(t);
  await instagram.setup?.(own, 'https://patchbay.example/channels/c/', http);
  const [address] = instagram.guide.after;
  const named = `: ${meta.subscribed().join(', ')}.`;
  assert.deepEqual([address?.text.en.endsWith(named), address?.text.ru.endsWith(named)], [true, true]);
});

test("a wrong token is detected before the channel exists, in Meta's words", async (t) => {
  const { http, own } = await scene(t);
  await assert.rejects(async () => instagram.learn?.({ ...own, access_token: 'wrong' }, http), {
    message: 'Meta refused: Invalid OAuth access token - Cannot parse access token',
  });
});

const day = 24 * 3_600_000;

test('a token is exchanged for another sixty days, and the new one for the next', async (t) => {
  const { meta, http, own } = await scene(t);
  const renewed = await instagram.token?.(own, http);
  assert.deepEqual(renewed, { value: 'IGAA-token+', livesMs: 60 * day });
  assert.deepEqual(await instagram.token?.(own, http, renewed?.value), {
    value: 'IGAA-token++',
    livesMs: 60 * day,
  });
  const client = { ...http, token: async () => 'IGAA-token++' };
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  assert.partialDeepStrictEqual(await instagram.send?.(text, own, client, attempt), { sent: true });
  assert.equal(meta.calls.at(-1)?.headers.authorization, 'Bearer IGAA-token++');
});

test('a token that Meta does not renew today is used for another day, and a lapsed one is refused', async (t) => {
  const { meta, http, own } = await scene(t);
  const young = graphError(400, 100, 'The access token is too new.');
  for (const answer of [young, { status: 500, body: '<html>' }, 'close' as const]) {
    meta.react(() => answer);
    assert.deepEqual(await instagram.token?.(own, http, 'known'), { value: 'known', livesMs: day });
  }
  meta.react(() => null);
  await assert.rejects(async () => instagram.token?.(own, http, 'lapsed'), CredentialsRefused);
});
