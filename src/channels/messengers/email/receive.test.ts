import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dsn, letter, mdn } from '../../../simulator/email/letters.ts';
import type { InboundEvent } from '../../contract/inbound.ts';
import { envelopeSender } from './names.ts';
import { eventsOf } from './receive.ts';

const from = 'help@shop.example';
const uuid = '01990000-0000-7000-8000-000000000001';
const settings = { from, smtp_url: 'smtp://127.0.0.1' };

const read = (source: string | Buffer): Promise<InboundEvent[]> =>
  eventsOf({ source: Buffer.from(source), fallbackId: '1:7' }, settings);

const chat = { externalId: 'ann@client.example', name: 'Ann Lee' };
const common = { url: null, payload: null };

test('the first mail of a thread becomes a message with its subject and text', async () => {
  assert.deepEqual(await read(letter({ subject: 'My order', text: 'Where is it?\r\n\r\nAnn' })), [
    {
      kind: 'message',
      chat,
      message: {
        ...common,
        externalId: '<q1@client.example>',
        type: 'text',
        text: 'My order\n\nWhere is it?\n\nAnn',
        words: 'Where is it?',
        subject: 'My order',
      },
    },
  ]);
});

test('an answer becomes a message with its text alone', async () => {
  const [event] = await read(
    letter({ subject: 'Re: My order', text: 'Yes', inReplyTo: `<${uuid}@shop.example>` }),
  );
  assert.ok(event?.kind === 'message');
  assert.equal(event.message.text, 'Yes');
  assert.equal(event.message.subject, 'Re: My order');
});

const chatIn = async (source: string, more: object = {}) => {
  const [event] = await eventsOf(
    { source: Buffer.from(source), fallbackId: '1:7' },
    { ...settings, ...more },
  );
  return event?.kind === 'message' ? event.chat : null;
};

test('a client is one address in lower case: the one in From', async () => {
  const chats = [
    letter({ from: 'ANN@Client.Example' }),
    letter({ from: '"Lee, Ann" <ann@client.example>' }),
    letter({ from: 'ann@client.example, bob@client.example' }),
    letter({ from: 'Ann@xn--e1afmkfd.example' }),
    letter({ from: 'ann@Пример.example' }),
  ].map((source) => chatIn(source));
  assert.deepEqual(await Promise.all(chats), [
    { externalId: 'ann@client.example' },
    { externalId: 'ann@client.example', name: 'Lee, Ann' },
    { externalId: 'ann@client.example' },
    { externalId: 'ann@xn--e1afmkfd.example' },
    { externalId: 'ann@xn--e1afmkfd.example' },
  ]);
});

test('the words of a mail are its first paragraph, without the quoted mail, the signature and the subject', async () => {
  const texts = [
    'Stop\r\n\r\nOn Fri, Nov 20, 2026 Shop <help@shop.example> wrote:\r\n> Sale\r\n',
    'Stop\r\n> Sale today\r\n',
    '\r\nStop\r\n \r\nBest regards,\r\nAnn',
    '> Sale today\r\n> Only now\r\n\r\nStop',
    'Stop\r\nOn Fri, Nov 20, 2026 Shop <help@shop.example> wrote:\r\n> Sale\r\n',
    'Stop\r\n\tOn Fri, Nov 20, 2026, Shop\r\n<help@shop.example> wrote:\r\n\r\nSale',
    'Stop\r\nSent from my iPhone',
  ];
  for (const text of texts) {
    const [event] = await read(letter({ subject: 'Hi', text }));
    assert.ok(event?.kind === 'message');
    assert.equal(event.message.words, 'Stop');
    assert.ok(event.message.text?.startsWith('Hi\n\n'));
  }
  const [two] = await read(letter({ subject: 'Hi', text: 'Stop\r\nthis order' }));
  assert.equal(two?.kind === 'message' && two.message.words, 'Stop\nthis order');
  const [bare] = await read(letter({ subject: 'Stop', text: '' }));
  assert.equal(bare?.kind === 'message' && bare.message.words, undefined);
});

