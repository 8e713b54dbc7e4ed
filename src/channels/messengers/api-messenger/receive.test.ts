import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deliver } from '../../../../test/adapter.ts';
import { Invalid } from '../../../platform/problem.ts';
import { routes } from './receive.ts';

const settings = { webhook_url: 'https://messenger.example/', secret: 's3cret' };

const post = (path: string, body: unknown, authorization: string | undefined = 'Bearer s3cret') =>
  deliver({ routes }, settings, { path, headers: { authorization }, body: JSON.stringify(body) });

const text = {
  chat: { external_id: 'client-7' },
  message: { external_id: 'm-1', type: 'text', text: 'Hello' },
};

/** The problems of a refused body. */
function problems(path: string, body: unknown): unknown {
  try {
    post(path, body);
  } catch (error) {
    assert.ok(error instanceof Invalid);
    return error.fields;
  }
  assert.fail('the body was taken');
}

test('a message becomes an event, and its answer has its ids', () => {
  const received = post('messages', {
    chat: { external_id: 'client-7', name: 'Ann', phone: '+7 999 123-45-67', username: 'ann' },
    message: { external_id: 'm-1', type: 'button', text: 'Yes', payload: 'yes' },
  });
  assert.ok(received.accepted);
  assert.deepEqual(received.events, [
    {
      kind: 'message',
      chat: { externalId: 'client-7', name: 'Ann', phone: '+79991234567', username: 'ann' },
      message: { externalId: 'm-1', type: 'button', text: 'Yes', url: null, payload: 'yes' },
    },
  ]);
  const stored = { chatUuid: 'c', profileUuid: 'p', messageUuid: 'm' };
  assert.deepEqual(received.answer?.([stored]), {
    body: { chat_uuid: 'c', profile_uuid: 'p', message_uuid: 'm' },
  });
});

test('an absent field may also be null', () => {
  const received = post('messages', {
    chat: { external_id: 'client-7', name: null, phone: null, username: null },
    message: { ...text.message, url: null, payload: null },
  });
  assert.ok(received.accepted);
  assert.deepEqual(received.events[0]?.kind === 'message' && received.events[0].chat, {
    externalId: 'client-7',
  });
});

test('receipts and stops become events', () => {
  const uuid = '01990000-0000-7000-8000-00000000000A';
  assert.deepEqual(post('receipts', { message: { uuid }, state: 'read' }), {
    accepted: true,
    events: [{ kind: 'receipt', message: { uuid: uuid.toLowerCase() }, state: 'read', detail: '' }],
  });
  assert.deepEqual(post('stopped', { chat: { external_id: 'client-7' } }), {
    accepted: true,
    events: [{ kind: 'stopped', chat: { externalId: 'client-7' } }],
  });
});

test('nothing is read before the secret is checked', () => {
  const wrong = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer S3cret',
    'Bearer s3cret2',
    'Basic s3cret',
    's3cret',
  ];
  for (const authorization of wrong) {
    const verdict = deliver({ routes }, settings, {
      path: 'messages',
      headers: { authorization },
      body: 'no json',
    });
    assert.deepEqual(verdict, { accepted: false, status: 403 }, authorization);
  }
});

test('an unknown path is not found', () => {
  for (const path of ['', 'message', 'messages/x', '__proto__']) {
    assert.deepEqual(post(path, text), { accepted: false, status: 404 });
  }
});

test('each invalid field is named in the shape of the input', () => {
  assert.deepEqual(problems('messages', {}), {
    chat: ['This field is required.'],
    message: ['This field is required.'],
  });
  assert.deepEqual(problems('messages', { chat: {}, message: { external_id: '', type: 'fax' } }), {
    chat: { external_id: ['This field is required.'] },
    message: { external_id: ['This field may not be blank.'], type: ['"fax" is not a valid choice.'] },
  });
  assert.deepEqual(problems('receipts', { message: { uuid: 'x' }, state: 'sent' }), {
    message: { uuid: ['Must be a valid UUID.'] },
    state: ['"sent" is not a valid choice.'],
  });
  assert.deepEqual(problems('stopped', { chat: { external_id: 'x'.repeat(256) } }), {
    chat: { external_id: ['Ensure this field has no more than 255 characters.'] },
  });
});

test('a message without the fields of its type is refused', () => {
  const required = ['This field is required.'];
  for (const [type, field] of [
    ['text', 'text'],
    ['image', 'url'],
    ['document', 'url'],
    ['button', 'payload'],
  ] as const) {
    const body = { ...text, message: { external_id: 'm-1', type } };
    assert.deepEqual(problems('messages', body), { message: { [field]: required } });
  }
});

test('an invalid phone number is refused, so that the profile is not missed later', () => {
  assert.deepEqual(problems('messages', { ...text, chat: { external_id: 'c', phone: 'call me' } }), {
    chat: { phone: ['Enter a valid phone number.'] },
  });
});

test('any JSON at any path is either accepted or refused, and never a server error', () => {
  const path = fc.constantFrom('messages', 'receipts', 'stopped', 'other');
  fc.assert(
    fc.property(path, fc.jsonValue(), (somePath, body) => {
      try {
        post(somePath, body);
      } catch (error) {
        assert.ok(error instanceof Invalid, String(error));
      }
    }),
  );
});
