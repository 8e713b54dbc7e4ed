import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { testOutbound } from '../../../../test/outbound.ts';
import { linksIn } from '../../../platform/links.ts';
import {
  type SmtpOptions,
  type SmtpReaction,
  type SmtpStep,
  startSmtp,
} from '../../../simulator/email/smtp.ts';
import { listenAt } from '../../../simulator/listening.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { email } from './adapter.ts';
import { send } from './send.ts';
import type { Settings } from './settings.ts';

const account = { user: 'help@shop.example', password: 'p@ss:word/1' };
const now = new Date('2026-05-04T10:00:00Z');
const uuid = '01990000-0000-7000-8000-000000000001';

const text: OutgoingMessage = {
  uuid,
  type: 'text',
  text: 'Hello, Ann!\nYour order is here.',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: 'ann@client.example' },
};

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn();
}

async function setUp(t: TestContext, options: Partial<SmtpOptions> = {}, changes: Partial<Settings> = {}) {
  const smtp = await startSmtp(t, { ...account, ...options });
  const http = testOutbound(t);
  const scheme = options.tls === 'always' ? 'smtps' : 'smtp';
  const [user, password] = [account.user, account.password].map(encodeURIComponent);
  const settings: Settings = {
    from: 'help@shop.example',
    from_name: 'Shop, Ltd',
    smtp_url: `${scheme}://${user}:${password}@127.0.0.1:${smtp.port}`,
    ...changes,
  };
  const { signal } = new AbortController();
  const deliver = (message = text, deadline = signal) => send(message, settings, http, { now, deadline });
  return { smtp, http, settings, send: deliver };
}

const onlyLetter = ({ letters }: Awaited<ReturnType<typeof startSmtp>>) => {
  const [letter, ...others] = letters;
  assert.ok(letter && others.length === 0, `${letters.length} letters`);
  return letter;
};

test('a text becomes a mail in text and HTML with its own Message-ID and envelope sender', async (t) => {
  const { smtp, send } = await setUp(t);
  assert.deepEqual(await send(), { sent: true, providerId: `<${uuid}@shop.example>` });
  const { envelope, mail } = onlyLetter(smtp);
  assert.equal(envelope.from, 'help+01990000000070008000000000000001@shop.example');
  assert.equal(envelope.to, 'ann@client.example');
  assert.deepEqual(mail.from, { address: 'help@shop.example', name: 'Shop, Ltd' });
  assert.deepEqual(mail.to, [{ address: 'ann@client.example', name: '' }]);
  assert.equal(mail.messageId, `<${uuid}@shop.example>`);
  assert.equal(mail.date, now.toISOString());
  assert.equal(mail.subject, 'Hello, Ann!');
  assert.equal(mail.text?.trim().replaceAll('\r', ''), text.text);
  assert.equal(mail.html?.trim(), '<p>Hello, Ann!<br>\nYour order is here.</p>');
  assert.equal(smtp.logins(), 1);
});

test('delivery reports and read receipts are requested with the uuid of the message', async (t) => {
  const { smtp, send } = await setUp(t);
  await send();
  const { envelope, mail } = onlyLetter(smtp);
  assert.deepEqual(envelope.dsn, {
    envid: uuid,
    ret: 'HDRS',
    notify: ['SUCCESS', 'FAILURE', 'DELAY'],
    orcpt: 'rfc822;ann@client.example',
  });
  const asked = mail.headers.find(({ key }) => key === 'disposition-notification-to');
  assert.equal(asked?.value, 'help@shop.example');
});

const at = new Date();

test('an answer continues the thread of the answered mail', async (t) => {
  const { smtp, send } = await setUp(t);
  await send({ ...text, answers: { externalId: '<q1@client.example>', subject: 'My order', at } });
  await send({ ...text, answers: { externalId: '<q2@client.example>#1', subject: 'RE: My order', at } });
  await send({ ...text, answers: { externalId: '7:12', subject: null, at } });
  assert.deepEqual(
    smtp.letters.map(({ mail: { inReplyTo, references, subject } }) => [inReplyTo, references, subject]),
    [
      ['<q1@client.example>', '<q1@client.example>', 'Re: My order'],
      ['<q2@client.example>', '<q2@client.example>', 'RE: My order'],
      [undefined, undefined, 'Hello, Ann!'],
    ],
  );
});