test('styles of a mail in HTML are no text, and what it quotes are not the words of its writer', async () => {
  const wordsIn = async (html: string) => {
    const [event] = await read(letter({ subject: '', text: '', html }));
    assert.ok(event?.kind === 'message');
    return [event.message.text, event.message.words ?? event.message.text];
  };
  assert.deepEqual(await wordsIn('<style>p{color:red}</style><p>Stop</p>'), ['Stop', 'Stop']);
  assert.deepEqual(await wordsIn('<p>Stop</p><blockquote>Sale</blockquote>'), ['Stop\n\n Sale', 'Stop']);
  const [text, words] = await wordsIn('<blockquote>Stop</blockquote><p>What is this?</p>');
  assert.match(text ?? '', /Stop\s+What is this/);
  assert.equal(words, 'What is this?');
  assert.deepEqual(await wordsIn('<p>One</p><STYLE>stop</STYLE ><style>stop'), ['One', 'One']);
});

test('a scenario hears a mail without the mail that it answers', async () => {
  const heard = async (text: string) => {
    const [event] = await read(letter({ inReplyTo: '<1@shop.example>', text }));
    assert.ok(event?.kind === 'message');
    return event.message.own ?? event.message.text;
  };
  for (const [text, own] of [
    [
      'Blue\r\n\r\nSize 4\r\n\r\nOn 20.11.2026 Shop <help@shop.example>\r\nwrote:\r\n> Which?\r\n',
      'Blue\n\nSize 4',
    ],
    ['20.11.2026, Shop пишет:\r\n\r\n> Which?\r\n>\r\n> Say it.\r\n\r\nBlue', 'Blue'],
    ['Blue\r\n-----Original Message-----\r\nFrom: Shop\r\n\r\nWhich?', 'Blue'],
    ['Blue\r\n\r\n________________________________\r\n\r\nFrom: Shop\r\nWhich?', 'Blue'],
    ['Blue, by 12:\r\n\r\nno later.', 'Blue, by 12:\n\nno later.'],
    ['Colours:\r\n> Which?\r\nblue', 'Colours:\n\nblue'],
    ['> Which?', '> Which?'],
    ['Blue\r\nOn Sat, Nov 28, 2026 at 10:40 PM Shop <help@shop.example> wrote:\r\n> Which?', 'Blue'],
    [
      ' Blue\r\n    On Saturday, November 28, 2026, Shop\r\n<help@shop.example> wrote: \r\n \r\n Which?',
      'Blue',
    ],
    ['Blue\r\n\r\nFrom: Shop\r\nSent: Saturday\r\nTo: Ann\r\n\r\nWhich?', 'Blue'],
    ['Blue\r\n\r\n*От:* Shop\r\n*Отправлено:* 28 ноября\r\n\r\nWhich?', 'Blue'],
    ['Blue\r\n\r\nSent from my iPhone\r\n\r\nOn 4 May 2026 Shop wrote:\r\n> Which?', 'Blue'],
    ['Blue\r\n-- \r\nAnn', 'Blue'],
    ['Sent from my iPhone', 'Sent from my iPhone'],
    [
      'Yes.\r\nSent from my iPhone was my last mail, see?',
      'Yes.\nSent from my iPhone was my last mail, see?',
    ],
    ['Blue\r\nSent from Outlook for iOS<https://aka.ms/o0ukef>', 'Blue'],
    ['Name: Ann\r\n____________________\r\nAddress', 'Name: Ann\n____________________\nAddress'],
    ['Hi\r\n----- Original Message -----\r\nis a song', 'Hi\n----- Original Message -----\nis a song'],
    ['One\r\n--\r\nTwo', 'One\n--\nTwo'],
    ['Name: Ann\r\nFrom: Paris\r\nColour: blue', 'Name: Ann\nFrom: Paris\nColour: blue'],
  ] as const) {
    assert.equal(await heard(text), own);
  }
});

