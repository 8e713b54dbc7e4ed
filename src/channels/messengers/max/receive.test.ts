import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliver } from '../../../../test/adapter.ts';
import { max } from './adapter.ts';

const settings = { access_token: 'token', secret: 's3cret' };

const user = { user_id: 777, first_name: 'Anna', last_name: 'K', username: 'anna', is_bot: false };
const recipient = { chat_id: 100_500, chat_type: 'dialog', user_id: 1 };

function eventsOf(body: object | string) {
  const verdict = deliver(max, settings, { body, headers: { 'x-max-bot-api-secret': 's3cret' } });
  assert.ok(verdict.accepted);
  return verdict.events;
}

const said = (body: object, more: object = {}) =>
  eventsOf({
    update_type: 'message_created',
    timestamp: 1_700_000_000_000,
    user_locale: 'ru',
    message: { sender: user, recipient, timestamp: 1, body: { mid: 'mid.1', seq: 2, ...body }, ...more },
  });

const attached = (...attachments: object[]) => said({ text: null, attachments });

test('a text becomes a message of the client, identified by its id', () => {
  assert.deepEqual(said({ text: 'Hi', attachments: null }), [
    {
      kind: 'message',
      chat: { externalId: '777', name: 'Anna K', username: 'anna' },
      message: { externalId: 'mid.1', type: 'text', text: 'Hi', url: null, payload: null },
    },
  ]);
});

test('an id of 64 bits keeps its digits', () => {
  const body = JSON.stringify({
    update_type: 'message_created',
    message: { sender: user, recipient, body: { mid: 'm', text: 'Hi' } },
  }).replace('777', '9223372036854775807');
  assert.partialDeepStrictEqual(eventsOf(body), [{ chat: { externalId: '9223372036854775807' } }]);
});

const photo = { type: 'image', payload: { photo_id: 1, token: 't', url: 'https://i.max.example/1' } };
const file = {
  type: 'file',
  payload: { token: 't', url: 'https://f.max.example/2' },
  filename: 'a.pdf',
  size: 3,
};

test('each file of a message becomes one message, with the text in the first', () => {
  assert.partialDeepStrictEqual(said({ text: 'Look', attachments: [photo, file] }), [
    {
      message: { externalId: 'mid.1', type: 'image', text: 'Look', file: { url: 'https://i.max.example/1' } },
    },
    {
      message: {
        externalId: 'mid.1:1',
        type: 'document',
        text: null,
        file: { url: 'https://f.max.example/2', name: 'a.pdf' },
      },
    },
  ]);
});

test('voices, stickers and videos are files', () => {
  assert.partialDeepStrictEqual(
    attached({ type: 'audio', payload: { token: 't', url: 'https://a.max/v' } }),
    [{ message: { type: 'document', file: { url: 'https://a.max/v' } } }],
  );
  assert.partialDeepStrictEqual(
    attached({ type: 'sticker', payload: { code: 'c', url: 'https://s.max/1' } }),
    [{ message: { type: 'image', file: { url: 'https://s.max/1' } } }],
  );
  assert.partialDeepStrictEqual(
    attached({ type: 'video', payload: { token: 'v1', url: 'https://v.max/1' } }),
    [{ message: { type: 'document', file: { reference: 'v1', name: 'video.mp4' } } }],
  );
});

test('places, links and contacts become text', () => {
  assert.partialDeepStrictEqual(attached({ type: 'location', latitude: 55.7, longitude: 37.6 }), [
    { message: { type: 'text', text: '55.7, 37.6' } },
  ]);
  assert.partialDeepStrictEqual(
    attached({ type: 'share', title: 'Shop', payload: { url: 'https://shop.example/' } }),
    [{ message: { type: 'text', text: 'Shop https://shop.example/' } }],
  );
});

const card = 'BEGIN:VCARD\r\nVERSION:3.0\r\nTEL;TYPE=cell:79991234567\r\nFN:Anna K\r\nEND:VCARD';

test('a contact is the client’s own phone only if Max says so', () => {
  const contact = (user_id: number) => ({
    type: 'contact',
    payload: { vcf_info: card, max_info: { ...user, user_id } },
  });
  assert.partialDeepStrictEqual(attached(contact(777)), [
    { chat: { phone: '+79991234567' }, message: { text: 'Anna K 79991234567' } },
  ]);
  const [event] = attached(contact(5));
  assert.ok(event?.kind === 'message' && event.chat.phone === undefined);
});