test('texts cannot inject headers or HTML', async (t) => {
  const { smtp, send } = await setUp(t, {}, { from_name: '"Evil" <x@y.example>, ' });
  const evil = { externalId: '<q@client.example>', subject: 'Hi\r\nBcc: eve@evil.example', at };
  await send({ ...text, text: '<script>alert("1")</script> & more', answers: evil });
  const { envelope, mail } = onlyLetter(smtp);
  assert.equal(envelope.to, 'ann@client.example');
  assert.equal(mail.bcc, undefined);
  assert.equal(mail.from?.address, 'help@shop.example');
  assert.equal(mail.html?.trim(), '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; more</p>');
});

test('URLs become links, and buttons become links or lines', async (t) => {
  const { smtp, send } = await setUp(t);
  const buttons = [
    { text: 'Pay & go', url: 'https://shop.example/pay?a=1&b=2' },
    { text: 'Later', payload: 'later' },
  ];
  await send({ ...text, text: 'See https://shop.example/a?b=1&c=2.', buttons });
  const { mail } = onlyLetter(smtp);
  assert.equal(
    mail.text?.trim().replaceAll('\r', ''),
    'See https://shop.example/a?b=1&c=2.\nPay & go: https://shop.example/pay?a=1&b=2\nLater',
  );
  assert.deepEqual(mail.html?.trim().replaceAll('\r', '').split('\n'), [
    '<p>See <a href="https://shop.example/a?b=1&amp;c=2">https://shop.example/a?b=1&amp;c=2</a>.</p>',
    '<p><a href="https://shop.example/pay?a=1&amp;b=2">Pay &amp; go</a></p>',
    '<p>Later</p>',
  ]);
});

const hrefsIn = (html = '') => Array.from(html.matchAll(/href="([^"]*)"/g), ([, href = '']) => href);

test('links in the HTML part are those that a mailing tracks, whatever is around them', async (t) => {
  const { smtp, send } = await setUp(t);
  const said = [
    '"https://a.test/1" <https://a.test/2> «https://a.test/3» “https://a.test/4” „https://a.test/5“',
    "(https://a.test/6) 'https://a.test/7' ‹https://a.test/8›, https://a.test/9_(b)?c=1&d=2; HTTPS://a.test/10…",
  ].join('\n');
  await send({ ...text, text: said });
  const { mail } = onlyLetter(smtp);
  const expected = linksIn(said).map((link) => link.replaceAll('&', '&amp;'));
  assert.equal(expected.length, 10);
  assert.deepEqual(hrefsIn(mail.html), expected);
  assert.match(
    mail.html ?? '',
    /&quot;<a href="https:\/\/a\.test\/1">https:\/\/a\.test\/1<\/a>&quot; &lt;<a/,
  );
});

test('a message with an unsubscribe address has the one-click headers', async (t) => {
  const { smtp, send } = await setUp(t);
  await send({ ...text, unsubscribeUrl: () => 'https://patchbay.test/u/abc' });
  const headers = new Map(onlyLetter(smtp).mail.headers.map(({ key, value }) => [key, value]));
  assert.equal(headers.get('list-unsubscribe'), '<https://patchbay.test/u/abc>');
  assert.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
});

test('a mailing’s mail answers no earlier one, and its subject has no link', async (t) => {
  const { smtp, send } = await setUp(t);
  const answers = { externalId: '<q1@client.example>', subject: 'My order', at };
  const unsubscribeUrl = () => 'https://patchbay.test/u/abc';
  const line = 'Tea is here: https://patchbay.test/l/AbCdEf';
  await send({ ...text, text: `${line}\nSee you!`, answers, unsubscribeUrl });
  await send({ ...text, text: line, answers: { ...answers, subject: null } });
  const seen = smtp.letters.map(({ mail }) => [
    mail.subject,
    mail.inReplyTo,
    mail.headers.find(({ key }) => key === 'auto-submitted')?.value,
  ]);
  assert.deepEqual(seen, [
    ['Tea is here:', undefined, 'auto-generated'],
    ['Tea is here:', '<q1@client.example>', 'auto-replied'],
  ]);
});

test('a mail that no person wrote says so: two programs would otherwise answer each other for ever', async (t) => {
  const { smtp, send } = await setUp(t);
  const answers = { externalId: '<q1@client.example>', subject: 'My order', at };
  await send({ ...text, answers });
  await send(text);
  await send({ ...text, answers, byPerson: true });
  const told = smtp.letters.map(
    ({ mail }) => mail.headers.find(({ key }) => key === 'auto-submitted')?.value,
  );
  assert.deepEqual(told, ['auto-replied', 'auto-generated', undefined]);
});