test('a scenario hears an answer in HTML without the mail below it, as Outlook writes it', async () => {
  const head = '<b>From:</b> Shop &lt;help@shop.example&gt;<br><b>Sent:</b> Saturday<br><b>To:</b> Ann';
  for (const html of [
    `<p>Blue</p><div style="border-top:solid"><p>${head}</p></div><p>Which?</p>`,
    `<div>Blue</div><hr><div id="divRplyFwdMsg"><font>${head}</font></div><div>Which?</div>`,
    '<div>On Sat, 28 Nov 2026, Shop wrote:</div><blockquote>Which?<blockquote>Hi</blockquote>?</blockquote><p>Blue</p>',
    '<div>Blue</div><div>On Saturday, 28 November 2026, Shop &lt;a@shop.example&gt; wrote:</div><div>Which?</div>',
  ]) {
    const [event] = await read(letter({ inReplyTo: '<1@shop.example>', text: '', html }));
    assert.equal(event?.kind === 'message' && event.message.own, 'Blue');
  }
});

test('a scenario hears what stands between quotes and rules of HTML, and no subject of an answer', async () => {
  for (const [html, own] of [
    ['A:<blockquote>Which size?</blockquote>XL<blockquote>Which colour?</blockquote>Red', 'A:\n\nXL\n\nRed'],
    ['<div>3 pears</div><hr><div>5 apples</div>', '3 pears\n\n-------------\n\n5 apples'],
  ] as const) {
    const [event] = await read(letter({ subject: 'Re: Order', text: '', html }));
    assert.ok(event?.kind === 'message');
    assert.equal((event.message.own ?? '').replace(/\n\s*\n/g, '\n\n'), own);
  }
});

test('a name that looks like an address is not the client’s name', async () => {
  for (const name of ['"bob@client.example"', '"Bob <bob@client.example>"', '"bob＠client.example"']) {
    const chat = await chatIn(letter({ from: `${name} <eve@evil.example>` }));
    assert.deepEqual(chat, { externalId: 'eve@evil.example' });
  }
});

test('comments, quoted and encoded texts of From are no address of a client', async () => {
  const eves = [
    '(a (b) <bob@client.example>) <eve@evil.example>',
    '=?utf-8?Q?=3Cbob=40client.example=3E?=, <eve@evil.example>',
    '=?utf-8?B?PGJvYkBjbGllbnQuZXhhbXBsZT4=?= <eve@evil.example>',
    '"bob@client.example", <eve@evil.example>',
    'bob@client.example <eve@evil.example>',
  ];
  for (const source of eves) {
    assert.deepEqual(await chatIn(letter({ from: source })), { externalId: 'eve@evil.example' }, source);
  }
  const nobodys = [
    '(x\\) <bob@client.example>, () <eve@evil.example>',
    '<"x<bob@client.example>"@evil.example>',
    '<"bob@client.example>"@evil.example>',
    '(bob@client.example)',
  ];
  for (const source of nobodys) assert.equal(await chatIn(letter({ from: source })), null, source);
  const twice = letter({ from: 'bob@client.example', headers: ['From: eve@evil.example'] });
  assert.equal(await chatIn(twice), null);
});

test('nobody passes for a web form by a second address, or by encoded text', async () => {
  const listed = { form_senders: 'form@shop.example' };
  const headers = ['Reply-To: Bob <bob@client.example>'];
  for (const source of [
    '=?utf-8?Q?=3Cform=40shop.example=3E?=, <eve@evil.example>',
    'form@shop.example, eve@evil.example',
  ]) {
    const chat = await chatIn(letter({ from: source, headers }), listed);
    assert.notEqual(chat?.externalId, 'bob@client.example', source);
  }
});

