import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { type EventStream, sendEvents } from './event-stream.ts';
import { createServer } from './server.ts';

test('a stream that would begin while the server closes is refused, so that the closing ends', async () => {
  const server = createServer({ log: pino({ level: 'silent' }), publicUrl: 'https://patchbay.test' });
  const loading = Promise.withResolvers<void>();
  const loaded = Promise.withResolvers<void>();
  server.get('/live/', async (request, reply) => {
    loading.resolve();
    await loaded.promise;
    return sendEvents(request, reply, () => () => {});
  });
  server.addHook('preClose', async () => loaded.resolve());
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const answer = fetch(`${address}/live/`);
  await loading.promise;
  const closed = server.close();
  const { status, headers } = await answer;
  assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
  await closed;
});

/** A browser's connection that has read nothing yet, with the server's end of it. */
async function open(t: TestContext): Promise<{ stream: EventStream; answer: IncomingMessage }> {
  const server = createServer({ log: pino({ level: 'silent' }), publicUrl: 'https://patchbay.test' });
  const connected = Promise.withResolvers<EventStream>();
  server.get('/live/', async (request, reply) =>
    sendEvents(request, reply, (stream) => {
      connected.resolve(stream);
      return () => {};
    }),
  );
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const [answer] = await once(get(`${address}/live/`, { agent: false }), 'response');
  t.after(async () => {
    answer.destroy();
    await server.close();
  });
  return { stream: await connected.promise, answer };
}

/** More than the buffers of the operating system hold. */
const large = 'x'.repeat(16 * 1024 * 1024);

test('an end waits for no browser that reads slowly', async (t) => {
  const { stream, answer } = await open(t);
  stream.write(large);
  stream.end();
  answer.resume();
  await assert.rejects(once(answer, 'end'), /aborted/);
});

test('a writer can wait until the browser has read, however large an event is', async (t) => {
  const { stream, answer } = await open(t);
  assert.equal(stream.isFull(), false);
  stream.write(large);
  assert.equal(stream.isFull(), true);
  answer.resume();
  await stream.drained();
  assert.equal(stream.isFull(), false);
});

test('a browser that reads nothing is disconnected at the next event, and nobody waits for it', async (t) => {
  const { stream, answer } = await open(t);
  stream.write(large);
  const drained = stream.drained();
  stream.write('more');
  await drained;
  answer.resume();
  await assert.rejects(once(answer, 'end'), /aborted/);
});

test('a heartbeat ends no browser that is still reading a large event', async (t) => {
  const { stream, answer } = await open(t);
  stream.write(large);
  stream.heartbeat();
  answer.resume();
  await stream.drained();
  stream.write('more');
  stream.end();
  await once(answer, 'end');
});
