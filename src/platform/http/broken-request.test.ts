import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { knownThing, startSmallApi } from '../../../test/small-api.ts';

const { port, logged } = await startSmallApi({ after });

/** The server's whole answer to these bytes, until one side closes the connection. */
async function exchange(bytes: string | Uint8Array): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.end(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

const head = (line: string, headers = '') =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;

test('malformed HTTP is refused with a sentence and a request id', async (t) => {
  const cases: [promise: string, bytes: string, status: number][] = [
    ['garbage', '\x16\x03\x01\x00\x01', 400],
    ['an unknown method', head('FETCH /healthz'), 400],
    ['two lengths', head('POST /bytes/', 'Content-Length: 1\r\nContent-Length: 2\r\n'), 400],
    ['a length and chunks', head('POST /bytes/', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'), 400],
    ['a chunk without a size', `${head('POST /bytes/', 'Transfer-Encoding: chunked\r\n')}zz\r\n`, 400],
    ['a header without a colon', head('GET /healthz', 'broken\r\n'), 400],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['headers larger than 16 KiB', head('GET /healthz', `X: ${'x'.repeat(20_000)}\r\n`), 431],
    ['a path larger than 16 KiB', head(`GET /names/${'x'.repeat(20_000)}/`), 431],
  ];
  for (const [promise, bytes, status] of cases) {
    await t.test(promise, async () => {
      const answer = await exchange(bytes);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(answer, /\r\nX-Request-Id: [\da-f-]{36}\r\n/i);
      assert.match(answer, /\r\n\r\n\{"detail":"[^"]+"\}$/);
    });
  }
});

test('an unknown expectation is ignored', async () => {
  assert.match(
    await exchange(head('GET /healthz', 'Expect: miracles\r\n')),
    /^HTTP\/1.1 200 .*\{"status":"ok"\}$/s,
  );
});

test('a path that only resembles one of ours is not found', async () => {
  for (const target of ['//evil.test/api/things/', '///', '/%', '/api/things/%2e/..', '*', '/api\\things/']) {
    for (const method of ['GET', 'PUT', 'OPTIONS']) {
      assert.match(await exchange(head(`${method} ${target}`)), /^HTTP\/1.1 40[014] /, `${method} ${target}`);
    }
  }
});

test('an absolute address as a target, which proxies send, is routed by its path', async () => {
  const answer = await exchange(head('GET http://evil.test/api/things/?limit=5', 'bot-key: good\r\n'));
  assert.match(answer, /^HTTP\/1.1 200 /);
  assert.match(answer, /"next":"https:\/\/patchbay.test\/api\/things\/\?limit=5&offset=5"/);
});

test('a caller who disconnects in the middle of a body causes no error', async () => {
  await exchange('POST /bytes/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
  assert.doesNotMatch(logged(), /"status":5|request failed/);
});

test('no bytes to any endpoint give a 5xx', async () => {
  const path = fc.constantFrom(
    ...[
      '/api/things/',
      `/api/things/${knownThing}/`,
      `/api/things/${knownThing}/cancel/`,
      '/api/oauth-only/',
    ],
    ...['/names/x/', '/bytes/', '/form/', '/healthz', '/nowhere/', '*', '//', 'http://x/api/things/'],
  );
  const noise = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
  const fragments = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\u0000',
    '\\ud800',
    'null',
    '1e999',
    '"name"',
    '"chat"',
    '"__proto__"',
    '-',
    '\xff',
  );
  const body = fc.oneof(
    noise,
    fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ name: 'x', chat: value, attrs: value, tags: [value] })),
  );
  const request = fc.record({
    method: fc.constantFrom(
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'HEAD',
      'TRACE',
      'PROPFIND',
      'QUERY',
    ),
    path: fc
      .tuple(
        path,
        fc.oneof(
          fc.constant(''),
          noise.map((text) => `?${text}`),
          noise,
        ),
      )
      .map((parts) => parts.join('')),
    mediaType: fc.oneof(
      fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain'),
      noise,
    ),
    extra: fc.oneof(
      fc.constant(''),
      noise.map((text) => `${text}\r\n`),
    ),
    length: fc.oneof(fc.constant(undefined), fc.nat({ max: 60 })),
    body,
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, mediaType, extra, length, body }) => {
      const bytes = Buffer.from(body, 'latin1');
      const headers = `bot-key: good\r\nContent-Type: ${mediaType}\r\nContent-Length: ${length ?? bytes.length}\r\n${extra}`;
      const answer = await exchange(
        Buffer.concat([Buffer.from(head(`${method} ${path}`, headers), 'latin1'), bytes]),
      );
      assert.match(answer, /^(HTTP\/1.1 [234]|$)/);
    }),
    { numRuns: 500 },
  );
});
