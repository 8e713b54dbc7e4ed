import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import { cert, key } from '../../simulator/email/self-signed.ts';
import type { FailureKind } from './failure.ts';
import type { Lookup } from './lookup.ts';
import { createOutbound, OutboundFailed, OutboundRefused, type OutboundRequest } from './outbound.ts';

const quiet = pino({ level: 'silent' });
const PLENTY = { timeoutMs: 60_000, maxResponseBytes: 1_000_000 };
/** For peers that never answer. */
const BRIEFLY = 40;

const post = (url: string, changes: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'POST',
  body: '{}',
  ...PLENTY,
  ...changes,
});

function outbound(t: TestContext, allow: string[] = ['127.0.0.1'], lookup?: Lookup) {
  const client = createOutbound({ allow, log: quiet, lookup });
  t.after(() => client.close());
  return client;
}

async function listen(
  t: TestContext,
  server: Server | TcpServer,
  host = '127.0.0.1',
  port = 0,
): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  t.after(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  return `${host}:${portOf(server)}`;
}

function portOf(server: Server | TcpServer): number {
  const address = server.address();
  assert(isAddressInfo(address));
  return address.port;
}

const isAddressInfo = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

const serve = async (t: TestContext, listener: RequestListener): Promise<string> =>
  `http://${await listen(t, createServer(listener))}`;

/** A peer that speaks no HTTP. It handles each connection once the first bytes have arrived. */
async function peer(t: TestContext, onRequest: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.once('data', () => onRequest(socket));
  });
  t.after(() =>
    sockets.forEach((socket) => {
      socket.destroy();
    }),
  );
  return `http://${await listen(t, server)}`;
}

async function unusedAddress(): Promise<string> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

const failedAs = (kind: FailureKind, requestWritten: boolean) => (error: unknown) => {
  assert(error instanceof OutboundFailed, String(error));
  assert.deepEqual({ kind: error.kind, requestWritten: error.requestWritten }, { kind, requestWritten });
  return true;
};

test('an answer has its status, its headers and its body', async (t) => {
  const url = await serve(t, async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    response.writeHead(201, { 'X-Path': request.url, 'Set-Cookie': ['a=1', 'b=2'] });
    response.end(`${request.method} ${request.headers['x-key']} ${Buffer.concat(chunks)}`);
  });
  const answer = await outbound(t).request(
    post(`${url}/a%20b/?q=1#part`, { method: 'PUT', headers: { 'X-Key': 'k' }, body: Buffer.from('é') }),
  );
  assert.equal(answer.status, 201);
  assert.equal(answer.headers['x-path'], '/a%20b/?q=1');
  assert.equal(answer.headers['set-cookie'], 'a=1, b=2');
  assert.equal(answer.body.toString(), 'PUT k é');
  assert.equal(answer.truncated, false);
});

test('a redirect is an answer and is not followed', async (t) => {
  const paths: (string | undefined)[] = [];
  const url = await serve(t, (request, response) => {
    paths.push(request.url);
    response.writeHead(302, { Location: '/elsewhere' }).end();
  });
  assert.equal((await outbound(t).request(post(`${url}/here`))).status, 302);
  assert.deepEqual(paths, ['/here']);
});

test('early hints do not count as the answer', async (t) => {
  const url = await serve(t, (_, response) => {
    response.writeEarlyHints({ link: '</x>; rel=preload' });
    response.writeProcessing();
    response.writeHead(200, { 'X-Final': 'yes' }).end('done');
  });
  const answer = await outbound(t).request(post(url));
  assert.deepEqual([answer.status, answer.headers['x-final'], answer.headers.link], [200, 'yes', undefined]);
  assert.equal(answer.body.toString(), 'done');
});

