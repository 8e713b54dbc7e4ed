import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { noSuch, setScene } from './scene.ts';

/** The contract's tables of errors and limits, and the errors that its endpoints list, row by row. */

const scene = await setScene({ after });
const { asPartner, client, partner, application, patchbay } = scene;
const api = '/api/partners';

type Row = [name: string, method: string, path: string, body: unknown, status: number, fields?: string[]];

async function holds([, method, path, body, status, fields]: Row): Promise<void> {
  const answer = await asPartner(method, path, body);
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.deepEqual(Object.keys(answer.body), fields ?? ['detail']);
}

const text = { type: 'TEXT', text: 'Hi' };
const chat = { uuid: client.chat };
const connector = {
  event: 'message_created',
  chat,
  sender: { name: 'Olga' },
  timestamp: 1_795_176_000_000,
  message: { type: 'text', text: 'Hi' },
};
const group = await scene.group();
const long = 'x'.repeat(1025);

const invalid: Row[] = [
  ['a push message without content', 'POST', 'push-messages/', { chat }, 400, ['content']],
  [
    'a push message with an unknown content type',
    'POST',
    'push-messages/',
    { chat, content: { type: 'SMS' } },
    400,
    ['content'],
  ],
  [
    'a push message without a recipient',
    'POST',
    'push-messages/',
    { content: text },
    400,
    ['non_field_errors'],
  ],
  [
    'a connector event of an unknown kind',
    'POST',
    'connector/',
    { ...connector, event: 'hello' },
    400,
    ['event'],
  ],
  [
    'a connector event without a sender',
    'POST',
    'connector/',
    { ...connector, sender: undefined },
    400,
    ['sender'],
  ],
  [
    'a connector event without a time',
    'POST',
    'connector/',
    { ...connector, timestamp: 'now' },
    400,
    ['timestamp'],
  ],
  [
    'a stream task of an unknown type',
    'POST',
    'stream/',
    { type: 'urgent', payload: { chat, content: text } },
    400,
    ['type'],
  ],
  [
    'a stream task without content',
    'POST',
    'stream/',
    { type: 'regular_message', payload: { chat } },
    400,
    ['payload'],
  ],
  [
    'an invalid webhook address',
    'PUT',
    'integrations/credentials/',
    { webhook_url: 'here' },
    400,
    ['webhook_url'],
  ],
  [
    'a webhook of an unknown kind',
    'PUT',
    'integrations/credentials/',
    { webhook_url: scene.webhookUrl, webhook_events: ['x'] },
    400,
    ['webhook_events'],
  ],
  [
    'a webhook for an unknown platform',
    'PUT',
    'integrations/credentials/',
    { webhook_url: scene.webhookUrl, webhook_platforms: ['ICQ'] },
    400,
    ['webhook_platforms'],
  ],
  [
    'a webhook address without a server',
    'PUT',
    'integrations/credentials/',
    { webhook_url: 'http://127.0.0.1:9/' },
    400,
    ['webhook_url'],
  ],
  ['an iframe for a missing operator', 'POST', 'iframe/', { operator: { uuid: noSuch } }, 400, ['operator']],
  ['a mailing without a name', 'POST', 'mailings/', { text: 'Hi' }, 400, ['name']],
  [
    'a mailing with a bad filter',
    'POST',
    'mailings/',
    { name: 'News', text: 'Hi', filter_chats: { all: [{ type: 'x' }] } },
    400,
    ['filter_chats'],
  ],
  ['a promo code group without a name', 'POST', 'promocode-groups/', {}, 400, ['name']],
  ['a promo code without its group', 'POST', 'promocodes/', { code: 'A' }, 400, ['group']],
  ['generation for a missing group', 'POST', 'promocodes/generate/', { group: noSuch }, 400, ['group']],
  [
    'a profile with a malformed phone number',
    'PUT',
    `profiles/${client.profile}/`,
    { phone_number: 'x' },
    400,
    ['phone_number'],
  ],
];

const limits: Row[] = [
  ['a mailing name of no characters', 'POST', 'mailings/', { name: '', text: 'Hi' }, 400, ['name']],
  [
    'a mailing name of 81 characters',
    'POST',
    'mailings/',
    { name: 'x'.repeat(81), text: 'Hi' },
    400,
    ['name'],
  ],
  [
    'a push message’s tag of 65 characters',
    'POST',
    'push-messages/',
    { chat, content: text, tag: 'x'.repeat(65) },
    400,
    ['tag'],
  ],
  ['a group name of 1025 characters', 'POST', 'promocode-groups/', { name: long }, 400, ['name']],
  ['a promo code of 1025 characters', 'POST', 'promocodes/', { code: long, group }, 400, ['code']],
  [
    'a generated code of 4 characters',
    'POST',
    'promocodes/generate/',
    { group, chars_count: 4 },
    400,
    ['chars_count'],
  ],
  [
    'a generated code of 11 characters',
    'POST',
    'promocodes/generate/',
    { group, chars_count: 11 },
    400,
    ['chars_count'],
  ],
];

