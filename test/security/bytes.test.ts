import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { assertHarmless, send } from './answers.ts';
import { fuzz } from './fuzz.ts';
import { heardLog } from './heard-log.ts';
import { connectionLike } from './noise.ts';
import { probesOf } from './probes.ts';
import { startScene } from './scene.ts';
import { answersIn, exchange, farewell } from './wire.ts';

const { log, lines } = heardLog('warn');
const scene = await startScene({ after }, { log });
const { patchbay, alpha } = scene;
const { address } = patchbay;
const key = `bot-key: ${alpha.botKey}`;
const pushes = '/api/partners/push-messages/';
const live = `/widget/${alpha.widget.id}/live/`;
const visitor = `Authorization: ${alpha.visitor.authorization}`;

/** The head of a request with these literal lines. */
const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const get = (target: string, ...lines: string[]): string =>
  head(`GET ${target} HTTP/1.1`, 'Host: x', ...lines);
const post = (...lines: string[]): string =>
  head(`POST ${pushes} HTTP/1.1`, 'Host: x', key, 'Content-Type: application/json', ...lines);

type Case = [promise: string, bytes: string, statuses: number[]];

// biome-ignore format: a table is read in columns
const cases: Case[] = [
  ['requests in a row are answered in their order', get(pushes, key) + get('/nowhere/') + get(pushes), [200, 404, 401, 200]],
  ['an empty body has missing fields', post('Content-Length: 0'), [400, 200]],
  ['a body of a GET is ignored', `${get(pushes, key, 'Content-Length: 5')}hello`, [200, 200]],
  ['the same in chunks', `${get(pushes, key, 'Transfer-Encoding: chunked')}5\r\nhello\r\n0\r\n\r\n`, [200, 200]],
  ['chunks with names and trailers are one body', `${post('Transfer-Encoding: chunked', 'Trailer: bot-key')}1;a=b\r\n{\r\n1\r\n}\r\n0\r\nbot-key: x\r\n\r\n`, [400, 200]],
  ['a length and chunks are refused, and nothing behind them is another request', `${post('Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n${get(pushes, key)}`, [400]],
  ['two lengths are refused', `${post('Content-Length: 2', 'Content-Length: 3')}{}`, [400]],
  ['a list of lengths is refused', `${post('Content-Length: 2, 2')}{}`, [400]],
  ['a length below zero is refused', `${post('Content-Length: -1')}{}`, [400]],
  ['a length beyond every number is refused', `${post('Content-Length: 99999999999999999999')}{}`, [400]],
  ['a chunk beyond every number is refused', `${post('Transfer-Encoding: chunked')}FFFFFFFFFFFFFFFFF\r\n`, [400]],
  ['endless names of chunks are refused', `${post('Transfer-Encoding: chunked')}2;${'a'.repeat(20_000)}=b\r\n`, [413]],
  ['a body in an unknown coding is refused', post('Transfer-Encoding: chunked, gzip'), [400]],
  ['more than a mebibyte is refused before it arrives', post('Content-Length: 1048577'), [413]],
  ['chunks of a stranger are refused beyond 16 KiB', `${head('POST /api/partners/oauth/ HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}4e20\r\n${'x'.repeat(20_000)}\r\n0\r\n\r\n`, [413]],
  ['chunks beyond a mebibyte are refused', `${post('Transfer-Encoding: chunked')}124f80\r\n${'x'.repeat(1_200_000)}\r\n0\r\n\r\n`, [413]],
  ['an announced body is requested', `${post('Expect: 100-continue', 'Content-Length: 2')}{}`, [400, 200]],
  ['an unknown expectation is ignored', get('/healthz', 'Expect: miracles'), [200, 200]],
  ['a change of the protocol is ignored', get('/healthz', 'Upgrade: h2c', 'Connection: Upgrade, close'), [200]],
  ['a request without a host is refused', head('GET /healthz HTTP/1.1'), [400, 200]],
  ['HTTP/2 is no HTTP/1', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['TLS is no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
  ['lines without CR are refused', 'GET /healthz HTTP/1.1\nHost: x\n\n', [400]],
  ['a header on two lines is refused', get('/healthz', 'X-A: b', ' c'), [400]],
  ['a space before the colon is refused', get('/healthz', 'X-A : b'), [400]],
  ['NUL in a header is refused', get('/healthz', 'X-A: a\0b'), [400]],
  ['CR in a header is refused', get('/healthz', 'X-A: a\rb'), [400]],
  ['a header of 20 KB is refused', get('/healthz', `X-A: ${'a'.repeat(20_000)}`), [431]],
  ['three thousand headers are refused', get('/healthz', ...Array.from({ length: 3_000 }, (_, n) => `a${n}: `)), [431]],
  ['bytes beyond ASCII in a target are refused', get('/sign-in/\xc3\xa9/'), [400]],
  ['every method that HTTP knows is answered', head(`PROPFIND ${pushes} HTTP/1.1`, 'Host: x'), [405, 200]],
  ['a target for the server as a whole is not found', head('OPTIONS * HTTP/1.1', 'Host: x'), [404, 200]],
  ['dots lead nowhere', get('/widget-files/../../package.json') + get('/widget-files/x/..%2f..%2f..%2fpackage.json'), [404, 404, 200]],
  ['a parameter may be 15 KB long', get(`/sign-in/${'x'.repeat(15_000)}/`), [404, 200]],
  ['HEAD of an endless stream ends', head(`HEAD ${live} HTTP/1.1`, 'Host: x', visitor), [200]],
];

test('input that is hardly HTTP is answered correctly', async (t) => {
  for (const [promise, bytes, statuses] of cases) {
    await t.test(promise, async () => {
      const answers = answersIn(await exchange(address, bytes + farewell));
      for (const answer of answers) assertHarmless(answer);
      assert.deepEqual(
        answers.map(({ status }) => status),
        statuses,
      );
    });
  }
});

test('a caller who disconnects at any point causes no error', async () => {
  const whole = `${post('Content-Length: 2')}{}${get(live, visitor)}${get(pushes, key)}`;
  for (let length = 0; length < whole.length; length += 7) {
    for (const answer of answersIn(await exchange(address, whole.slice(0, length), 'leave')))
      assertHarmless(answer);
  }
});

test('HEAD requests for a live connection occupy no place, however many', async () => {
  // A chat is read a limited number of times in ten seconds.
  scene.clock.advance(10_000);
  for (let count = 0; count < 15; count += 1) {
    await exchange(address, head(`HEAD ${live} HTTP/1.1`, 'Host: x', visitor));
  }
  const { status } = await send(address, { method: 'GET', path: live, headers: alpha.visitor });
  assert.equal(status, 200);
});

test('arbitrary bytes to any route break nothing', async () => {
  // A live connection continues, and requests after it are never answered. Streams arrive in chunks, which the reader
  // of these answers does not join.
  const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl).filter(
    ({ route }) => !/\/(live|export)\/$/.test(route),
  );
  const connection = fc.record({
    bytes: connectionLike(probes),
    leavesAt: fc.option(fc.nat(100), { freq: 1 }),
  });
  await fuzz(fc.array(connection, { minLength: 4, maxLength: 4 }), 150, async (connections) => {
    await Promise.all(
      connections.map(async ({ bytes, leavesAt }) => {
        const heard =
          leavesAt === null
            ? await exchange(address, bytes)
            : await exchange(address, bytes.slice(0, (bytes.length * leavesAt) / 100), 'leave');
        for (const answer of answersIn(heard)) assertHarmless(answer);
      }),
    );
  });
  // Bytes may make a sign-in with another password.
  const unexpected = lines()
    .split('\n')
    .filter((line) => line !== '' && !line.includes('a sign-in was refused'));
  assert.deepEqual(unexpected, []);
});
