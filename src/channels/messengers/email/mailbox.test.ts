import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
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

const mebibyte = 1024 * 1024;
const unconnected = { from: 'help@shop.example', smtp_url: 'smtp://127.0.0.1' };

/** The address of a mail server that does this with its connections. */
async function serve(t: TestContext, answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    answer(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const bound = server.address();
  assert.ok(typeof bound === 'object' && bound);
  return `imap://a:b@127.0.0.1:${bound.port}`;
}

test('no login goes out when the server refuses the STARTTLS that it offers', async (t) => {
  for (const refusal of ['NO not now', 'BAD what']) {
    const heard: string[] = [];
    const url = await serve(t, (socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n');
      socket.on('data', (chunk) => {
        const [tag, command = ''] = chunk.toString().trim().split(' ');
        heard.push(command.toUpperCase());
        socket.write(command === 'STARTTLS' ? `${tag} ${refusal}\r\n` : `${tag} OK done\r\n`);
      });
    });
    const { signal } = new AbortController();
    await assert.rejects(
      open(url, unconnected, { outbound: testOutbound(t), signal }),
      /refused the STARTTLS/,
    );
    assert.deepEqual(heard, ['STARTTLS']);
  }
});

/** A mail server that sends this part again and again, up to a gibibyte. */
async function startFlood(t: TestContext, begin: string, part: string) {
  const flood = { url: '', written: 0 };
  flood.url = await serve(t, (socket) => {
    const write = () => {
      flood.written += part.length;
      if (flood.written < 1024 * mebibyte) socket.write(part, write);
    };
    socket.write(begin, write);
  });
  return flood;
}

test('a server that sends more than mail cannot fill the memory', async (t) => {
  const filler = 'x'.repeat(mebibyte);
  for (const [begin, part] of [
    ['* X ', filler],
    [`* X {${1024 * mebibyte}}\r\n`, filler],
    ['* X ', `{${mebibyte}}\r\n${filler}`],
  ] as const) {
    const flood = await startFlood(t, `* OK [CAPABILITY IMAP4rev1] x\r\n${begin}`, part);
    const { signal } = new AbortController();
    await assert.rejects(open(flood.url, unconnected, { outbound: testOutbound(t), signal }), /exceeds/);
    assert.ok(flood.written < 16 * mebibyte, `${begin}: ${flood.written} bytes`);
  }
});

test('a server that sends responses without end is left', async (t) => {
  for (const [begin, response] of [
    ['', '* OK hello\r\n'],
    ['* OK hello\r\n', '* CAPABILITY IMAP4rev1\r\n'],
    ['* OK [CAPABILITY IMAP4rev1] x\r\n', '* 1 EXISTS\r\n'],
    ['* OK [CAPABILITY IMAP4rev1] x\r\n', '* ((((\r\n'],
  ] as const) {
    const flood = await startFlood(t, begin, response.repeat(1_000));
    const { signal } = new AbortController();
    const opened = open(flood.url, unconnected, { outbound: testOutbound(t), signal });
    await assert.rejects(opened, /too many responses/, response);
  }
});

test('a mailbox whose server sends responses without end is left', async (t) => {
  const inbox = '* 0 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 1] x\r\n';
  const imap_url = await serve(t, (socket) => {
    socket.write('* OK [CAPABILITY IMAP4rev1 IDLE] x\r\n');
    socket.on('data', (data) => {
      const [tag, command = ''] = String(data).split(/\s/);
      if (command === 'IDLE') socket.write(`+ x\r\n${'* OK still here\r\n'.repeat(5_000)}`);
      else socket.write(`${inbox}${tag} OK x\r\n`);
    });
  });
  const { ready, ended } = holdMailbox(t, { ...unconnected, imap_url }, null);
  await ready;
  await assert.rejects(ended, /closed the connection/);
});

test('a connection that breaks while the inbox is opened or a mail is read ends that connection only', async (t) => {
  const inbox = '* 1 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 2] x\r\n* SEARCH 1\r\n';
  for (const last of ['EXAMINE', 'FETCH']) {
    const imap_url = await serve(t, (socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1 IDLE] x\r\n');
      socket.on('data', (data) => {
        if (String(data).includes(last)) socket.resetAndDestroy();
        else socket.write(`${inbox}${String(data).split(' ')[0]} OK x\r\n`);
      });
    });
    const { ready, ended } = holdMailbox(t, { ...unconnected, imap_url }, '1:1');
    ready.catch(() => {});
    await assert.rejects(ended, /ECONNRESET|Connection not available|closed/);
  }
});

test('a server whose numbers of mails or answers make no sense is left', async (t) => {
  for (const [next, found] of [
    ['99999999999999999999999', 'OK x'],
    ['4294967296', 'OK x'],
    ['7', 'NO x'],
  ]) {
    const imap_url = await serve(t, (socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1 IDLE] x\r\n');
      socket.on('data', (data) => {
        const [tag] = String(data).split(' ');
        const inbox = `* 1 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT ${next}] x\r\n`;
        socket.write(`${inbox}${tag} ${String(data).includes('SEARCH') ? found : 'OK x'}\r\n`);
      });
    });
    const { ready, ended } = holdMailbox(t, { ...unconnected, imap_url }, '1:1');
    ready.catch(() => {});
    await assert.rejects(ended, /makes no sense/, next);
  }
});

test('nobody waits for a login longer than the signal', async (t) => {
  const asked = Promise.withResolvers<void>();
  const url = await serve(t, (socket) => {
    socket.write('* OK [CAPABILITY IMAP4rev1] x\r\n');
    socket.once('data', () => asked.resolve());
  });
  const abort = new AbortController();
  const opened = open(url, unconnected, { outbound: testOutbound(t), signal: abort.signal });
  await asked.promise;
  abort.abort();
  await assert.rejects(opened, /no complete answer in time/);
});
