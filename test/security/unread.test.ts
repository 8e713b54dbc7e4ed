import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createServer } from '../../src/platform/http/server.ts';
import { addRoutes } from '../../src/routes.ts';
import { createPartner, type Partner, startPatchbay } from '../harness.ts';

const opened: Socket[] = [];
after(() => {
  for (const socket of opened) socket.destroy();
});
const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { context, call } = patchbay;
const path = '/api/partners/push-messages/';
const content = { type: 'TEXT', text: 'x', get_params: { a: 'x'.repeat(65_000) } };

/** A partner whose page of push messages has 6.5 MB. */
async function partnerWithMuch(): Promise<Partner> {
  const partner = await createPartner({ after }, patchbay);
  const { chat } = await partner.client('ann');
  const body = { chat: { uuid: chat }, launch_at: '2099-01-01T00:00:00Z', content };
  await Promise.all(Array.from({ length: 100 }, () => call('POST', path, { headers: partner.key, body })));
  return partner;
}
const partner = await partnerWithMuch();
const neighbour = await partnerWithMuch();

/** Asks for the page, and reads no more of it than its status. */
async function unread(address: string, from: string): Promise<{ socket: Socket; status: string }> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  opened.push(socket);
  socket.on('error', () => {});
  const lines = [`GET ${path} HTTP/1.1`, 'Host: x', `bot-key: ${partner.botKey}`, `X-Forwarded-For: ${from}`];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const status = await new Promise<string>((resolve) => {
    socket.once('close', () => resolve('closed'));
    socket.once('data', (chunk) => {
      socket.pause();
      resolve(chunk.toString('latin1').slice(9, 12));
    });
  });
  return { socket, status };
}

async function statusOf({ key }: Partner, from: string): Promise<number> {
  const headers = { ...key, 'x-forwarded-for': from };
  const response = await fetch(patchbay.address + path, { headers });
  await response.text();
  return response.status;
}

/** As many as find room. Each is requested from another address. */
async function fill(): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (;;) {
    const { socket, status } = await unread(patchbay.address, `198.51.100.${sockets.length}`);
    sockets.push(socket);
    if (status === '429') return sockets;
    assert.equal(status, '200');
    assert.ok(sockets.length < 60, 'answers that nobody reads have no bound');
  }
}

test('answers that nobody reads hold so many bytes of one project, and others are served meanwhile', async () => {
  const sockets = await fill();
  // 64 MiB, and what the kernel holds by itself.
  assert.ok(sockets.length > 9);
  const elsewhere = '203.0.113.1';
  assert.equal(await statusOf(partner, elsewhere), 429);
  assert.equal(await statusOf(neighbour, elsewhere), 200);
  for (const socket of sockets) socket.destroy();
  while ((await statusOf(partner, elsewhere)) === 429) await new Promise(setImmediate);
});

test('an answer that nobody reads is held for a limited time', async () => {
  const server = createServer({ log: context.log, publicUrl: context.config.publicUrl });
  assert.ok(server.server.timeout > 0 && server.server.timeout <= 120_000);
  server.server.setTimeout(1_000);
  addRoutes(server, context);
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const closed = new Promise<void>((resolve) => {
    server.server.once('connection', (connection) => connection.once('close', () => resolve()));
  });
  const { socket } = await unread(address, '198.51.100.12');
  await closed;
  socket.destroy();
  await server.close();
});