test('a card with two numbers tells no phone, whatever a name looks like', () => {
  for (const [name, phone] of [
    ['Anna\nTEL:79997654321', undefined],
    ['Anna\nTEL:79991234567', '+79991234567'],
    ['TEL:79997654321', '+79991234567'],
  ] as const) {
    const vcf_info = `BEGIN:VCARD\r\nFN:${name}\r\nTEL;TYPE=cell:79991234567\r\nEND:VCARD`;
    const [event] = attached({ type: 'contact', payload: { vcf_info, max_info: { ...user, user_id: 777 } } });
    assert.ok(event?.kind === 'message');
    assert.equal(event.chat.phone, phone, name);
  }
});

test('forwarded content is part of its message', () => {
  const link = {
    type: 'forward',
    message: { mid: 'mid.0', seq: 1, text: 'Said before', attachments: [photo] },
  };
  assert.partialDeepStrictEqual(said({ text: null }, { link }), [
    { message: { externalId: 'mid.1', type: 'image', text: 'Said before' } },
  ]);
  assert.partialDeepStrictEqual(said({ text: 'Yes' }, { link: { ...link, type: 'reply' } }), [
    { message: { type: 'text', text: 'Yes' } },
  ]);
});

test('a pressed button sends its payload, and its label if the message is included', () => {
  const keyboard = {
    type: 'inline_keyboard',
    payload: { buttons: [[{ type: 'callback', text: 'Yes', payload: 'да "1"' }]] },
  };
  const callback = { timestamp: 1, callback_id: 'c1', payload: 'да "1"', user };
  const message = {
    sender: { ...user, is_bot: true },
    recipient,
    body: { mid: 'm', attachments: [keyboard] },
  };
  const press = { externalId: 'press:c1:1', type: 'button', url: null, payload: 'да "1"' };
  assert.partialDeepStrictEqual(eventsOf({ update_type: 'message_callback', callback, message }), [
    { chat: { externalId: '777' }, message: { ...press, text: 'Yes' } },
    { kind: 'pressed', press: { callback_id: 'c1' } },
  ]);
  assert.partialDeepStrictEqual(eventsOf({ update_type: 'message_callback', callback, message: null }), [
    { message: { ...press, text: null } },
    { kind: 'pressed' },
  ]);
  const again = { ...callback, timestamp: 2 };
  assert.partialDeepStrictEqual(eventsOf({ update_type: 'message_callback', callback: again, message }), [
    { message: { externalId: 'press:c1:2' } },
    { kind: 'pressed' },
  ]);
});

test("a client who starts the bot is a message with the link's parameter; a client who stops gets nothing more", () => {
  const started = { update_type: 'bot_started', timestamp: 5, chat_id: 100_500, user };
  assert.partialDeepStrictEqual(eventsOf({ ...started, payload: 'ref7' }), [
    {
      kind: 'message',
      message: { externalId: 'start:777:5', type: 'text', text: '/start ref7', ref: 'ref7' },
    },
  ]);
  assert.partialDeepStrictEqual(eventsOf({ ...started, payload: null }), [{ message: { text: '/start' } }]);
  assert.deepEqual(eventsOf({ update_type: 'bot_stopped', timestamp: 6, chat_id: 100_500, user }), [
    { kind: 'stopped', chat: { externalId: '777' } },
  ]);
});

test('messages of bots, group messages and unknown updates are no client’s', () => {
  assert.deepEqual(said({ text: 'Hi' }, { sender: { ...user, is_bot: true } }), []);
  assert.deepEqual(said({ text: 'Hi' }, { recipient: { chat_id: -5, chat_type: 'chat' } }), []);
  assert.deepEqual(eventsOf({ update_type: 'chat_title_changed', title: 'x' }), []);
  assert.deepEqual(eventsOf('[1]'), []);
  assert.deepEqual(eventsOf({ update_type: 'message_created', message: [[[]]] }), []);
});

test('updates without the secret, or with another, are refused', () => {
  const body = { update_type: 'bot_stopped', user };
  const refused = { accepted: false, status: 403 };
  assert.deepEqual(deliver(max, settings, { body }), refused);
  assert.deepEqual(deliver(max, settings, { body, headers: { 'x-max-bot-api-secret': 'x' } }), refused);
  const headers = { 'x-max-bot-api-secret': 's3cret' };
  assert.deepEqual(deliver(max, { access_token: 'token' }, { body, headers }), refused);
  assert.deepEqual(deliver(max, settings, { body: '{"update_ty', headers }), {
    accepted: false,
    status: 400,
  });
});
