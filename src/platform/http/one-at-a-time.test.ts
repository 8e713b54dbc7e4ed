import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import Type from 'typebox';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { noDatabase } from '../../../test/no-database.ts';
import { openAction } from './action.ts';
import { anyone } from './guard.ts';
import { router } from './router.ts';
import { createServer } from './server.ts';

const context = testContext({ sql: noDatabase }, manualClock());
/** What waits for `release`, and what has begun. */
let held: (() => void)[] = [];
let begun: string[] = [];
let onBegun: () => void = () => {};

const server = createServer({ log: context.log, publicUrl: 'https://patchbay.test' });
const route = router(server, context);
const path = { params: Type.Object({ name: Type.String() }), response: Type.Object({ name: Type.String() }) };

async function handle({ params: { name } }: { params: { name: string } }): Promise<{ name: string }> {
  begun.push(name);
  const released = new Promise<void>((resolve) => held.push(resolve));
  onBegun();
  await released;
  return { name };
}

route('GET', '/things/:name/', anyone, openAction({ ...path, handle }));
route('POST', '/things/:name/', anyone, openAction({ ...path, body: Type.Object({}), handle }));
const address = await server.listen({ port: 0, host: '127.0.0.1' });
after(() => server.close());

const get = (name: string, more = '') => `GET /things/${name}/ HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const post = (name: string, more = '') =>
  `POST /things/${name}/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n${more}\r\n{}`;

async function send(bytes: string): Promise<{ socket: Socket; closed: Promise<void> }> {
  held = [];
  begun = [];
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  socket.write(bytes);
  return { socket, closed };
}

const nextBegun = () => new Promise<void>((resolve) => (onBegun = resolve));

for (const [method, ask] of Object.entries({ GET: get, POST: post })) {
  test(`${method}: requests that a connection sends ahead begin one after the other, and all are answered in order`, async () => {
    const first = nextBegun();
    const { socket, closed } = await send(
      ask('a') + ask('b') + ask('nothing/there') + ask('c', 'Connection: close\r\n'),
    );
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    await first;
    for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      await new Promise(setImmediate);
      assert.deepEqual(begun, expected);
      const next = nextBegun();
      held.pop()?.();
      if (expected.length < 3) await next;
    }
    await closed;
    const answers = [
      ...Buffer.concat(chunks)
        .toString()
        .matchAll(/HTTP\/1.1 (\d+)|"name":"(\w)"/g),
    ];
    assert.deepEqual(
      answers.map(([, status, name]) => status ?? name),
      ['200', 'a', '200', 'b', '404', '200', 'c'],
    );
  });
}

test('a connection that sends too many requests ahead ends, and none of those that waited begins', async () => {
  const first = nextBegun();
  const { socket, closed } = await send(get('a'));
  await first;
  socket.write(get('b').repeat(2_000));
  await closed;
  assert.deepEqual(begun, ['a']);
  held.pop()?.();
  await new Promise(setImmediate);
  assert.deepEqual(begun, ['a']);
});

test('a body that nobody reads does not hold up the request behind it', async () => {
  const first = nextBegun();
  const body = 'x'.repeat(200_000);
  const unread = `POST /nowhere/ HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const { socket, closed } = await send(unread + get('a', 'Connection: close\r\n'));
  socket.resume();
  await first;
  held.pop()?.();
  await closed;
  assert.deepEqual(begun, ['a']);
});
