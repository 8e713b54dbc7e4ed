import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createGateway } from './gateway.ts';
import { startupMessage } from './wire.ts';

const query = (text: string) => {
  const header = Buffer.from([0x51, 0, 0, 0, 0]);
  header.writeUInt32BE(Buffer.byteLength(text) + 5, 1);
  return Buffer.concat([header, Buffer.from(`${text}\0`)]);
};
const ready = (status: string) => Buffer.from(`Z\0\0\0\x05${status}`);

/** Much more than a socket buffers for a client that does not read. */
const large = Buffer.alloc(8 * 1024 * 1024, 'x');

/** A gateway before a database that records its requests and knows `begin`, `rollback` and `large`. */
async function gateway(t: TestContext, patienceMs: number, isDiskLow = () => false) {
  const asked: string[] = [];
  const { listen, close } = createGateway(
    async (messages, onAnswer) => {
      const text = messages.toString('latin1');
      asked.push(text);
      if (text.includes('large')) onAnswer(large);
      onAnswer(ready(text.includes('begin') ? 'T' : 'I'));
    },
    { greeting: ready('I'), patienceMs, isDiskLow },
  );
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-test-'));
  await listen(join(folder, 'socket'));
  t.after(async () => {
    await close();
    await rm(folder, { recursive: true });
  });
  const client = async (): Promise<Socket> => {
    const socket = connect(join(folder, 'socket'));
    socket.write(startupMessage('me', 'db', { application_name: 'patchbay' }));
    await once(socket, 'data');
    return socket;
  };
  return { asked, client };
}

test('an idle transaction that blocks another client is ended, and the other is served', async (t) => {
  const { asked, client } = await gateway(t, 1);
  const [idle, waiting] = [await client(), await client()];
  idle.write(query('begin'));
  await once(idle, 'data');
  waiting.write(query('select 1'));
  const [[farewell], [answer]] = await Promise.all([once(idle, 'data'), once(waiting, 'data')]);
  assert.match(String(farewell), /^E.*C25P03/s);
  assert.deepEqual(answer, ready('I'));
  assert.ok(
    asked.findIndex((text) => text.includes('ROLLBACK')) <
      asked.findIndex((text) => text.includes('select 1')),
  );
});

test('an idle transaction that blocks no client is left alone', async (t) => {
  const { asked, client } = await gateway(t, 1);
  const idle = await client();
  idle.write(query('begin'));
  await once(idle, 'data');
  await new Promise((done) => setTimeout(done, 20));
  idle.write(query('rollback'));
  assert.deepEqual((await once(idle, 'data'))[0], ready('I'));
  assert.equal(asked.length, 2);
});

test('messages that arrive together run together, and each client waits for its turn', async (t) => {
  const { asked, client } = await gateway(t, 1_000);
  const [one, other] = [await client(), await client()];
  one.write(Buffer.concat([query('a'), query('b'), query('c')]));
  other.write(Buffer.concat([query('d'), query('e')]));
  await Promise.all([once(one, 'data'), once(other, 'data')]);
  assert.deepEqual(asked.map((text) => text.replaceAll(/[^a-e]/g, '')).sort(), ['abc', 'de']);
});

test('every turn is read-only while the disk is low, and writes again afterwards', async (t) => {
  let isLow = false;
  const { asked, client } = await gateway(t, 1_000, () => isLow);
  const [one, other] = [await client(), await client()];
  const ask = async (socket: Socket, text: string) => {
    socket.write(query(text));
    await once(socket, 'data');
  };
  await ask(one, 'a');
  isLow = true;
  await ask(one, 'b');
  await ask(other, 'c');
  isLow = false;
  await ask(other, 'd');
  assert.deepEqual(
    asked.map((text) =>
      text
        .match(/(read_only = \w+)?(\w)?\0$/)
        ?.slice(1)
        .find(Boolean),
    ),
    ['a', 'read_only = on', 'b', 'c', 'read_only = off', 'd'],
  );
});

test('requests of a client that went away are dropped, unless it said goodbye', async (t) => {
  const { asked, client } = await gateway(t, 1_000);
  const [holder, gone, polite] = [await client(), await client(), await client()];
  holder.write(query('begin'));
  await once(holder, 'data');
  gone.write(query('of the gone'));
  polite.end(Buffer.concat([query('of the polite'), Buffer.from('X\0\0\0\x04')]));
  gone.destroy();
  // By the last of these the gateway has noticed that both have hung up.
  for (let turn = 0; turn < 50; turn += 1) {
    holder.write(query('begin'));
    await once(holder, 'data');
  }
  holder.write(query('rollback'));
  await once(holder, 'data');
  while (!asked.some((text) => text.includes('of the polite')))
    await new Promise((done) => setImmediate(done));
  assert.equal(asked.filter((text) => text.includes('of the polite')).length, 1);
  assert.equal(asked.filter((text) => text.includes('of the gone')).length, 0);
});

/** The event loop turns many times meanwhile. */
async function goOn(socket: Socket): Promise<void> {
  for (let turn = 0; turn < 300; turn += 1) {
    socket.write(query('x'));
    await once(socket, 'data');
  }
}

async function hear(socket: Socket, bytes: number): Promise<void> {
  let heard = 0;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    heard += chunk.length;
    if (heard >= bytes) return;
  }
}

test('a client that does not read its answers is paused, and is served again once it reads', async (t) => {
  const { asked, client } = await gateway(t, 1_000);
  const [deaf, other] = [await client(), await client()];
  const isAsked = (word: string) => asked.some((text) => text.includes(word));
  deaf.pause();
  deaf.write(query('large'));
  while (!isAsked('large')) await goOn(other);
  deaf.write(query('next'));
  await goOn(other);
  assert.equal(isAsked('next'), false);
  await hear(deaf, large.length + 2 * ready('I').length);
  assert.equal(isAsked('next'), true);
});

test('the gateway reads little of a waiting client at first, and everything in the end', async (t) => {
  const { asked, client } = await gateway(t, 60_000);
  const [holder, waiting] = [await client(), await client()];
  holder.write(query('begin'));
  await once(holder, 'data');
  const queries = 300;
  const text = 'q'.repeat(large.length / queries);
  waiting.write(Buffer.concat(Array.from({ length: queries }, () => query(text))));
  for (let turn = 0; turn < 300; turn += 1) {
    holder.write(query('begin'));
    await once(holder, 'data');
  }
  assert.ok(waiting.writableLength > 0);
  holder.write(query('rollback'));
  const served = () =>
    asked.filter((asking) => asking.includes('qq')).map((asking) => asking.split('Q').length - 1);
  const sum = (counts: number[]) => counts.reduce((before, count) => before + count, 0);
  while (sum(served()) < queries) await once(waiting, 'data');
});

test('a client’s long pipeline does not delay the others to its end', async (t) => {
  const { asked, client } = await gateway(t, 1_000);
  const busy = await client();
  busy.write(Buffer.concat(Array.from({ length: 300 }, () => query('a'))));
  const counts = () => asked.map((text) => text.split('a').length - 1);
  while (counts().reduce((sum, count) => sum + count, 0) < 300) await once(busy, 'data');
  assert.deepEqual(counts(), [128, 128, 44]);
});