test('nobody writes as another client by Reply-To', async () => {
  const eve = { externalId: 'eve@evil.example', name: 'Eve' };
  const headers = ['Reply-To: Bob <bob@client.example>'];
  const source = letter({ from: 'Eve <eve@evil.example>', headers });
  assert.deepEqual(await chatIn(source), eve);
  const listed = { form_senders: 'form@shop.example' };
  assert.deepEqual(await chatIn(source, listed), eve);
  assert.deepEqual(await chatIn(letter({ from: 'form@shop.example <eve@evil.example>', headers }), listed), {
    externalId: eve.externalId,
  });
  const several = letter({ from: 'eve@evil.example, form@shop.example', headers });
  assert.deepEqual(await chatIn(several, listed), { externalId: 'eve@evil.example' });
});

test('a mail of a web form is written by its Reply-To', async () => {
  const listed = { form_senders: `one@shop.example, Form@Shop.example ${from}` };
  const headers = ['Reply-To: Ann Lee <ann@client.example>'];
  const ann = { externalId: 'ann@client.example', name: 'Ann Lee' };
  assert.deepEqual(await chatIn(letter({ from: 'Form <form@shop.EXAMPLE>', headers }), listed), ann);
  assert.deepEqual(await chatIn(letter({ from, headers }), listed), ann);
  assert.deepEqual(await chatIn(letter({ from: 'form@shop.example' }), listed), {
    externalId: 'form@shop.example',
  });
  const named = letter({ from: 'Ann Lee <form@shop.example>', headers: ['Reply-To: ann@client.example'] });
  assert.deepEqual(await chatIn(named, listed), ann);
});

test('a mail in HTML alone is read as text', async () => {
  const [event] = await read(letter({ subject: '', html: '<p>Hello,<br>it&#39;s me &amp; Bob</p>' }));
  assert.ok(event?.kind === 'message');
  assert.equal(event.message.text, "Hello,\nit's me & Bob");
});

test('texts keep their characters in any encoding', async () => {
  const headers = ['Content-Type: text/plain; charset=koi8-r', 'Content-Transfer-Encoding: base64'];
  const subject = '=?windows-1251?B?x+Dq4Oc=?=';
  const utf8 = 'Content-Type: text/plain; charset=utf-8\r\n';
  const [event] = await read(letter({ subject, headers, text: '8NLJ18XU' }).replace(utf8, ''));
  assert.ok(event?.kind === 'message');
  assert.equal(event.message.text, 'Заказ\n\nПривет');
});

test('each attachment becomes a message with its bytes, after the text', async () => {
  const png = Buffer.from([137, 80, 78, 71]);
  const files = [
    { name: 'чек.png', type: 'image/png', bytes: png },
    { name: 'a.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF') },
  ];
  const events = await read(letter({ subject: '', text: 'Look', files }));
  assert.deepEqual(
    events.map((event) => event.kind === 'message' && event.message),
    [
      { ...common, externalId: '<q1@client.example>', type: 'text', text: 'Look' },
      {
        ...common,
        externalId: '<q1@client.example>#1',
        type: 'image',
        text: null,
        file: { bytes: png, name: 'чек.png' },
      },
      {
        ...common,
        externalId: '<q1@client.example>#2',
        type: 'document',
        text: null,
        file: { bytes: Buffer.from('%PDF'), name: 'a.pdf' },
      },
    ],
  );
  const alone = await read(letter({ subject: '', text: '', files: files.slice(0, 1) }));
  assert.deepEqual(
    alone.map((event) => event.kind === 'message' && event.message.type),
    ['image'],
  );
});

test('a mail without a Message-ID is identified by its UID', async () => {
  const [event] = await read(letter({ messageId: null }));
  assert.ok(event?.kind === 'message');
  assert.equal(event.message.externalId, '1:7');
});

test('automatic mails and our own mails are ignored', async () => {
  for (const headers of [
    ['Auto-Submitted: auto-replied'],
    ['auto-submitted: auto-generated (rejected)'],
    ['Precedence: bulk'],
    ['Precedence: LIST'],
    ['Return-Path: <>'],
  ]) {
    assert.deepEqual(await read(letter({ headers })), [], headers[0]);
  }
  assert.deepEqual(await read(letter({ from: 'Help <HELP@shop.example>' })), []);
  assert.deepEqual(await read(letter({ from: 'nobody' })), []);
  for (const headers of [
    ['Auto-Submitted: no'],
    ['Precedence: first-class'],
    ['Return-Path: <ann@client.example>'],
  ]) {
    assert.equal((await read(letter({ headers }))).length, 1, headers[0]);
  }
});

