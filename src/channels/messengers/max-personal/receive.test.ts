import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { maxPersonal } from './adapter.ts';

const settings = { instance_id: '3100000001', api_token: 'token', webhook_token: 's3cret' };

function eventsOf(body: object | string) {
  const verdict = deliver(maxPersonal, settings, { body, headers: { authorization: 'Bearer s3cret' } });
  assert.ok(verdict.accepted);
  return verdict.events;
}

const sender = { chatId: '10000000', sender: '10000000', senderName: 'Anna', senderPhoneNumber: 79991112233 };

const said = (messageData: object, senderData: object = sender) =>
  eventsOf({
    typeWebhook: 'incomingMessageReceived',
    instanceData: { idInstance: 3100000001, wid: '79990000000@c.us', typeInstance: 'v3' },
    timestamp: 1_763_115_112,
    idMessage: '1763115112345',
    senderData,
    messageData,
  });

const words = { typeMessage: 'textMessage', textMessageData: { textMessage: 'Hi', isForwarded: false } };

test('a text becomes a message of the client, at the same address as a chat opened by phone', () => {
  assert.deepEqual(said(words), [
    {
      kind: 'message',
      chat: { externalId: '+79991112233', lastingId: '10000000', phone: '+79991112233', name: 'Anna' },
      message: {
        externalId: '10000000:1763115112345',
        type: 'text',
        text: 'Hi',
        url: null,
        payload: null,
      },
    },
  ]);
});

test('a client with a hidden number is identified by their chat', () => {
  assert.partialDeepStrictEqual(said(words, { chatId: '10000000', senderContactName: 'Anna' }), [
    { chat: { externalId: '10000000', name: 'Anna' } },
  ]);
  assert.partialDeepStrictEqual(said(words, { chatId: 10000000, senderPhoneNumber: 0 }), [
    { chat: { externalId: '10000000' } },
  ]);
});

const url = 'https://sw-media.example/1';
const file = (typeMessage: string, more: object = {}) => ({
  typeMessage,
  fileMessageData: { downloadUrl: url, caption: '', fileName: 'a.bin', mimeType: 'x/y', ...more },
});

const contents: [what: string, data: object, message: object][] = [
  [
    'a picture',
    file('imageMessage', { caption: 'Look' }),
    { type: 'image', text: 'Look', file: { url, name: 'a.bin' } },
  ],
  ['a sticker', file('stickerMessage'), { type: 'image', text: null, file: { url } }],
  ['a document', file('documentMessage'), { type: 'document', text: null, file: { url, name: 'a.bin' } }],
  [
    'a file that the gateway did not fetch',
    file('videoMessage', { downloadUrl: '', caption: 'Look' }),
    { type: 'text', text: 'Look' },
  ],
  ['one without words', file('documentMessage', { downloadUrl: null }), { type: 'text', text: 'a.bin' }],
  ['a voice', file('audioMessage', { fileName: null }), { type: 'document', file: { url } }],
  ['a video', file('videoMessage'), { type: 'document', file: { url } }],
  [
    'a text with a link',
    { typeMessage: 'extendedTextMessage', extendedTextMessageData: { text: 'https://ya.ru' } },
    { type: 'text', text: 'https://ya.ru' },
  ],
  [
    'a place',
    {
      typeMessage: 'locationMessage',
      locationMessageData: { nameLocation: 'Shop', address: '', latitude: 55.7, longitude: 37.6 },
    },
    { type: 'text', text: 'Shop\n55.7, 37.6' },
  ],
  [
    'a contact',
    {
      typeMessage: 'contactMessage',
      contactMessageData: { displayName: 'Ivan', phoneNumber: '79995556677' },
    },
    { type: 'text', text: 'Ivan 79995556677' },
  ],
];

for (const [what, data, message] of contents) {
  test(`${what} becomes readable text`, () => {
    assert.partialDeepStrictEqual(said(data), [{ message }]);
  });
}

test('receipts name their message by its id, with the reason of a failure', () => {
  const status = (state: string, more: object = {}) =>
    eventsOf({ typeWebhook: 'outgoingMessageStatus', chatId: '1', idMessage: '176', status: state, ...more });
  const message = { providerId: '176' };
  assert.deepEqual(status('delivered'), [{ kind: 'receipt', message, state: 'delivered', detail: '' }]);
  assert.deepEqual(status('read'), [{ kind: 'receipt', message, state: 'read', detail: '' }]);
  assert.deepEqual(status('failed', { description: 'No way' }), [
    { kind: 'receipt', message, state: 'undelivered', detail: 'No way' },
  ]);
  assert.deepEqual(status('noAccount'), [
    { kind: 'receipt', message, state: 'undelivered', detail: 'noAccount' },
  ]);
  assert.deepEqual(status('sent'), []);
  assert.deepEqual(status('constructor'), []);
});

test('an id of 64 bits keeps its digits', () => {
  const body = '{"typeWebhook":"outgoingMessageStatus","idMessage":9223372036854775807,"status":"read"}';
  assert.partialDeepStrictEqual(eventsOf(body), [{ message: { providerId: '9223372036854775807' } }]);
});

test('the account’s own messages, group messages and unknown notifications are no client’s', () => {
  const own = { idMessage: '1', senderData: sender, messageData: words };
  assert.deepEqual(eventsOf({ typeWebhook: 'outgoingAPIMessageReceived', ...own }), []);
  assert.deepEqual(eventsOf({ typeWebhook: 'outgoingMessageReceived', ...own }), []);
  assert.deepEqual(said(words, { ...sender, chatId: '-10000000' }), []);
  assert.deepEqual(said({ typeMessage: 'reactionMessage', extendedTextMessageData: { text: '👍' } }), []);
  assert.deepEqual(eventsOf({ typeWebhook: 'stateInstanceChanged', stateInstance: 'authorized' }), []);
  assert.deepEqual(eventsOf({ typeWebhook: 'incomingMessageReceived', messageData: [[[]]] }), []);
  assert.deepEqual(eventsOf('[1]'), []);
});

test('notifications without the token, or with another, are refused', () => {
  const refused = { accepted: false, status: 403 };
  assert.deepEqual(deliver(maxPersonal, settings, { body: {} }), refused);
  assert.deepEqual(
    deliver(maxPersonal, settings, { body: {}, headers: { authorization: 'Bearer x' } }),
    refused,
  );
  const headers = { authorization: 's3cret' };
  assert.deepEqual(deliver(maxPersonal, settings, { body: {}, headers }), { accepted: true, events: [] });
  assert.deepEqual(deliver(maxPersonal, settings, { body: '{"ty', headers }), {
    accepted: false,
    status: 400,
  });
});
