import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { whatsappAccount as account } from '../../../../test/whatsapp-account.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { graphError, signed } from '../../../simulator/graph/graph.ts';
import { notification, startWhatsapp, type WhatsappTemplate } from '../../../simulator/whatsapp/provider.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { whatsapp } from './adapter.ts';

const log = pino({ level: 'silent' });

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '+16505551234' },
};

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const meta = await startWhatsapp(t, account);
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], log });
  t.after(() => outbound.close());
  const client = clientOver(outbound);
  const settings = { ...account, api_root: meta.root };
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const send = (message: OutgoingMessage) => whatsapp.send?.(message, settings, client, attempt);
  return { meta, client, settings, send };
}

test('a text is sent to the digits of the number, with our uuid for the receipts', async (t) => {
  const { meta, send } = await scene(t);
  assert.deepEqual(await send(text), { sent: true, providerId: 'wamid.HBgL00000001' });
  assert.equal(meta.calls[0]?.path, '/v25.0/106540352242922/messages');
  assert.deepEqual(meta.sent[0]?.body, {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '16505551234',
    biz_opaque_callback_data: text.uuid,
    type: 'text',
    text: { body: 'Hello', preview_url: true },
  });
});

test('a client without a number is addressed by their id', async (t) => {
  const { meta, send } = await scene(t);
  await send({ ...text, chat: { ...text.chat, externalId: 'US.13491208655302741918' } });
  assert.equal(meta.sent[0]?.body.recipient, 'US.13491208655302741918');
  assert.equal(meta.sent[0]?.body.to, undefined);
});

const yes = { text: 'Yes', payload: 'yes' };
const shop = { text: 'Shop', url: 'https://shop.example/' };
const media = { type: 'image' as const, url: 'https://shop.example/cat.png' };
const file = { type: 'document' as const, url: 'https://shop.example/a%20b.pdf', text: null };

const bodies: [what: string, message: Partial<OutgoingMessage>, body: object][] = [
  ['a picture', media, { type: 'image', image: { link: media.url, caption: 'Hello' } }],
  ['a document', file, { type: 'document', document: { link: file.url, filename: 'a b.pdf' } }],
  [
    'a text with replies',
    { buttons: [yes] },
    {
      interactive: {
        type: 'button',
        body: { text: 'Hello' },
        action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] },
      },
    },
  ],
  [
    'a text with four replies',
    { buttons: Array.from({ length: 4 }, () => yes) },
    { interactive: { type: 'list', body: { text: 'Hello' } } },
  ],
  [
    'a text with a link',
    { buttons: [shop] },
    {
      interactive: {
        type: 'cta_url',
        action: { name: 'cta_url', parameters: { display_text: 'Shop', url: shop.url } },
      },
    },
  ],
  [
    'a picture with replies',
    { ...media, buttons: [yes] },
    { interactive: { type: 'button', header: { type: 'image', image: { link: media.url } } } },
  ],
];

for (const [what, message, body] of bodies) {
  test(`${what} has the form of the Cloud API`, async (t) => {
    const { meta, send } = await scene(t);
    assert.partialDeepStrictEqual(await send({ ...text, ...message }), { sent: true });
    assert.partialDeepStrictEqual(meta.sent[0]?.body, body);
  });
}

test('replies and links together are refused without a call', async (t) => {
  const { meta, send } = await scene(t);
  const result = await send({ ...text, buttons: [yes, shop] });
  assert.partialDeepStrictEqual(result, { sent: false, error: { code: 'bad_content' } });
  assert.equal(meta.calls.length, 0);
});

test('a text above a link or replies of more than 1,024 characters is refused without a call, or goes as a list', async (t) => {
  const { meta, send } = await scene(t);
  const [fits, over] = ['🍵'.repeat(1024), '🍵'.repeat(1025)];
  assert.partialDeepStrictEqual(await send({ ...text, text: fits, buttons: [shop] }), { sent: true });
  const refused = await send({ ...text, text: over, buttons: [shop] });
  assert.ok(refused?.sent === false && refused.error.code === 'bad_content');
  assert.match(refused.error.detail ?? '', /1,024 characters/);
  await send({ ...text, text: fits, buttons: [yes] });
  await send({ ...text, text: over, buttons: [yes] });
  assert.deepEqual(
    meta.sent.map(({ body }) => body.interactive.type),
    ['cta_url', 'button', 'list'],
  );
});