for (const connection of ['keep-alive', 'close']) {
  test(`a body over the limit is cut at the byte, connection ${connection}`, async (t) => {
    const url = await serve(t, (_, response) => {
      response.writeHead(200, { Connection: connection }).end('0123456789'.repeat(20_000));
    });
    const client = outbound(t);
    const cut = await client.request(post(url, { maxResponseBytes: 15 }));
    assert.deepEqual([cut.body.toString(), cut.truncated], ['012345678901234', true]);
    const whole = await client.request(post(url, { maxResponseBytes: 200_000 }));
    assert.deepEqual([whole.body.length, whole.truncated], [200_000, false]);
    const none = await client.request(post(url, { maxResponseBytes: 0 }));
    assert.deepEqual([none.status, none.body.length, none.truncated], [200, 0, true]);
  });
}

test('reading an endless body stops at the limit', async (t) => {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const url = await serve(t, (_, response) => {
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(1000)));
    };
    response.on('drain', pour).on('close', resolve);
    pour();
  });
  const answer = await outbound(t).request(post(url, { maxResponseBytes: 100 }));
  assert.deepEqual([answer.body.length, answer.truncated], [100, true]);
  await left;
});

test('large answers of an owner wait for room, delay no other owner, and are read to the end', async (t) => {
  const file = Buffer.alloc(20 * 1024 * 1024, 'x');
  const url = await serve(t, (request, response) => {
    if (request.url === '/named') response.setHeader('content-length', file.length);
    response.end(file);
  });
  const client = outbound(t);
  const { promise: until, resolve: send } = Promise.withResolvers<void>();
  const read = (owner: string, path = '/') =>
    client.request(post(url + path, { maxResponseBytes: file.length, reader: { owner, until } }));
  for (const path of ['/', '/named', '/']) {
    const { body, truncated } = await read('busy', path);
    assert.deepEqual([body.equals(file), truncated], [true, false]);
  }
  let isRead = false;
  const waits = read('busy').then((answer) => {
    isRead = true;
    return answer;
  });
  const gaveUp = client.request(
    post(url, { maxResponseBytes: file.length, reader: { owner: 'busy' }, timeoutMs: BRIEFLY }),
  );
  await assert.rejects(gaveUp, { kind: 'timeout' });
  assert.equal((await read('other')).body.length, file.length);
  assert.equal((await read('other', '/named')).body.length, file.length);
  assert.equal(isRead, false);
  send();
  assert.ok((await waits).body.equals(file));
});

test('nothing was written when the connection is refused', async (t) => {
  await assert.rejects(outbound(t).request(post(await unusedAddress())), failedAs('connect', false));
});

test('nothing was written when the host name is unknown', async (t) => {
  const unknown = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  const client = outbound(t, [], () => Promise.reject(unknown));
  await assert.rejects(client.request(post('http://unknown.example/')), failedAs('connect', false));
});

test('nothing was written when the host name is not resolved in time', async (t) => {
  const { promise: never, reject } = Promise.withResolvers<never>();
  const client = outbound(t, [], () => never);
  await assert.rejects(
    client.request(post('http://slow.example/', { timeoutMs: BRIEFLY })),
    failedAs('timeout', false),
  );
  reject(new Error('the test is over'));
});

test('nothing was written when the peer does not speak TLS', async (t) => {
  const url = await serve(t, () => assert.fail('called'));
  await assert.rejects(outbound(t).request(post(url.replace('http:', 'https:'))), failedAs('connect', false));
});

test('nothing was written when the TLS handshake is not answered in time', async (t) => {
  const url = await peer(t, () => {});
  const call = outbound(t).request(post(url.replace('http:', 'https:'), { timeoutMs: BRIEFLY }));
  await assert.rejects(call, failedAs('timeout', false));
});

test('nothing was written when a header is invalid, and the next calls continue', async (t) => {
  const url = await serve(t, (_, response) => response.end('ok'));
  const client = outbound(t);
  const spoilt = post(url, { headers: { Authorization: 'Bearer a\r\nX-Injected: 1' } });
  for (let call = 0; call < 3; call += 1) {
    await assert.rejects(client.request(spoilt), failedAs('protocol', false));
  }
  assert.equal((await client.request(post(url))).status, 200);
});

