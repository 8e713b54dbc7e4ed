import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { sendEvents } from './event-stream.ts';
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
