import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { attachmentLimit } from '../../src/messaging/attachments/schema.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { addRoutes } from '../../src/routes.ts';
import { ask } from './ask.ts';
import { inConsole } from './console-probes.ts';
import type { Furnished } from './furnish.ts';
import { type Probe, requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { changesNothing } from './rows.ts';
import { startScene } from './scene.ts';
import { answersIn } from './wire.ts';

const scene = await startScene({ after });
const { patchbay, alpha, bravo } = scene;
const { context } = patchbay;

/** The program's own server, with short timeouts for requests. */
const server = createServer({ log: context.log, publicUrl: context.config.publicUrl });
addRoutes(server, context);
server.server.headersTimeout = 1_000;
server.server.requestTimeout = 1_000;
const address = await server.listen({ port: 0, host: '127.0.0.1' });
after(() => server.close());

const isUpload = ({ route }: Probe): boolean => route.endsWith('/attachments/');
const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl).filter(
  // No messenger here has the longest address, so its answer does not wait for a body.
  ({ route }) => !route.startsWith('GET ') && route !== 'POST /channels/:uuid/:first/:second/',
);

/** The request with the first half of its body: with its declared length, or in unfinished chunks. */
function half(probe: Probe, isChunked: boolean): string {
  const { method, path, headers, body = {} } = requestOf(probe);
  const whole = JSON.stringify(body);
  const part = whole.slice(0, Math.ceil(whole.length / 2));
  const length = isUpload(probe) ? attachmentLimit : Buffer.byteLength(whole) + 1;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    'X-Forwarded-For: 198.51.100.7',
    'Content-Type: application/json',
    ...Object.entries(headers).map((header) => header.join(': ')),
    isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
  ];
  const sent = isChunked ? `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n` : part;
  return `${lines.join('\r\n')}\r\n\r\n${sent}`;
}

/** The server's whole answer until it closes the connection. The caller never does. */
async function heardOf(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

// The first call of a day records the person's presence.
await ask(patchbay, 'GET', '/console/api/home/', inConsole(alpha), undefined);

test('a half-sent body times out, gives its place back, and changes nothing', async () => {
  // As many uploads as one project may run at once. The second round finds their places free.
  const calls = [...probes, ...probes.filter(isUpload).slice(0, 2)];
  for (const isChunked of [false, true]) {
    await changesNothing(context.sql, [alpha, bravo], async () => {
      const heard = await Promise.all(calls.map((probe) => heardOf(half(probe, isChunked))));
      for (const [index, text] of heard.entries()) {
        const statuses = answersIn(text).map(({ status }) => status);
        assert.deepEqual(statuses, [408], calls[index]?.route);
      }
    });
    assert.deepEqual(await readdir(join(context.config.dataDir, 'files', 'drafts')), []);
  }
});

type Sender = { path: string; headers: Record<string, string> };

const program = ({ botKey }: Furnished): Sender => ({
  path: '/api/partners/push-messages/',
  headers: { 'bot-key': botKey },
});
const messenger = ({ messenger: { id, headers } }: Furnished): Sender => ({
  path: `/channels/${id}/messages/`,
  headers,
});

/** A body of a mebibyte without its last byte. */
const almost = ({ path, headers }: Sender, from: string): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    ...Object.entries(headers).map((header) => header.join(': ')),
    `X-Forwarded-For: ${from}`,
    'Content-Type: application/json',
    'Content-Length: 1048576',
    '',
    ' '.repeat(1_048_575),
  ].join('\r\n');

/** Resolves when 64 MiB of seventy unfinished bodies are held, and at least six found no room. */
async function fill(caller: (place: number) => [Sender, from: string]): Promise<{ empty(): void }> {
  const sockets = Array.from({ length: 70 }, () =>
    connect(Number(new URL(patchbay.address).port), '127.0.0.1'),
  );
  const refusals = sockets.map(
    (socket, place) =>
      new Promise<string>((resolve) => {
        socket.on('data', (chunk) => resolve(String(chunk)));
        socket.on('error', () => {});
        socket.write(almost(...caller(place)));
      }),
  );
  const answer = await firstOf(refusals, 6);
  assert.match(answer, /^HTTP\/1\.1 429 .*retry-after: 5\r\n/is);
  return {
    empty() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const statusOf = ({ path, headers }: Sender, from: string, length: number) =>
  fetch(patchbay.address + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'x-forwarded-for': from },
    body: `{}${' '.repeat(length)}`,
  }).then(({ status }) => status);

const [small, large] = [1_000, 1_000_000];

test('unfinished bodies hold a limited number of bytes per address, and others are served meanwhile', async () => {
  const from = '198.51.100.8';
  const sender = program(alpha);
  const held = await fill((place) => [place % 2 ? sender : program(bravo), from]);
  assert.equal(await statusOf(sender, from, small), 400);
  assert.equal(await statusOf(sender, from, large), 429);
  assert.equal(await statusOf(sender, '198.51.100.9', large), 400);
  held.empty();
  while ((await statusOf(sender, from, large)) === 429) await new Promise(setImmediate);
});

for (const [name, senderOf] of Object.entries({ programs: program, messengers: messenger })) {
  test(`unfinished bodies of the ${name} of a project hold a limited number of bytes, from any addresses`, async () => {
    const held = await fill((place) => [senderOf(alpha), `198.51.100.${place}`]);
    const elsewhere = '203.0.113.1';
    assert.equal(await statusOf(senderOf(alpha), elsewhere, small), 400);
    assert.equal(await statusOf(senderOf(alpha), elsewhere, large), 429);
    assert.equal(await statusOf(senderOf(bravo), elsewhere, large), 400);
    held.empty();
    while ((await statusOf(senderOf(alpha), elsewhere, large)) === 429) await new Promise(setImmediate);
  });
}

/** Resolves with the last of the first `count` promises to resolve. */
function firstOf(promises: readonly Promise<string>[], count: number): Promise<string> {
  return new Promise((resolve) => {
    let left = count;
    for (const promise of promises) {
      promise.then((value) => {
        left -= 1;
        if (left === 0) resolve(value);
      });
    }
  });
}