test('a template carries its name, its language and its values, numbered or named', async (t) => {
  const { meta, send } = await scene(t);
  meta.templates.push({ name: 'order', language: 'de', status: 'APPROVED', components: [] });
  const template = {
    name: 'order',
    language: 'de',
    variables: [
      { name: '1', value: '17' },
      { name: 'state', value: 'ready' },
    ],
  };
  assert.partialDeepStrictEqual(await send({ ...text, type: 'template', template }), { sent: true });
  assert.deepEqual(meta.sent[0]?.body.template, {
    name: 'order',
    language: { code: 'de' },
    components: [
      {
        type: 'body',
        parameters: [
          { type: 'text', text: '17' },
          { type: 'text', parameter_name: 'state', text: 'ready' },
        ],
      },
    ],
  });
});

type Part = WhatsappTemplate['components'][number];
type Expected = { further?: string[]; approval?: 'rejected'; reason?: RegExp };

/** Parts of a template beside its body, and what is listed for them. */
const parts: [what: string, part: Part, listed: Expected][] = [
  ['a fixed header', { type: 'HEADER', format: 'TEXT', text: 'News' }, {}],
  ['a numbered header', { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' }, { further: ['header.1'] }],
  ['a named header', { type: 'HEADER', format: 'TEXT', text: '{{order}}!' }, { further: ['header.order'] }],
  ['a picture', { type: 'HEADER', format: 'IMAGE' }, { further: ['media.image'] }],
  ['a video', { type: 'HEADER', format: 'VIDEO' }, { further: ['media.video'] }],
  ['a document', { type: 'HEADER', format: 'DOCUMENT' }, { further: ['media.document'] }],
  ['a footer', { type: 'FOOTER', text: 'Reply STOP to leave' }, {}],
  [
    'buttons',
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY' },
        { type: 'PHONE_NUMBER' },
        { type: 'URL', url: 'https://shop.example/' },
        { type: 'URL', url: 'https://shop.example/o/{{1}}' },
        { type: 'COPY_CODE' },
      ],
    },
    { further: ['button.4.url', 'button.5.code'] },
  ],
  ['a code for signing in', { type: 'BUTTONS', buttons: [{ type: 'OTP' }] }, { further: ['button.1.url'] }],
  [
    'a place',
    { type: 'HEADER', format: 'LOCATION' },
    { approval: 'rejected', reason: /header of the type LOCATION/ },
  ],
  ['a carousel', { type: 'CAROUSEL' }, { approval: 'rejected', reason: /a carousel/ }],
  ['an offer', { type: 'LIMITED_TIME_OFFER' }, { approval: 'rejected', reason: /limited time/ }],
  ...['MPM', 'SPM', 'ORDER_DETAILS', 'FLOW'].map((type): [string, Part, Expected] => [
    `a button ${type}`,
    { type: 'BUTTONS', buttons: [{ type }] },
    { approval: 'rejected', reason: /^Patchbay cannot send a template with a button for/ },
  ]),
];

for (const [what, part, { reason, ...listed }] of parts) {
  test(`a template with ${what} is listed with what it needs, or as one that nobody can send`, async (t) => {
    const { meta, client, settings } = await scene(t);
    const components = [part, { type: 'BODY', text: 'It is {{1}}.' }];
    meta.templates.push({ name: 'order', language: 'de', status: 'APPROVED', components });
    const [found] = (await whatsapp.listTemplates?.(settings, client)) ?? [];
    const { reason: given, ...rest } = found ?? {};
    assert.deepEqual(rest, {
      name: 'order',
      language: 'de',
      body: 'It is {{1}}.',
      approval: 'approved',
      ...listed,
    });
    if (reason) assert.match(given ?? '', reason);
  });
}

test('a decision of Meta is kept, also of a template that nobody can send', async (t) => {
  const { meta, client, settings } = await scene(t);
  const template = { name: 'order', language: 'de', components: [{ type: 'CAROUSEL' }] };
  meta.templates.push({ ...template, status: 'DISABLED' }, { ...template, status: 'PENDING' });
  const listed = await whatsapp.listTemplates?.(settings, client);
  assert.partialDeepStrictEqual(listed, [{ reason: 'DISABLED' }, { approval: 'rejected' }]);
});

const link = 'https://shop.example/a%20b.pdf';

