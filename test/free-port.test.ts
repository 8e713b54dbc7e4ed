import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { freePort } from './free-port.ts';

async function portOfTheSystem(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

test('a free port is below those that the system gives to connections and servers', async () => {
  const given = await Promise.all(Array.from({ length: 50 }, portOfTheSystem));
  const port = await freePort();
  assert.ok(
    given.every((other) => port < other),
    `${port}, beside ${given.join()}`,
  );
});

test('a port that is taken is passed over, and each call gives another one', async (t) => {
  const first = await freePort();
  const taken = createServer().listen(first + 1, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const later = [await freePort(), await freePort()];
  assert.ok(!later.includes(first) && !later.includes(first + 1), later.join());
});
