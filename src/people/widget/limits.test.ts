import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { addWidget, openBrowser, startWidgetServer } from '../../../test/widget-harness.ts';
import { attachmentLimit } from '../../messaging/attachments/schema.ts';

const { sql } = await testDatabase({ after });
const server = await startWidgetServer({ after }, sql);
const second = await startWidgetServer({ after }, sql, { clock: server.clock });
const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-limits-'));
after(() => rm(dataDir, { recursive: true }));
server.context.config.dataDir = dataDir;

const minuteMs = 60_000;
const { id: channel } = await addWidget(server);

/** A browser at an address that a trusted proxy reports. */
const from = (address: string) => ({ origin: 'https://shop.test', 'x-forwarded-for': address });
const visitor = (session: string, address: string) => ({
  ...from(address),
  authorization: `Bearer ${session}`,
});

const opening = (address: string, at = server) =>
  at.call('POST', `/widget/${channel}/sessions/`, { body: {}, headers: from(address) });

test('the sessions that one address opens per minute are limited across all processes, and other addresses are not affected', async () => {
  for (let n = 0; n < 30; n += 1) {
    assert.equal((await opening('198.51.100.1', n % 2 === 0 ? server : second)).status, 201);
  }
  for (const at of [server, second]) {
    const refused = await opening('198.51.100.1', at);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
  }
  assert.equal((await opening('198.51.100.2')).status, 201);
  server.clock.advance(minuteMs);
  assert.equal((await opening('198.51.100.1')).status, 201);
});

test('visitors at one address share one limit for messages', async () => {
  let stored = 0;
  let refused = 0;
  for (let n = 0; n < 10; n += 1) {
    const { body } = await opening('198.51.100.3');
    for (let m = 0; m < 15; m += 1) {
      const echo_id = `00000000-0000-4000-a000-${String(n * 100 + m).padStart(12, '0')}`;
      const headers = visitor(body.session, '198.51.100.3');
      const { status } = await server.call('POST', `/widget/${channel}/messages/`, {
        headers,
        body: { echo_id, text: 'x' },
      });
      if (status === 201) stored += 1;
      else if (status === 429) refused += 1;
    }
  }
  assert.deepEqual([stored, refused], [120, 30]);
});

test('a visitor may read a history, or connect, thirty times in ten seconds', async () => {
  const { body } = await opening('198.51.100.8');
  const read = async (session = body.session) =>
    (await server.call('GET', `/widget/${channel}/messages/`, { headers: visitor(session, '198.51.100.8') }))
      .status;
  const statuses = await Promise.all(Array.from({ length: 40 }, () => read()));
  assert.equal(statuses.filter((status) => status === 429).length, 10);
  assert.equal(await read((await opening('198.51.100.8')).body.session), 200);
  server.clock.advance(10_000);
  assert.equal(await read(), 200);
  const connecting = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const headers = visitor(body.session, '198.51.100.8');
      const response = await fetch(`${server.address}/widget/${channel}/live/`, { headers });
      await response.body?.cancel();
      return response.status;
    }),
  );
  assert.ok(connecting.filter((status) => status === 429).length >= 11);
});

/** Announces a file, and does not finish the upload. */
async function beginUpload(session: string, address: string, length: number): Promise<Socket> {
  const { port, hostname } = new URL(server.address);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const lines = [
    `POST /widget/${channel}/attachments/?name=a.txt HTTP/1.1`,
    'host: a.test',
    `authorization: Bearer ${session}`,
    'origin: https://shop.test',
    `x-forwarded-for: ${address}`,
    `content-length: ${length}`,
    'content-type: text/plain',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${'a'.repeat(1_000)}`);
  return socket;
}

async function statusOf(socket: Socket): Promise<string> {
  const [answer] = await once(socket, 'data');
  return String(answer).slice(9, 12);
}

const drafts = () => readdir(join(dataDir, 'files', 'drafts')).catch(() => []);

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}

test('a place is reserved for a file before its first byte is read, and released when its sender disconnects', async () => {
  const { session } = await openBrowser(server, channel);
  const address = '198.51.100.4';
  const begun = [
    await beginUpload(session, address, attachmentLimit),
    await beginUpload(session, address, attachmentLimit),
  ];
  await until(async () => (await drafts()).length === 2);
  const third = await beginUpload(session, address, attachmentLimit);
  assert.equal(await statusOf(third), '429');
  for (const socket of [...begun, third]) socket.destroy();
  await until(async () => (await drafts()).length === 0);
  const fourth = await beginUpload(session, address, attachmentLimit);
  await until(async () => (await drafts()).length === 1);
  fourth.destroy();
  await until(async () => (await drafts()).length === 0);
});

test('the bytes in transit of one project are limited across all addresses', async () => {
  const { session } = await openBrowser(server, channel);
  server.clock.advance(minuteMs);
  const sockets: Socket[] = [];
  for (let n = 0; n < 5; n += 1) {
    sockets.push(await beginUpload(session, `198.51.101.${n}`, attachmentLimit));
    await until(async () => (await drafts()).length === n + 1);
  }
  const more = await beginUpload(session, '198.51.101.9', attachmentLimit);
  assert.equal(await statusOf(more), '429');
  for (const socket of [...sockets, more]) socket.destroy();
  await until(async () => (await drafts()).length === 0);
});

test('a file without a declared length that becomes too large is refused, and not stored', async () => {
  const { session } = await openBrowser(server, channel);
  async function* endless() {
    for (let sent = 0; sent <= attachmentLimit; sent += 65_536) yield new Uint8Array(65_536).fill(97);
  }
  const response = await fetch(`${server.address}/widget/${channel}/attachments/?name=a.txt`, {
    method: 'POST',
    headers: visitor(session, '198.51.100.5'),
    body: ReadableStream.from(endless()),
    duplex: 'half',
  });
  assert.equal(response.status, 413);
  assert.deepEqual(await drafts(), []);
});

test('the live connections of one address are limited, and an ended one frees its place', async () => {
  const address = '198.51.100.6';
  const ending = new AbortController();
  const open = async (session: string, signal = ending.signal) =>
    fetch(`${server.address}/widget/${channel}/live/`, { headers: visitor(session, address), signal });
  const sessions: string[] = [];
  for (let n = 0; n < 21; n += 1) sessions.push((await openBrowser(server, channel)).session);
  // A response that nobody holds is collected as garbage, and its connection ends.
  const held: Response[] = [];
  for (let n = 0; n < 200; n += 1) held.push(await open(sessions[Math.floor(n / 10)] ?? ''));
  assert.deepEqual(new Set(held.map(({ status }) => status)), new Set([200]));
  const last = sessions[20] ?? '';
  assert.equal((await open(last)).status, 429);
  ending.abort();
  const again = new AbortController();
  await until(async () => (await open(last, again.signal)).status === 200);
  again.abort();
  assert.equal(held.length, 200);
});