/** Values, and the components of the call beside that of the body. */
const sentParts: [name: string, value: string, component: object][] = [
  ['header.1', '17', { type: 'header', parameters: [{ type: 'text', text: '17' }] }],
  [
    'header.order',
    '17',
    { type: 'header', parameters: [{ type: 'text', parameter_name: 'order', text: '17' }] },
  ],
  ['media.image', link, { type: 'header', parameters: [{ type: 'image', image: { link } }] }],
  ['media.video', link, { type: 'header', parameters: [{ type: 'video', video: { link } }] }],
  [
    'media.document',
    link,
    { type: 'header', parameters: [{ type: 'document', document: { link, filename: 'a b.pdf' } }] },
  ],
  [
    'button.2.url',
    '17',
    { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: '17' }] },
  ],
  [
    'button.10.code',
    'SALE',
    {
      type: 'button',
      sub_type: 'copy_code',
      index: '9',
      parameters: [{ type: 'coupon_code', coupon_code: 'SALE' }],
    },
  ],
];

for (const [name, value, component] of sentParts) {
  test(`the value of ${name} goes into its own component, and never into the body`, async (t) => {
    const { meta, send } = await scene(t);
    meta.templates.push({ name: 'order', language: 'de', status: 'APPROVED', components: [] });
    const variables = [
      { name: '1', value: 'ready' },
      { name, value },
    ];
    await send({ ...text, type: 'template', template: { name: 'order', language: 'de', variables } });
    const { components } = meta.sent[0]?.body.template ?? {};
    const body = { type: 'body', parameters: [{ type: 'text', text: 'ready' }] };
    assert.deepEqual(new Set(components), new Set([component, body]));
  });
}

test('Meta refuses a template without the parameters of its parts', async (t) => {
  const { meta, send } = await scene(t);
  const components = [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'It is {{1}}.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://shop.example/o/{{1}}' }] },
  ];
  meta.templates.push({ name: 'order', language: 'de', status: 'APPROVED', components });
  const values = [
    { name: '1', value: 'ready' },
    { name: 'media.image', value: link },
    { name: 'button.1.url', value: '17' },
  ];
  const sendWith = (variables: typeof values) =>
    send({ ...text, type: 'template', template: { name: 'order', language: 'de', variables } });
  for (const { name } of values) {
    const refused = await sendWith(values.filter((value) => value.name !== name));
    assert.partialDeepStrictEqual(refused, { sent: false, error: { code: 'bad_content' } });
  }
  assert.partialDeepStrictEqual(await sendWith(values), { sent: true });
});

const refusals: [status: number, code: number, means: object][] = [
  [400, 131047, { code: 'window_closed' }],
  [400, 131026, { code: 'invalid_recipient' }],
  [400, 131049, { code: 'not_opted_in' }],
  [400, 131056, { code: 'rate_limited', scope: 'chat', retryAfterMs: 6_000 }],
  [429, 130429, { code: 'rate_limited', scope: 'channel' }],
  [400, 80007, { code: 'rate_limited', scope: 'channel', retryAfterMs: 5_000 }],
  [400, 131048, { code: 'rate_limited', scope: 'channel', retryAfterMs: 10_000 }],
  [400, 133016, { code: 'rate_limited', scope: 'channel', retryAfterMs: 10_000 }],
  [404, 132001, { code: 'bad_content' }],
  [400, 132000, { code: 'bad_content' }],
  [400, 100, { code: 'bad_content' }],
  [400, 777777, { code: 'bad_content' }],
  [401, 190, { code: 'auth' }],
  [403, 368, { code: 'auth' }],
  [403, 131031, { code: 'auth' }],
  [500, 131000, { code: 'temporary', mayHaveBeenSent: true }],
  [400, 2, { code: 'temporary' }],
];

for (const [status, code, means] of refusals) {
  test(`the refusal ${code} is understood`, async (t) => {
    const { meta, send } = await scene(t);
    meta.react(() => graphError(status, code, '(#) A message', { details: 'In words.' }));
    assert.partialDeepStrictEqual(await send(text), {
      sent: false,
      error: { ...means, detail: 'In words.' },
    });
  });
}

test('a refused token is not repeated in the reason', async (t) => {
  const { meta, send } = await scene(t);
  meta.react(() => graphError(401, 190, `The token ${account.access_token} has expired.`));
  const result = await send(text);
  assert.ok(!JSON.stringify(result).includes(account.access_token));
});

/** The events of a signed notification. */
function eventsOf(value: object, field = 'messages') {
  const metadata = { phone_number_id: account.phone_number_id };
  const body = notification(account.waba_id, { field, value: { metadata, ...value } });
  const verdict = deliver(whatsapp, account, { headers: signed(account.app_secret, body), body });
  assert.ok(verdict.accepted);
  return verdict.events;
}