async function startFiles(t: TestContext, status = 200) {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'image/png; x=1' }).end(Buffer.from([1, 2, 3]));
  });
  const port = await listenAt(server, 0);
  t.after(() => void server.close());
  return `http://127.0.0.1:${port}`;
}

test('a picture and a document are attachments', async (t) => {
  const { smtp, send } = await setUp(t);
  const files = await startFiles(t);
  await send({ ...text, type: 'image', url: `${files}/f/%D1%87ек.png` });
  await send({ ...text, type: 'document', text: null, url: `${files}/` });
  const [image, document] = smtp.letters.map(({ mail }) => mail);
  const [attached] = image?.attachments ?? [];
  assert.deepEqual([attached?.filename, attached?.mimeType], ['чек.png', 'image/png']);
  assert.ok(attached && typeof attached.content !== 'string');
  assert.deepEqual(Buffer.from(new Uint8Array(attached.content)), Buffer.from([1, 2, 3]));
  assert.equal(image?.subject, 'Hello, Ann!');
  assert.deepEqual([document?.attachments.length, document?.subject], [1, 'file']);
});

test('a missing file is a permanent error, and an unavailable one is temporary', async (t) => {
  const { smtp, send } = await setUp(t);
  for (const [status, code] of [
    [404, 'bad_content'],
    [302, 'bad_content'],
    [503, 'temporary'],
  ] as const) {
    const result = await send({ ...text, type: 'image', url: `${await startFiles(t, status)}/a.png` });
    assert.ok(!result.sent && result.error.code === code);
    assert.ok(result.error.code !== 'temporary' || !result.error.mayHaveBeenSent);
  }
  const inside = await send({ ...text, type: 'image', url: 'http://10.1.2.3/a.png' });
  assert.ok(!inside.sent && inside.error.code === 'bad_content');
  assert.equal(smtp.letters.length, 0);
});

test('a server that refuses the VERP sender gets the bare address', async (t) => {
  const { smtp, send } = await setUp(t);
  smtp.react((step, address) =>
    step === 'MAIL' && address.includes('+')
      ? { code: 553, text: '5.7.1 Sender address rejected: not owned' }
      : null,
  );
  assert.equal((await send()).sent, true);
  assert.equal(onlyLetter(smtp).envelope.from, 'help@shop.example');
});

const senderRefusals: [step: SmtpStep, code: number, text: string][] = [
  ['MAIL', 501, '5.1.7 Bad sender address syntax'],
  ['RCPT', 553, '5.7.1 <help+x@shop.example>: Sender address rejected: not owned by user help'],
  ['RCPT', 550, 'not local sender over smtp'],
  ['DATA', 550, '5.7.60 Client does not have permissions to send as this sender'],
  ['DATA', 554, '5.1.8 Bad return path'],
];

for (const [step, code, words] of senderRefusals) {
  test(`a VERP sender that ${step} refuses with ${code} is replaced by the bare address`, async (t) => {
    const { smtp, send } = await setUp(t);
    let sender = '';
    smtp.react((at, address) => {
      if (at === 'MAIL') sender = address;
      return at === step && sender.includes('+') ? { code, text: words } : null;
    });
    assert.equal((await send()).sent, true);
    assert.equal(onlyLetter(smtp).envelope.from, 'help@shop.example');
  });
}

test('a mail whose second sender is refused too, or whose client is, is not sent once more', async (t) => {
  const { smtp, send } = await setUp(t);
  let recipients = 0;
  const refuse = (text: string) =>
    smtp.react((step) => {
      recipients += step === 'RCPT' ? 1 : 0;
      return step === 'RCPT' ? { code: 550, text } : null;
    });
  refuse('5.7.1 Sender address rejected');
  assert.equal((await send()).sent, false);
  assert.equal(recipients, 2);
  refuse('5.1.1 No such user');
  assert.equal((await send()).sent, false);
  assert.equal(recipients, 3);
});

