import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { holdMailbox, letterWithFile } from '../../../../test/hold-mailbox.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { type ImapOptions, startImap } from '../../../simulator/email/imap.ts';
import { letter } from '../../../simulator/email/letters.ts';
import { CredentialsRefused } from '../../contract/failure.ts';
import { open } from './mailbox.ts';
import type { Settings } from './settings.ts';

const account = { user: 'help', password: 'secret "1"' };

async function setUp(t: TestContext, options: Partial<ImapOptions> = {}, changes: Partial<Settings> = {}) {
  const imap = await startImap(t, { ...account, ...options });
  const scheme = options.tls === 'always' ? 'imaps' : 'imap';
  const settings: Settings = {
    from: 'help@shop.example',
    smtp_url: 'smtp://127.0.0.1',
    imap_url: `${scheme}://help:${encodeURIComponent(account.password)}@127.0.0.1:${imap.port}`,
    ...changes,
  };
  return { imap, hold: (cursor: string | null) => holdMailbox(t, settings, cursor) };
}

const mail = (text: string) => letter({ subject: '', text, messageId: `<${text}@client.example>` });

test('earlier mails are ignored, and new mails arrive at once', async (t) => {
  const { imap, hold } = await setUp(t);
  imap.deliver(mail('old'));
  const idled = imap.idled();
  const { ready, cursor, texts, stored } = hold(null);
  await ready;
  assert.deepEqual(stored, ['1:2']);
  await idled;
  imap.deliver(mail('one'));
  await cursor('1:3');
  const again = imap.idled();
  imap.deliver(mail('two'));
  await cursor('1:4');
  await again;
  assert.deepEqual(texts(), ['one', 'two']);
});

test('a new connection continues at the cursor, and each mail is stored before its cursor moves', async (t) => {
  const { imap, hold } = await setUp(t);
  const first = hold(null);
  await first.ready;
  imap.cut();
  await assert.rejects(first.ended);
  for (const text of ['one', 'two']) imap.deliver(mail(text));
  const second = hold('1:1');
  await second.cursor('1:3');
  assert.deepEqual(second.texts(), ['one', 'two']);
  assert.deepEqual(
    second.stored.map((one) => (Array.isArray(one) ? 'events' : one)),
    ['1:1', 'events', '1:2', 'events', '1:3'],
  );
  const third = hold('1:3');
  await third.ready;
  await imap.idled();
  assert.deepEqual(third.texts(), []);
});

test('a large mail is fetched in pieces, and is whole', async (t) => {
  const { imap, hold } = await setUp(t);
  const { ready, cursor, stored } = hold(null);
  await ready;
  const file = Array.from({ length: 100_000 }, (_, n) => String(n).padStart(15, '0')).join('\n');
  imap.deliver(letterWithFile(file));
  await cursor('1:2');
  const events = stored.flatMap((one) => (Array.isArray(one) ? one : []));
  const [event] = events;
  assert.ok(event?.kind === 'message' && event.message.file && 'bytes' in event.message.file);
  assert.equal(event.message.file.bytes.toString().trimEnd(), file);
});

test('a mailbox with another UIDVALIDITY is read from its beginning', async (t) => {
  const { imap, hold } = await setUp(t);
  for (const text of ['one', 'two']) imap.deliver(mail(text));
  imap.renumber();
  const { cursor, texts } = hold('1:3');
  await cursor('2:3');
  assert.deepEqual(texts(), ['one', 'two']);
});

test('an unreadable mail is skipped', async (t) => {
  const { imap, hold } = await setUp(t);
  const { cursor, texts } = hold('1:1');
  imap.deliver('');
  imap.deliver(mail('two'));
  await cursor('1:3');
  assert.deepEqual(texts(), ['two']);
});

test('the connection ends at once and without an error at the signal', async (t) => {
  const { imap, hold } = await setUp(t);
  const idled = imap.idled();
  const { abort, ended } = hold(null);
  await idled;
  abort.abort();
  await ended;
});

test('refused credentials raise CredentialsRefused, and a server’s own trouble does not', async (t) => {
  const { imap, hold } = await setUp(t, { password: 'another' });
  const { ended, ready } = hold(null);
  await assert.rejects(ready);
  await assert.rejects(
    ended,
    (error) => error instanceof CredentialsRefused && /Invalid credentials/.test(error.message),
  );
  imap.refuse('NO [UNAVAILABLE] Temporary authentication failure');
  const later = hold(null);
  await assert.rejects(later.ready);
  await assert.rejects(later.ended, (error) => !(error instanceof CredentialsRefused));
});

test('no login goes out without an offered TLS, and a self-signed certificate is refused by default', async (t) => {
  for (const tls of ['starttls', 'always'] as const) {
    const strict = await setUp(t, { tls });
    const refused = strict.hold(null);
    await assert.rejects(refused.ready, /certificate/);
    await assert.rejects(refused.ended);
    assert.ok(!strict.imap.commands.some(({ word }) => word === 'LOGIN'));
    const lax = await setUp(t, { tls }, { tls: 'insecure' });
    await lax.hold(null).ready;
    assert.ok(lax.imap.commands.find(({ word }) => word === 'LOGIN')?.encrypted);
  }
});

test('without imap_url no connection is made', async (t) => {
  const { hold, imap } = await setUp(t, {}, { imap_url: undefined });
  const { ready, abort, ended } = hold(null);
  await ready;
  abort.abort();
  await ended;
  assert.deepEqual(imap.commands, []);
});

test('a server that sends more than mail cannot fill the memory', async (t) => {
  const mebibyte = 1024 * 1024;
  const filler = 'x'.repeat(mebibyte);
  for (const [begin, part] of [
    ['* X ', filler],
    [`* X {${1024 * mebibyte}}\r\n`, filler],
    ['* X ', `{${mebibyte}}\r\n${filler}`],
  ] as const) {
    let written = 0;
    const server = createServer((socket) => {
      const write = () => {
        written += part.length;
        if (written < 1024 * mebibyte) socket.write(part, write);
      };
      socket.on('error', () => {});
      socket.write(`* OK [CAPABILITY IMAP4rev1] x\r\n${begin}`, write);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    t.after(() => server.close());
    const bound = server.address();
    assert.ok(typeof bound === 'object' && bound);
    const settings = { from: 'help@shop.example', smtp_url: 'smtp://127.0.0.1' };
    await assert.rejects(open(`imap://a:b@127.0.0.1:${bound.port}`, settings, testOutbound(t)), /exceeds/);
    assert.ok(written < 16 * mebibyte, `${begin}: ${written} bytes`);
  }
});