const contacts = [{ profile: { name: 'Sheena Nelson' }, wa_id: '16505551234' }];
const chat = { externalId: '+16505551234', phone: '+16505551234', name: 'Sheena Nelson' };
const from = { from: '16505551234', id: 'wamid.1', timestamp: '1749416383' };

const inbound: [what: string, message: object, becomes: object][] = [
  ['text', { type: 'text', text: { body: 'Hi' } }, { type: 'text', text: 'Hi' }],
  [
    'picture',
    { type: 'image', image: { id: '900', caption: 'Look', mime_type: 'image/jpeg' } },
    { type: 'image', text: 'Look', file: { reference: '900' } },
  ],
  [
    'document',
    { type: 'document', document: { id: '901', filename: 'a.pdf' } },
    { type: 'document', text: null, file: { reference: '901', name: 'a.pdf' } },
  ],
  [
    'voice',
    { type: 'audio', audio: { id: '902', voice: true } },
    { type: 'document', file: { reference: '902' } },
  ],
  [
    'reply',
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } } },
    { type: 'button', text: 'Yes', payload: 'yes' },
  ],
  [
    'choice of a list',
    { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 'two', title: 'Two' } } },
    { type: 'button', text: 'Two', payload: 'two' },
  ],
  [
    'press of a template’s button',
    { type: 'button', button: { text: 'Stop', payload: 'stop' }, context: { id: 'wamid.0' } },
    { type: 'button', text: 'Stop', payload: 'stop', pressedIn: 'wamid.0' },
  ],
  [
    'place',
    { type: 'location', location: { latitude: 1.5, longitude: 2.5, name: 'Café' } },
    { text: 'Café\n1.5, 2.5' },
  ],
];

for (const [what, message, becomes] of inbound) {
  test(`a ${what} becomes a message of its client`, () => {
    const [event, ...others] = eventsOf({ contacts, messages: [{ ...from, ...message }] });
    assert.partialDeepStrictEqual(event, {
      kind: 'message',
      chat,
      message: { externalId: 'wamid.1', ...becomes },
    });
    assert.equal(others.length, 0);
  });
}

test('a message from an advertisement names it', () => {
  const referral = { source_id: '1200', source_type: 'ad', source_url: 'https://fb.me/x', ctwa_clid: 'c' };
  const [event] = eventsOf({
    contacts,
    messages: [{ ...from, type: 'text', text: { body: 'Hi' }, referral }],
  });
  assert.partialDeepStrictEqual(event, { message: { text: 'Hi', ref: '1200' } });
});

test('a client without a number is identified by their id', () => {
  const messages = [{ id: 'wamid.2', from_user_id: 'US.1349', type: 'text', text: { body: 'Hi' } }];
  const [event] = eventsOf({
    messages,
    contacts: [{ user_id: 'US.1349', profile: { name: 'Ann', username: 'ann' } }],
  });
  assert.partialDeepStrictEqual(event, { chat: { externalId: 'US.1349', name: 'Ann', username: 'ann' } });
});

test('a client with a number has a lasting id too, by which they are known without it', () => {
  const messages = [{ ...from, from_user_id: 'US.1349', type: 'text', text: { body: 'Hi' } }];
  const [event] = eventsOf({ messages, contacts });
  assert.partialDeepStrictEqual(event, { chat: { externalId: '+16505551234', lastingId: 'US.1349' } });
});

test('a client with another number has another address', () => {
  const system = { type: 'user_changed_number', wa_id: '12195555358', body: 'User Ann changed' };
  assert.deepEqual(eventsOf({ messages: [{ ...from, type: 'system', system }] }), [
    { kind: 'moved', from: '+16505551234', to: '+12195555358' },
  ]);
  for (const odd of [{ ...system, wa_id: 'x' }, { ...system, type: 'customer_identity_changed' }, {}]) {
    assert.deepEqual(eventsOf({ messages: [{ ...from, type: 'system', system: odd }] }), []);
  }
});