const refusals: [step: SmtpStep, code: number, text: string, means: string][] = [
  ['RCPT', 550, '5.1.1 No such user', 'invalid_recipient'],
  ['RCPT', 551, '5.1.6 User not local', 'invalid_recipient'],
  ['RCPT', 552, '5.2.2 Mailbox full', 'invalid_recipient'],
  ['RCPT', 553, '5.1.3 Bad address', 'invalid_recipient'],
  ['RCPT', 550, '5.7.1 Refused by policy', 'bad_content'],
  ['RCPT', 450, '4.2.0 Greylisted', 'temporary'],
  ['RCPT', 452, '4.2.2 Mailbox full for now', 'temporary'],
  ['RCPT', 451, '4.7.1 Too many messages, slow down', 'rate_limited'],
  ['RCPT', 451, '4.7.1 Rate limit of the server', 'rate_limited'],
  ['RCPT', 450, '4.2.0 <ann@rate.example>: greylisted by corporate policy', 'temporary'],
  ['MAIL', 421, '4.3.2 Shutting down', 'temporary'],
  ['MAIL', 552, '5.3.4 Message too big', 'bad_content'],
  ['MAIL', 553, '5.7.1 Sender rejected', 'auth'],
  ['MAIL', 530, '5.7.0 Authentication required', 'auth'],
  ['DATA', 554, '5.7.1 This is spam', 'bad_content'],
  ['DATA', 552, '5.3.4 Message too big', 'bad_content'],
  ['DATA', 451, '4.3.0 Try again', 'temporary'],
  ['AUTH', 535, '5.7.8 Bad credentials', 'auth'],
  ['AUTH', 454, '4.7.0 Try again', 'temporary'],
];

for (const [at, code, words, means] of refusals) {
  test(`${code} "${words}" at ${at} is ${means}, and nothing was sent`, async (t) => {
    const { smtp, send } = await setUp(t);
    smtp.react((step) => (step === at ? { code, text: words } : null));
    const result = await send();
    assert.ok(!result.sent);
    assert.equal(result.error.code, means, JSON.stringify(result.error));
    assert.match(result.error.detail ?? '', new RegExp(words));
    if (result.error.code === 'temporary') assert.equal(result.error.mayHaveBeenSent, false);
    if (result.error.code === 'rate_limited') assert.ok(result.error.retryAfterMs <= 45_000);
  });
}

test('a mail above the size that the server names fails at once, and the next one is sent', async (t) => {
  const { smtp, send } = await setUp(t, { size: 2_000 });
  const result = await send({ ...text, text: 'x'.repeat(3_000) });
  assert.partialDeepStrictEqual(result, { sent: false, error: { code: 'bad_content' } });
  assert.equal((await send({ ...text, text: 'Short' })).sent, true);
  assert.equal(smtp.letters.length, 1);
});

test('a wrong password is auth', async (t) => {
  const { smtp, http, settings } = await setUp(t);
  const { signal: deadline } = new AbortController();
  const wrong = { ...settings, smtp_url: `smtp://help:wrong@127.0.0.1:${smtp.port}` };
  const result = await send(text, wrong, http, { now, deadline });
  assert.ok(!result.sent && result.error.code === 'auth');
});

const cuts: [step: SmtpStep, reaction: SmtpReaction, mayHaveBeenSent: boolean][] = [
  ['AUTH', 'close', false],
  ['RCPT', 'close', false],
  ['RCPT', 'hang', false],
  ['DATA', 'close', true],
  ['DATA', 'hang', true],
];

for (const [at, reaction, mayHaveBeenSent] of cuts) {
  const what = reaction === 'close' ? 'closes the connection' : 'hangs until the deadline';
  test(`a server that ${what} at ${at} is temporary, and the mail may${mayHaveBeenSent ? '' : ' not'} have been sent`, async (t) => {
    const { smtp, send } = await setUp(t);
    const deadline = new AbortController();
    smtp.react((step) => {
      if (step !== at) return null;
      if (reaction === 'hang') setImmediate(() => deadline.abort());
      return reaction;
    });
    const result = await send(text, deadline.signal);
    assert.ok(!result.sent && result.error.code === 'temporary', JSON.stringify(result));
    assert.equal(result.error.mayHaveBeenSent, mayHaveBeenSent);
  });
}

test('an unreachable server is temporary, and a forbidden address is auth', async (t) => {
  const { http, settings } = await setUp(t);
  const { signal: deadline } = new AbortController();
  const nowhere = await send(text, { ...settings, smtp_url: 'smtp://127.0.0.1:1' }, http, { now, deadline });
  assert.ok(!nowhere.sent && nowhere.error.code === 'temporary' && !nowhere.error.mayHaveBeenSent);
  const inside = await send(text, { ...settings, smtp_url: 'smtp://10.1.2.3:25' }, http, { now, deadline });
  assert.ok(!inside.sent && inside.error.code === 'auth');
});