test('the request may have arrived when the peer hangs up without an answer', async (t) => {
  const url = await peer(t, (socket) => socket.destroy());
  await assert.rejects(outbound(t).request(post(url)), failedAs('reset', true));
});

test('the request may have arrived when the peer resets the connection', async (t) => {
  const url = await peer(t, (socket) => socket.resetAndDestroy());
  await assert.rejects(outbound(t).request(post(url)), failedAs('reset', true));
});

test('the request may have arrived when the peer hangs up in the middle of its answer', async (t) => {
  const url = await peer(t, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
  await assert.rejects(outbound(t).request(post(url)), failedAs('reset', true));
});

test('the request may have arrived when there is no answer in time, and its connection is dropped', async (t) => {
  const { promise: dropped, resolve } = Promise.withResolvers<void>();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const url = await peer(t, (socket) => {
    socket.once('close', () => resolve());
    t.mock.timers.tick(PLENTY.timeoutMs);
  });
  await assert.rejects(outbound(t).request(post(url)), failedAs('timeout', true));
  await dropped;
});

test('the request may have arrived when the answer does not end in time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const url = await serve(t, (_, response) => {
    response.writeHead(200).write('half', () => t.mock.timers.tick(PLENTY.timeoutMs));
  });
  await assert.rejects(outbound(t).request(post(url)), failedAs('timeout', true));
});

const garbage = [
  'SSH-2.0-OpenSSH_9.6\r\n',
  'HTTP/1.1 abc\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n',
];
for (const answer of garbage) {
  test(`the request may have arrived when the answer is ${JSON.stringify(answer)}`, async (t) => {
    const url = await peer(t, (socket) => socket.end(answer));
    await assert.rejects(outbound(t).request(post(url)), failedAs('protocol', true));
  });
}

test('a signal gives a call up, before it is made and while it is running', async (t) => {
  const stop = new AbortController();
  const url = await peer(t, () => stop.abort());
  const client = outbound(t);
  await assert.rejects(
    client.request(post(url, { signal: AbortSignal.abort() })),
    failedAs('aborted', false),
  );
  await assert.rejects(client.request(post(url, { signal: stop.signal })), failedAs('aborted', true));
});

test('closing gives up the running calls and accepts no others', async (t) => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const url = await peer(t, () => resolve());
  const client = outbound(t);
  const call = client.request(post(url));
  await arrived;
  const closing = client.close();
  await assert.rejects(call, failedAs('aborted', true));
  await assert.rejects(client.request(post(url)), failedAs('aborted', false));
  await closing;
});

test('hundreds of hanging calls delay no other call, not even at the same host', async (t) => {
  const held: (() => void)[] = [];
  const { promise: full, resolve } = Promise.withResolvers<void>();
  const url = await serve(t, (request, response) => {
    if (request.url !== '/held') return response.end();
    if (held.push(() => response.end()) === 600) resolve();
  });
  const client = outbound(t);
  const calls = Array.from({ length: 600 }, () => client.request(post(`${url}/held`)));
  await full;
  assert.equal((await client.request(post(url))).status, 200);
  for (const release of held) release();
  await Promise.all(calls);
});

test('an address that the guard refuses is not called', async (t) => {
  const url = await serve(t, () => assert.fail('called'));
  const client = outbound(t, []);
  await assert.rejects(client.request(post(url)), OutboundRefused);
  await assert.rejects(client.check(url), OutboundRefused);
});

test('a name that resolves to an internal address is not called', async (t) => {
  const url = new URL(await serve(t, () => assert.fail('called')));
  const client = outbound(t, [], async () => [{ address: '127.0.0.1', family: 4 }]);
  await client.check(`http://inside.example:${url.port}/`);
  await assert.rejects(client.request(post(`http://inside.example:${url.port}/`)), OutboundRefused);
});

