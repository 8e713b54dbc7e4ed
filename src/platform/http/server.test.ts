import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { key, post, startSmallApi, unknownThing } from '../../../test/small-api.ts';
import { type FieldMessages, Invalid } from '../problem.ts';
import { addHealthRoutes } from './health.ts';
import { createServer } from './server.ts';

const { send, server, logged } = await startSmallApi({ after });

test('refused credentials carry a challenge on paths for a key or OAuth, and none on paths for OAuth alone', async () => {
  assert.equal((await send('/api/things/')).headers.get('www-authenticate'), 'Bearer realm="api"');
  assert.equal((await send('/api/oauth-only/', { method: 'POST' })).headers.get('www-authenticate'), null);
});

test('405 and OPTIONS name the methods of the path', async () => {
  for (const method of ['DELETE', 'OPTIONS', 'PATCH']) {
    const { headers } = await send('/api/things', { method });
    assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
  }
  assert.equal((await send(`/api/things/${unknownThing}/cancel/`)).headers.get('allow'), 'OPTIONS, POST');
  assert.equal((await send('/nowhere/', { method: 'OPTIONS' })).status, 404);
});

test('HEAD answers as GET, without the body', async () => {
  const [head, get] = [await send('/names/x/', { method: 'HEAD' }), await send('/names/x/')];
  assert.equal(head.status, 200);
  assert.equal(head.text, '');
  assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
});