const about = (state: string, detail = '') => [{ kind: 'receipt', message: { uuid }, state, detail }];
const reason = '550 5.1.1 <ann@client.example> No such user';

test('a delivery report finds its message by any of its ids', async () => {
  const names = [
    { envelopeId: uuid },
    { to: envelopeSender(uuid, from) },
    { to: envelopeSender(uuid, from).toUpperCase() },
    { originalMessageId: `<${uuid}@shop.example>` },
  ];
  for (const name of names) {
    assert.deepEqual(
      await read(dsn({ ...name, action: 'delivered' })),
      about('delivered'),
      JSON.stringify(name),
    );
    assert.deepEqual(
      await read(dsn({ ...name, action: 'failed', diagnosis: reason })),
      about('undelivered', reason),
    );
  }
});

test('a failure without a diagnosis has its status as the reason', async () => {
  const events = await read(dsn({ envelopeId: uuid, action: 'failed' }));
  assert.deepEqual(events, about('undelivered', 'The mail was returned (5.1.1).'));
});

test('a report that is not final or not about our mails changes nothing', async () => {
  for (const action of ['delayed', 'relayed', 'expanded']) {
    assert.deepEqual(await read(dsn({ envelopeId: uuid, action })), []);
  }
  assert.deepEqual(await read(dsn({ action: 'failed' })), []);
  assert.deepEqual(await read(dsn({ action: 'failed', originalMessageId: `<${uuid}@other.example>` })), []);
});

test('a bounce without a report is found by its recipient address', async () => {
  const to = envelopeSender(uuid, from);
  const bounce = { from: 'MAILER-DAEMON@relay.example', to, text: 'No such user here.' };
  const headers = ['X-Failed-Recipients: ann@client.example', 'Auto-Submitted: auto-replied'];
  assert.deepEqual(await read(letter({ ...bounce, headers })), about('undelivered', 'No such user here.'));
  assert.deepEqual(
    await read(letter({ ...bounce, subject: 'failure notice' })),
    about('undelivered', 'No such user here.'),
  );
  const absence = { ...bounce, subject: 'On holiday', headers: ['Auto-Submitted: auto-replied'] };
  assert.deepEqual(await read(letter(absence)), []);
});

test('a client’s mail to the VERP address is a message', async () => {
  assert.equal((await read(letter({ to: envelopeSender(uuid, from) }))).length, 1);
});

test('a displayed notification is READ, and a deleted one changes nothing', async () => {
  const messageId = `<${uuid}@shop.example>`;
  assert.deepEqual(
    await read(mdn({ messageId, disposition: 'manual-action/MDN-sent-manually; displayed' })),
    about('read'),
  );
  assert.deepEqual(
    await read(mdn({ messageId, disposition: 'automatic-action/MDN-sent-automatically; deleted' })),
    [],
  );
  assert.deepEqual(await read(mdn({ messageId: '<x@other.example>', disposition: 'a/b; displayed' })), []);
});

test('no bytes cause an exception', async () => {
  for (const source of [
    '',
    '\r\n',
    'From: a@b.c',
    `${'a:b\r\n'.repeat(100_000)}\r\n`,
    `From: ${'<'.repeat(100_000)}`,
  ]) {
    await read(source);
  }
  const nested = Array.from(
    { length: 400 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}`,
  );
  await read(`From: ann@client.example\r\n${nested.join('\r\n')}`);
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 2000 }),
      async (bytes) => void (await read(Buffer.from(bytes))),
    ),
  );
  const fields = fc.array(
    fc.constantFrom(...letter({}).split('\r\n'), ...dsn({ action: 'failed' }).split('\r\n')),
  );
  await fc.assert(fc.asyncProperty(fields, async (lines) => void (await read(lines.join('\r\n')))));
});