test('a name is looked up once per connection, and the connection uses the checked address', async (t) => {
  let lookups = 0;
  const url = new URL(await serve(t, (request, response) => response.end(request.headers.host)));
  // The second answer would lead to a forbidden address.
  const client = outbound(t, ['127.0.0.1'], async () => {
    lookups += 1;
    return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
  });
  const first = await client.request(post(`http://rebind.example:${url.port}/`));
  assert.equal(first.body.toString(), `rebind.example:${url.port}`);
  assert.equal(lookups, 1);
  // A connection is free again one turn after its answer.
  await nextTurn();
  await client.request(post(`http://rebind.example:${url.port}/`));
  assert.equal(lookups, 1, 'the kept connection is used again');
});

test('a name that has moved inside is refused on its next connection, even at the same port', async (t) => {
  const outside = createServer((_, response) => response.writeHead(200, { Connection: 'close' }).end());
  const port = Number((await listen(t, outside)).split(':')[1]);
  await listen(
    t,
    createServer(() => assert.fail('called')),
    '127.0.0.2',
    port,
  );
  const answers = ['127.0.0.1', '127.0.0.2'];
  const client = outbound(t, ['127.0.0.1'], async () => [{ address: answers.shift() ?? '', family: 4 }]);
  assert.equal((await client.request(post(`http://rebind.example:${port}/`))).status, 200);
  await assert.rejects(client.request(post(`http://rebind.example:${port}/`)), OutboundRefused);
});

test('the next address of a name is tried when one does not answer', async (t) => {
  const url = new URL(await serve(t, (_, response) => response.end('ok')));
  const client = outbound(t, ['127.0.0.0/8'], async () => [
    { address: '127.0.0.9', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]);
  assert.equal((await client.request(post(`http://two.example:${url.port}/`))).status, 200);
});

test('the log of an exchange has neither the query nor a secret, raw or encoded', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => lines.push(line) });
  const client = createOutbound({ allow: ['127.0.0.1'], log });
  t.after(() => client.close());
  const url = await serve(t, (_, response) => response.writeHead(404).end('answer-secret'));
  const redact = ['12:token/x', ''];
  const secrets = { headers: { Authorization: 'header-secret' }, body: 'body-secret', redact };
  await client.request(post(`${url}/bot12:token/x/send?key=query-secret`, secrets));
  await client.request(post(`${url}/bot${encodeURIComponent('12:token/x')}/send`, secrets));
  await assert.rejects(client.request(post(`${await unusedAddress()}/bot12:token/x/`, secrets)));
  await assert.rejects(client.request(post('http://u:password-secret@127.0.0.1/', secrets)));

  const entries = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    entries.map(({ method, target, status, failure }) => ({
      method,
      target: target.replace(/:\d+/, ''),
      status,
      failure,
    })),
    [
      { method: 'POST', target: 'http://127.0.0.1/bot***/send', status: 404, failure: undefined },
      { method: 'POST', target: 'http://127.0.0.1/bot***/send', status: 404, failure: undefined },
      { method: 'POST', target: 'http://127.0.0.1/bot***/', status: undefined, failure: 'connect' },
      { method: 'POST', target: 'http://127.0.0.1/', status: undefined, failure: 'refused' },
    ],
  );
  assert.ok(entries.every(({ ms }) => Number.isInteger(ms)));
  assert.doesNotMatch(lines.join(), /secret|token/);
});

test('nothing is logged above the debug level', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
  const client = createOutbound({ allow: ['127.0.0.1'], log });
  t.after(() => client.close());
  await client.request(post(await serve(t, (_, response) => response.end())));
  assert.deepEqual(lines, []);
});

test('a certificate of no authority is trusted by the call that brings it, and by no other', async (t) => {
  const server = createHttpsServer({ cert, key }, (_request, response) => response.end('in private'));
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const client = outbound(t, ['mail.test'], lookup);
  const url = `https://mail.test:${port}/`;
  const { body } = await client.request(post(url, { ca: cert }));
  assert.equal(body.toString(), 'in private');
  await assert.rejects(client.request(post(url)), OutboundFailed);
});