test('a page of any origin may call the paths that take a key or OAuth, and no others', async () => {
  const origin = { origin: 'https://shop.test' };
  const preflight = await send('/api/things/', {
    method: 'OPTIONS',
    headers: {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'bot-key',
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET, HEAD, OPTIONS, POST');
  assert.equal(
    preflight.headers.get('access-control-allow-headers'),
    'authorization, bot-key, content-type, accept, idempotency-key, x-requested-with',
  );
  for (const headers of [{ ...origin, ...key }, origin]) {
    assert.equal((await send('/api/things/', { headers })).headers.get('access-control-allow-origin'), '*');
  }
  for (const method of ['OPTIONS', 'POST']) {
    const { headers } = await send('/api/oauth-only/', { method, headers: origin });
    assert.equal(headers.get('access-control-allow-origin'), null);
  }
});

test('a valid request id is kept, and any other is replaced', async () => {
  const kept = async (id: string) =>
    (await send('/healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
  assert.equal(await kept('trace-1.A:b_2'), 'trace-1.A:b_2');
  for (const id of ['a b', '<x>', 'x'.repeat(129), '']) assert.notEqual(await kept(id), id);
});

test('every answer of an action forbids storing and declares its type', async () => {
  for (const path of ['/api/things/', '/names/x/']) {
    const { headers } = await send(path);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  }
});

test('429 and 503 say when to retry', async () => {
  for (const how of ['throttled', 'away']) {
    assert.equal((await send(`/fail/${how}/`, { method: 'POST' })).headers.get('retry-after'), '1');
  }
});

test('during an outage the log has a short line for each request, and for a fault of ours its place', async () => {
  const since = logged().length;
  await send('/fail/away/', { method: 'POST' });
  await send('/fail/broken/', { method: 'POST' });
  const lines = logged().slice(since).split('\n');
  const refused = lines.find((line) => line.includes('could not be served')) ?? '';
  assert.match(refused, /"route":"\/fail\/:how\/","reason":"[^"]+"/);
  assert.doesNotMatch(refused, /stack/);
  assert.match(lines.find((line) => line.includes('request failed')) ?? '', /"stack":/);
});

test('an action may answer through the reply itself, with a redirect or a stream', async () => {
  const { status, headers } = await send('/redirect/');
  assert.deepEqual([status, headers.get('location')], [302, 'https://elsewhere.test/']);
  assert.ok(logged().includes('"route":"/redirect/","status":302'));
  const stream = await send('/stream/');
  assert.deepEqual([stream.status, stream.text], [200, 'data: 1\n\ndata: 2\n\n']);
  assert.equal(stream.headers.get('content-type'), 'text/event-stream');
});

test('the answer to a hundred thousand texts that cannot be stored has a few kilobytes', async () => {
  const { status, text } = await send(
    '/api/things/',
    post(JSON.stringify({ tags: Array(100_000).fill('\0') })),
  );
  assert.equal(status, 400);
  assert.ok(text.length < 10_000);
});

test('a refusal that cannot be written is a 500 in our own words', async () => {
  const broken = createServer({ log: pino({ level: 'silent' }), publicUrl: 'https://patchbay.test' });
  const endless: FieldMessages = {};
  endless.again = endless;
  broken.get('/broken', () => Promise.reject(new Invalid(endless)));
  const { statusCode, headers, body } = await broken.inject('/broken');
  assert.deepEqual(
    [statusCode, headers['content-type'], JSON.parse(body)],
    [500, 'application/json; charset=utf-8', { detail: 'Internal server error.' }],
  );
});

test('a process whose database does not answer serves, but is not ready', async () => {
  const lonely = createServer({ log: pino({ level: 'silent' }), publicUrl: 'https://patchbay.test' });
  addHealthRoutes(lonely, () => Promise.reject(new Error('connection to 10.0.0.5 lost')));
  assert.equal((await lonely.inject('/healthz')).statusCode, 200);
  const readiness = await lonely.inject('/readyz');
  assert.equal(readiness.statusCode, 503);
  assert.deepEqual(readiness.json(), { detail: 'The database does not answer.' });
});

test('closing waits for pending answers, and not for the connections that stay open behind them', async () => {
  const closing = createServer({ log: pino({ level: 'silent' }), publicUrl: 'https://patchbay.test' });
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  closing.get('/slow', async () => {
    begun.resolve();
    await released.promise;
    return { status: 'ok' };
  });
  const address = await closing.listen({ port: 0, host: '127.0.0.1' });
  closing.server.keepAliveTimeout = 0;
  // A client that keeps its connection for as long as the server allows.
  const agent = new Agent({ keepAlive: true });
  const answer = once(get(`${address}/slow`, { agent }), 'response');
  await begun.promise;
  const closed = closing.close();
  while (closing.server.listening) await new Promise(setImmediate);
  released.resolve();
  const [response]: IncomingMessage[] = await answer;
  assert.equal(response && (await text(response)), '{"status":"ok"}');
  await closed;
});

test('a request has a limited time to arrive', () => {
  const { headersTimeout, requestTimeout } = server.server;
  assert.ok(headersTimeout > 0 && headersTimeout <= 15_000);
  assert.ok(requestTimeout > 0 && requestTimeout <= 60_000);
});

test('the log has one line a request and the reason of each 5xx, but no body, secret or path parameter', async () => {
  const secret = 'planted-secret';
  await send(`/names/${secret}/`, {
    headers: { authorization: `Bearer ${secret}`, cookie: secret, 'x-request-id': 'followed' },
  });
  await send('/form/', post(`{"code":"${secret}"}`, { 'content-type': 'application/json' }));
  await send('/fail/broken/', { method: 'POST' });
  const log = logged();
  assert.match(log, /"requestId":"followed","method":"GET","route":"\/names\/:name\/","status":200,"ms":\d+/);
  assert.match(log, /"secret internals"/);
  assert.doesNotMatch(log, /planted-secret|79990000000/);
});

test('closing does not wait for a connection that never sent a request', async (t) => {
  const server = createServer({ log: pino({ level: 'silent' }), publicUrl: 'https://patchbay.test' });
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
  const arrived = once(server.server, 'connection');
  const socket = connect(Number(port), '127.0.0.1').resume();
  t.after(() => socket.destroy());
  await arrived;
  const hungUp = once(socket, 'close');
  await server.close();
  await hungUp;
});