test('an offered STARTTLS is always used, and a self-signed certificate is refused by default', async (t) => {
  for (const tls of ['starttls', 'always'] as const) {
    const strict = await setUp(t, { tls });
    const refused = await strict.send();
    assert.ok(!refused.sent && refused.error.code === 'temporary' && !refused.error.mayHaveBeenSent);
    assert.match(refused.error.detail ?? '', /certificate/);
    assert.deepEqual([strict.smtp.letters.length, strict.smtp.logins()], [0, 0]);
    const lax = await setUp(t, { tls }, { tls: 'insecure' });
    assert.equal((await lax.send()).sent, true);
    assert.equal(onlyLetter(lax.smtp).envelope.encrypted, true);
  }
});

test('mails to one server share a connection that is logged in, which is closed when it is idle', async (t) => {
  const { smtp, send } = await setUp(t);
  for (let mail = 0; mail < 3; mail += 1) assert.ok((await send()).sent);
  assert.deepEqual([smtp.letters.length, smtp.logins(), smtp.connections()], [3, 1, 1]);
  await until(() => smtp.connections() === 0);
});

test('mails at once have connections of their own', async (t) => {
  const { smtp, send } = await setUp(t);
  const results = await Promise.all([send(), send(), send()]);
  assert.deepEqual([results.filter(({ sent }) => sent).length, smtp.logins()], [3, 3]);
});

test('another password has a connection of its own', async (t) => {
  const { smtp, http, settings, send: right } = await setUp(t);
  assert.ok((await right()).sent);
  const smtp_url = settings.smtp_url.replace(encodeURIComponent(account.password), 'wrong');
  const attempt = { now, deadline: new AbortController().signal };
  const result = await send(text, { ...settings, smtp_url }, http, attempt);
  assert.ok(!result.sent && result.error.code === 'auth');
  assert.equal(smtp.letters.length, 1);
});

test('a refused mail leaves the connection for the next one', async (t) => {
  const { smtp, send } = await setUp(t);
  const refusals: SmtpReaction[] = [{ code: 550, text: '5.1.1 No such user' }];
  smtp.react((step) => (step === 'RCPT' && refusals.shift()) || null);
  const refused = await send();
  assert.ok(!refused.sent && refused.error.code === 'invalid_recipient');
  assert.ok((await send()).sent);
  assert.deepEqual([smtp.letters.length, smtp.logins()], [1, 1]);
});

for (const [name, reaction] of [
  ['ends', 'close'],
  ['asks to end', { code: 421, text: '4.4.2 Idle too long' }],
] as const) {
  test(`a kept connection that the server ${name} is replaced, and the mail is sent once`, async (t) => {
    const { smtp, send } = await setUp(t);
    assert.ok((await send()).sent);
    const reactions: SmtpReaction[] = [reaction];
    smtp.react((step) => (step === 'MAIL' && reactions.shift()) || null);
    assert.ok((await send()).sent);
    assert.deepEqual([smtp.letters.length, smtp.logins(), reactions.length], [2, 2, 0]);
  });
}

test('a connection that ended while it was idle is not used', async (t) => {
  const { smtp, send } = await setUp(t);
  assert.ok((await send()).sent);
  smtp.cut();
  assert.ok((await send()).sent);
  assert.deepEqual([smtp.letters.length, smtp.logins()], [2, 2]);
});

test('a mail that a kept connection has taken whole is not repeated', async (t) => {
  const { smtp, send } = await setUp(t);
  assert.ok((await send()).sent);
  let asked = 0;
  smtp.react((step) => {
    if (step !== 'DATA') return null;
    asked += 1;
    return 'close';
  });
  const result = await send();
  assert.ok(!result.sent && result.error.code === 'temporary' && result.error.mayHaveBeenSent);
  assert.deepEqual([asked, smtp.logins()], [1, 1]);
});

test('a connection carries a hundred mails', async (t) => {
  const { smtp, send } = await setUp(t);
  for (let mail = 0; mail < 101; mail += 1) assert.ok((await send()).sent);
  assert.deepEqual([smtp.letters.length, smtp.logins()], [101, 2]);
});

test('a template is refused without a call', async (t) => {
  const { smtp, send } = await setUp(t);
  assert.deepEqual(await send({ ...text, type: 'template' }), {
    sent: false,
    error: { code: 'unsupported' },
  });
  assert.equal(smtp.logins(), 0);
  assert.deepEqual(email.receipts, ['delivered', 'read', 'undelivered']);
});
