import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inboundRequest } from '../../../messaging/inbound/request.ts';
import type { InboundEvent } from '../../contract/inbound.ts';
import { receive } from './receive.ts';
import { webhookSecret } from './settings.ts';

const settings = { bot_token: '123456:AAE-secret_token' };
const secret = webhookSecret(settings);

const ann = { id: 777, is_bot: false, first_name: 'Ann', last_name: 'Lee', username: 'annlee' };
const chat = { id: 777, type: 'private', first_name: 'Ann', last_name: 'Lee', username: 'annlee' };
const client = { externalId: '777', name: 'Ann Lee', username: 'annlee' };

const deliver = (body: string | Buffer, shown: string | undefined = secret) =>
  receive(inboundRequest({ 'x-telegram-bot-api-secret-token': shown }, Buffer.from(body)), settings);

function eventsOf(update: object): InboundEvent[] {
  const received = deliver(JSON.stringify({ update_id: 5, ...update }));
  assert.ok(received.accepted);
  return received.events;
}

const message = (content: object) => ({ message: { message_id: 42, from: ann, chat, date: 1, ...content } });

/** The one message that a client's text or file becomes. */
function read(content: object) {
  const [event, ...others] = eventsOf(message(content));
  assert.ok(event?.kind === 'message' && others.length === 0);
  return event;
}

test('a text becomes a message of its client, identified by chat and message id', () => {
  assert.deepEqual(read({ text: 'Hello' }), {
    kind: 'message',
    chat: client,
    message: { externalId: '777:42', type: 'text', text: 'Hello', url: null, payload: null },
  });
});

test('a link with a parameter starts the bot with a text that names it', () => {
  assert.partialDeepStrictEqual(read({ text: '/start spring' }), {
    message: { text: '/start spring', ref: 'spring' },
  });
  for (const text of ['/start', '/start ', 'say /start spring', '/start spring sale']) {
    assert.ok(!('ref' in read({ text }).message), text);
  }
});

const kinds: [kind: string, content: object, type: string, text: string | null, url: string | null][] = [
  [
    'photo',
    { photo: [{ file_id: 's' }, { file_id: 'Large-1' }], caption: 'Look' },
    'image',
    'Look',
    'Large-1',
  ],
  ['document', { document: { file_id: 'd1', file_name: 'a.pdf' } }, 'document', null, 'd1'],
  ['animation', { animation: { file_id: 'a1' }, document: { file_id: 'd1' } }, 'document', null, 'a1'],
  ['video', { video: { file_id: 'v1' }, caption: 'See' }, 'document', 'See', 'v1'],
  ['video note', { video_note: { file_id: 'n1' } }, 'document', null, 'n1'],
  ['voice', { voice: { file_id: 'o1' } }, 'document', null, 'o1'],
  ['audio', { audio: { file_id: 'u1' } }, 'document', null, 'u1'],
  ['sticker', { sticker: { file_id: 's1', emoji: '👍' } }, 'text', '👍', null],
  ['dice', { dice: { emoji: '🎲', value: 3 } }, 'text', '🎲', null],
  ['poll', { poll: { question: 'Tea?' } }, 'text', 'Tea?', null],
  ['location', { location: { latitude: 55.75, longitude: 37.62 } }, 'text', '55.75, 37.62', null],
  [
    'venue',
    { venue: { title: 'Café', address: 'Arbat 1' }, location: { latitude: 55.75, longitude: 37.62 } },
    'text',
    'Café, Arbat 1',
    null,
  ],
  [
    'contact',
    { contact: { phone_number: '79991234567', first_name: 'Bob' } },
    'text',
    'Bob 79991234567',
    null,
  ],
];

for (const [kind, content, type, text, reference] of kinds) {
  test(`a ${kind} becomes a message of type ${type}`, () => {
    const { file, ...message } = read(content).message;
    assert.deepEqual(message, { externalId: '777:42', type, text, url: null, payload: null });
    assert.equal(file && 'reference' in file ? file.reference : null, reference);
  });
}

test('a file keeps its name', () => {
  const { file } = read({ document: { file_id: 'd1', file_name: 'a.pdf' } }).message;
  assert.deepEqual(file, { reference: 'd1', name: 'a.pdf' });
});

test('a contact sets the client’s phone only if it is the client’s own', () => {
  const contact = { phone_number: '79991234567', first_name: 'Ann' };
  assert.equal(read({ contact: { ...contact, user_id: 777 } }).chat.phone, '+79991234567');
  assert.equal(read({ contact: { ...contact, user_id: 778 } }).chat.phone, undefined);
  assert.equal(read({ contact }).chat.phone, undefined);
  assert.equal(read({ from: undefined, contact }).chat.phone, undefined);
});