test('statuses become receipts, by our uuid if it returns', () => {
  const errors = [{ code: 131026, title: 'Undeliverable', error_data: { details: 'Not on WhatsApp.' } }];
  const statuses = [
    { id: 'wamid.1', status: 'sent', biz_opaque_callback_data: text.uuid.toUpperCase() },
    { id: 'wamid.1', status: 'delivered' },
    { id: 'wamid.1', status: 'read' },
    { id: 'wamid.1', status: 'failed', errors },
    { id: 'wamid.1', status: 'deleted' },
  ];
  assert.deepEqual(eventsOf({ statuses }), [
    { kind: 'receipt', message: { uuid: text.uuid }, state: 'sent', detail: '' },
    { kind: 'receipt', message: { providerId: 'wamid.1' }, state: 'delivered', detail: '' },
    { kind: 'receipt', message: { providerId: 'wamid.1' }, state: 'read', detail: '' },
    { kind: 'receipt', message: { providerId: 'wamid.1' }, state: 'undelivered', detail: 'Not on WhatsApp.' },
  ]);
});

test('another number of the account, a reaction and an unknown kind are no client’s messages', () => {
  const message = { ...from, type: 'text', text: { body: 'Hi' } };
  assert.deepEqual(eventsOf({ metadata: { phone_number_id: '1' }, messages: [message] }), []);
  assert.deepEqual(eventsOf({ messages: [{ ...from, type: 'reaction', reaction: { emoji: '👍' } }] }), []);
  assert.deepEqual(eventsOf({ messages: [{ ...from, type: 'unsupported' }] }), []);
  assert.deepEqual(eventsOf({ event: 'APPROVED' }, 'message_template_status_update'), [
    { kind: 'templates_changed' },
  ]);
});

test('only the right verify token gets its challenge back, byte for byte', () => {
  const ask = (token: string) =>
    deliver(whatsapp, account, {
      method: 'GET',
      query: { 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '00123' },
    });
  const right = ask(account.verify_token);
  assert.deepEqual(right.accepted && right.answer?.([]), { body: '00123' });
  assert.deepEqual(ask('guess'), { accepted: false, status: 403 });
});

test('all pages of templates are read, with their approval', async (t) => {
  const { meta, client, settings } = await scene(t);
  for (let n = 0; n < 25; n += 1) {
    const components = [
      { type: 'HEADER', text: 'Title' },
      { type: 'BODY', text: `Number {{1}} of ${n}` },
    ];
    meta.templates.push({
      name: `t${n}`,
      language: 'en_US',
      status: n === 0 ? 'PENDING' : 'APPROVED',
      components,
    });
  }
  const listed = await whatsapp.listTemplates?.(settings, client);
  assert.equal(listed?.length, 25);
  assert.deepEqual(listed?.[0], {
    name: 't0',
    language: 'en_US',
    body: 'Number {{1}} of 0',
    approval: 'pending',
  });
  assert.equal(listed?.[24]?.approval, 'approved');
});

test('a file is found by its id, and fetched with the token', async (t) => {
  const { meta, client, settings } = await scene(t);
  meta.media.set('900', Buffer.from('bytes'));
  assert.deepEqual(await whatsapp.locateFile?.('900', settings, client), {
    url: `${meta.root}/media/900`,
    headers: { authorization: `Bearer ${account.access_token}` },
  });
});

test('the id of no number is refused before the channel exists, and its field is named', async (t) => {
  const { meta, client, settings } = await scene(t);
  const other = { ...settings, phone_number_id: '555' };
  const refused = { message: /^phone_number_id is no number that this token reaches\. WhatsApp: .*'555'/ };
  await assert.rejects(async () => whatsapp.learn?.(other, client), refused);
  await assert.rejects(async () => whatsapp.check?.ask(other, client), refused);
  const swapped = { ...settings, phone_number_id: settings.waba_id };
  await assert.rejects(async () => whatsapp.learn?.(swapped, client), {
    message: /^phone_number_id is no number .*nonexisting field/,
  });
  assert.ok(meta.calls.every(({ method }) => method === 'GET'));
  assert.deepEqual(await whatsapp.learn?.(settings, client), {});
});

test('trouble with the question about the number keeps nobody from adding it', async (t) => {
  const { meta, client, settings } = await scene(t);
  for (const trouble of [graphError(500, 2, 'Unavailable'), graphError(400, 100, 'Unsupported request')]) {
    meta.react(({ path }) => (path.endsWith(settings.phone_number_id) ? trouble : null));
    assert.deepEqual(await whatsapp.learn?.(settings, client), {});
  }
});

test("a wrong token is detected before the channel exists, in Meta's words", async (t) => {
  const { client, settings } = await scene(t);
  await assert.rejects(async () => whatsapp.learn?.({ ...settings, access_token: 'wrong' }, client), {
    message: 'WhatsApp refused: Invalid OAuth access token.',
  });
});
