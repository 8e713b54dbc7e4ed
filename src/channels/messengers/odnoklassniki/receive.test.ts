import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { odnoklassniki } from './adapter.ts';

const settings = { access_token: 'token' };

function eventsOf(body: object | string) {
  const verdict = deliver(odnoklassniki, settings, { body });
  assert.ok(verdict.accepted);
  return verdict.events;
}

const people = {
  sender: { user_id: 'user:123456789012', name: 'Anna K' },
  recipient: { chat_id: 'chat:C3ecb9d02a600' },
};

const said = (message: object, more: object = {}) =>
  eventsOf({
    webhookType: 'MESSAGE_CREATED',
    ...people,
    message: { seq: 1, mid: 'mid:C3.1', ...message },
    timestamp: 1_498_581_292_941,
    ...more,
  });

test('a text becomes a message of the chat, identified by its id', () => {
  assert.deepEqual(said({ text: 'Hi' }), [
    {
      kind: 'message',
      chat: { externalId: 'chat:C3ecb9d02a600', name: 'Anna K' },
      message: { externalId: 'mid:C3.1', type: 'text', text: 'Hi', url: null, payload: null },
    },
  ]);
});

test('the documented form without a type, with a number beyond 53 bits, is accepted too', () => {
  const body = `{"sender":{"user_id":"user:1"},"recipient":{"chat_id":"chat:C1"},
    "message":{"text":"text","seq":98211023614189661,"mid":"mid:C1.2"},"timestamp":1498581292941}`;
  assert.partialDeepStrictEqual(eventsOf(body), [{ message: { externalId: 'mid:C1.2', text: 'text' } }]);
});

const image = { type: 'IMAGE', payload: { url: 'https://i.ok.example/1' } };

test('each file of a message becomes one message, with the text in the first', () => {
  const file = { type: 'FILE', payload: { url: 'https://f.ok.example/2', name: 'a.pdf' } };
  assert.partialDeepStrictEqual(said({ text: 'Look', attachments: [image, file] }), [
    {
      message: {
        externalId: 'mid:C3.1',
        type: 'image',
        text: 'Look',
        file: { url: 'https://i.ok.example/1' },
      },
    },
    {
      message: {
        externalId: 'mid:C3.1:1',
        type: 'document',
        text: null,
        file: { url: 'https://f.ok.example/2', name: 'a.pdf' },
      },
    },
  ]);
  assert.partialDeepStrictEqual(said({ attachment: image }), [{ message: { type: 'image' } }]);
});

const contents: [what: string, attachment: object, message: object][] = [
  [
    'a voice',
    { type: 'AUDIO', payload: { url: 'https://a.ok/1' } },
    { type: 'document', file: { url: 'https://a.ok/1' } },
  ],
  [
    'a sticker',
    { type: 'STICKER', payload: { url: 'https://s.ok/1' } },
    { type: 'image', file: { url: 'https://s.ok/1' } },
  ],
  [
    'a place',
    { type: 'LOCATION', payload: { latitude: 55.7, longitude: 37.6 } },
    { type: 'text', text: '55.7, 37.6' },
  ],
  [
    'a contact',
    { type: 'CONTACT', payload: { name: 'Anna', phone: '+79991234567' } },
    { type: 'text', text: 'Anna +79991234567' },
  ],
  ['a link', { type: 'SHARE', payload: { url: 'https://ya.ru/' } }, { type: 'text', text: 'https://ya.ru/' }],
  [
    'a video',
    { type: 'VIDEO', payload: { url: 'https://ok.ru/v' } },
    { type: 'text', text: 'https://ok.ru/v' },
  ],
];

for (const [what, attachment, message] of contents) {
  test(`${what} becomes readable text`, () => {
    assert.partialDeepStrictEqual(said({ attachments: [attachment, { type: 'CALL' }, 5] }), [{ message }]);
  });
}

test('a pressed button sends its payload, and each press is one message', () => {
  const press = (timestamp: number) =>
    eventsOf({ webhookType: 'MESSAGE_CALLBACK', ...people, callbackId: 'c1', payload: 'да "1"', timestamp });
  assert.deepEqual(press(5), [
    {
      kind: 'message',
      chat: { externalId: 'chat:C3ecb9d02a600', name: 'Anna K' },
      message: { externalId: 'press:c1:5', type: 'button', text: null, url: null, payload: 'да "1"' },
    },
  ]);
  assert.partialDeepStrictEqual(press(6), [{ message: { externalId: 'press:c1:6' } }]);
});

test('the group’s own messages and unknown events are no client’s', () => {
  assert.deepEqual(said({ text: 'Hi' }, { sender: { user_id: 'group:1' } }), []);
  assert.deepEqual(said({ text: 'Hi' }, { webhookType: 'CHAT_SYSTEM' }), []);
  assert.deepEqual(eventsOf('[1]'), []);
  assert.deepEqual(eventsOf({ webhookType: 'MESSAGE_CALLBACK', sender: [[[]]] }), []);
  assert.deepEqual(deliver(odnoklassniki, settings, { body: '{"sen' }), { accepted: false, status: 400 });
});