test('ids keep every digit, and an id that is too large is not mistaken for another', () => {
  const large = { ...chat, id: 4503599627370495 };
  assert.equal(read({ chat: large, text: 'Hello' }).chat.externalId, '4503599627370495');
  const tooLarge = JSON.stringify({ update_id: 5, ...message({ text: 'Hello' }) }).replaceAll(
    '777',
    '9007199254740993',
  );
  assert.deepEqual(deliver(tooLarge), { accepted: true, events: [] });
});

const press = {
  callback_query: {
    id: '4382bfdwdsb323b2d9',
    from: ann,
    message: {
      message_id: 41,
      chat,
      reply_markup: {
        inline_keyboard: [[{ text: 'No', callback_data: 'no' }], [{ text: 'Yes', callback_data: 'yes' }]],
      },
    },
    data: 'yes',
  },
};

test('a pressed button becomes a message with its label and payload, and is acknowledged', () => {
  assert.deepEqual(eventsOf(press), [
    {
      kind: 'message',
      chat: client,
      message: {
        externalId: 'callback:4382bfdwdsb323b2d9',
        type: 'button',
        text: 'Yes',
        url: null,
        payload: 'yes',
      },
    },
  ]);
  const received = deliver(JSON.stringify({ update_id: 5, ...press }));
  assert.deepEqual(received.accepted && received.answer?.([]), {
    body: {
      method: 'answerCallbackQuery',
      callback_query_id: '4382bfdwdsb323b2d9',
    },
  });
});

test('a button under a message that Telegram no longer shows belongs to its client too', () => {
  const { message: _, ...withoutMessage } = press.callback_query;
  const [event] = eventsOf({ callback_query: withoutMessage });
  assert.ok(event?.kind === 'message');
  assert.deepEqual(event.chat, client);
  assert.equal(event.message.payload, 'yes');
  assert.equal(event.message.text, null);
});

test('a client who blocks the bot has stopped, and one who unblocks it has returned', () => {
  const membership = (status: string) => ({
    my_chat_member: { chat, from: ann, new_chat_member: { status } },
  });
  assert.deepEqual(eventsOf(membership('kicked')), [{ kind: 'stopped', chat: { externalId: '777' } }]);
  assert.deepEqual(eventsOf(membership('member')), [{ kind: 'returned', chat: { externalId: '777' } }]);
  assert.deepEqual(eventsOf(membership('left')), []);
});

test('updates that are no client’s message are accepted and ignored', () => {
  const group = { ...chat, id: -100123, type: 'supergroup', title: 'Friends' };
  for (const update of [
    message({ chat: group, text: 'Hello' }),
    { callback_query: { ...press.callback_query, message: { chat: group } } },
    { my_chat_member: { chat: group, new_chat_member: { status: 'kicked' } } },
    message({ pinned_message: {} }),
    message({ text: { not: 'a text' } }),
    { edited_message: message({ text: 'Hello' }).message },
    { poll_answer: {} },
    {},
  ]) {
    assert.deepEqual(eventsOf(update), [], JSON.stringify(update));
  }
  for (const body of ['null', '[]', '"text"', '{}', '{"update_id":"x"}']) {
    assert.deepEqual(deliver(body), { accepted: true, events: [] }, body);
  }
});

test('without the secret nothing is read', () => {
  const other = webhookSecret({ bot_token: '654321:other' });
  for (const shown of [undefined, '', 'x', secret.slice(1), other, settings.bot_token]) {
    const request = inboundRequest({ 'x-telegram-bot-api-secret-token': shown }, Buffer.from('no json'));
    assert.deepEqual(receive(request, settings), { accepted: false, status: 403 });
  }
});

test('the secret is valid for Telegram, and does not reveal the token', () => {
  assert.match(secret, /^[A-Za-z0-9_-]{32,256}$/);
  assert.ok(!secret.includes('AAE'));
});

test('any bytes are either accepted or refused, and never a server error', () => {
  for (const body of ['', 'no json', '{']) assert.deepEqual(deliver(body), { accepted: false, status: 400 });
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  assert.deepEqual(deliver(nested), { accepted: true, events: [] });
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      deliver(Buffer.from(bytes));
    }),
  );
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('message', 'callback_query', 'my_chat_member'), fc.jsonValue()),
      (update) => {
        assert.ok(deliver(JSON.stringify({ update_id: 5, ...update })).accepted);
      },
    ),
  );
});