const notFound: Row[] = [
  ['a push message', 'GET', `push-messages/${noSuch}/`],
  ['a push message to cancel', 'POST', `push-messages/${noSuch}/cancel/`],
  ['a push message’s chat', 'POST', 'push-messages/', { chat: { uuid: noSuch }, content: text }],
  ['a push message’s profile', 'POST', 'push-messages/', { profile: { uuid: noSuch }, content: text }],
  ['a mailing', 'GET', `mailings/${noSuch}/`],
  ['a mailing to calculate', 'POST', `mailings/${noSuch}/calculate/`],
  ['a mailing to stop', 'POST', `mailings/${noSuch}/stop/`],
  ['a promo code group', 'GET', `promocode-groups/${noSuch}/`],
  ['a promo code', 'PATCH', `promocodes/${noSuch}/`, {}],
  ['a profile', 'GET', `profiles/${noSuch}/`],
  ['the profile of a chat', 'GET', `profiles/chat/${noSuch}/`],
  ['a profile by its external id', 'PUT', 'profiles/external/nobody/', {}],
  ['a profile by its phone number', 'GET', 'profiles/phone/4790000000/'],
].map(([name = '', method = '', path = '', body]) => [String(name), String(method), String(path), body, 404]);

for (const row of [...invalid, ...limits]) {
  test(`400 explains ${row[0]}`, () => holds(withApi(row)));
}

for (const row of notFound) {
  test(`404 for a missing ${row[0]}`, () => holds(withApi(row)));
}

function withApi([name, method, path, ...rest]: Row): Row {
  return [name, method, `${api}/${path}`, ...rest];
}

test('the longest allowed values are accepted', async () => {
  const rows: [path: string, body: object][] = [
    ['mailings/', { name: '𝔸'.repeat(80), text: 'Hi' }],
    ['push-messages/', { chat, content: text, tag: '𝔸'.repeat(64) }],
    ['promocode-groups/', { name: '𝔸'.repeat(1024) }],
    ['promocodes/', { code: '𝔸'.repeat(1024), group }],
  ];
  for (const [path, body] of rows) {
    const { status, body: answer } = await asPartner('POST', `${api}/${path}`, body);
    assert.equal(status, 201, JSON.stringify(answer));
  }
});

test('a generated code has 10 characters by default, and 5 to 10 on request', async () => {
  const lengthOf = async (form: object) =>
    (await asPartner('POST', `${api}/promocodes/generate/`, { group, ...form })).body.code.length;
  assert.equal(await lengthOf({}), 10);
  assert.equal(await lengthOf({ chars_count: 5 }), 5);
  assert.equal(await lengthOf({ chars_count: 10, prefix: 'SALE-' }), 15);
});

test('a page of mailings has at most 100', async () => {
  const { status, body } = await asPartner('GET', `${api}/mailings/?limit=1000`);
  assert.equal(status, 200);
  assert.ok(body.results.length <= 100);
  assert.equal(body.next, null);
});

test('a launch is stored to the minute', async () => {
  const uuid = await scene.push({ launch_at: '2027-01-01T10:20:59.999Z' });
  const { body } = await asPartner('GET', `${api}/push-messages/${uuid}/`);
  assert.equal(body.launch_at, '2027-01-01T10:20:00.000Z');
});

test('the stream accepts 20 a second, and answers 429 beyond', async () => {
  const task = { type: 'regular_message', payload: { chat, content: text } };
  const answers = await Promise.all(
    Array.from({ length: 21 }, () => asPartner('POST', `${api}/stream/`, task)),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(answers.filter(({ status }) => status === 201).length, 20);
  assert.equal(refused[0]?.headers.get('retry-after'), '1');
  assert.deepEqual(Object.keys(refused[0]?.body), ['detail']);
});

test('a wrong client and a wrong secret get the same 400', async () => {
  const answers = await Promise.all(
    [
      { client_id: noSuch, client_secret: application.clientSecret },
      { client_id: application.clientId, client_secret: 'wrong' },
    ].map((client) =>
      patchbay.call('POST', `${api}/oauth/`, { body: { ...client, grant_type: 'code', code: 'x' } }),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 400],
  );
  assert.equal(answers[0]?.body.error, 'invalid_client');
  assert.deepEqual(answers[0]?.body, answers[1]?.body);
});

test('an unavailable webhook address is reported in a list with one message', async () => {
  const { body } = await asPartner('PUT', `${api}/integrations/credentials/`, {
    webhook_url: 'http://127.0.0.1:9/',
  });
  assert.equal(body.webhook_url.length, 1);
  assert.match(body.webhook_url[0], /unavailable/);
});

test('a bot key is refused where only a token is accepted', async () => {
  const { status } = await scene.as(partner.key)('POST', `${api}/stream/`, {});
  assert.equal(status, 403);
});
