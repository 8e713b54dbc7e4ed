import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import Type from 'typebox';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { noDatabase } from '../../../test/no-database.ts';
import { action } from './action.ts';
import { createReadsInTurn, readerOf } from './reads-in-turn.ts';
import { router } from './router.ts';
import { createServer } from './server.ts';

const settled = () => new Promise(setImmediate);

/** Asks for places, and notes who has one. */
function setUp() {
  const inTurn = createReadsInTurn();
  const begun: string[] = [];
  const ends = new Map<string, (bytes: number) => void>();
  const ask = async (reader: string, name: string): Promise<void> => {
    ends.set(name, await inTurn(reader));
    begun.push(name);
  };
  const end = async (name: string, bytes = 10): Promise<void> => {
    ends.get(name)?.(bytes);
    await settled();
  };
  return { begun, ask, end };
}

test('a reader begins with four reads, in order, and has one more with each small answer', async () => {
  const { begun, ask, end } = setUp();
  const names = Array.from({ length: 60 }, (_, n) => String(n));
  for (const name of names) void ask('ann', name);
  await settled();
  assert.deepEqual(begun, names.slice(0, 4));
  await end('1');
  assert.deepEqual(begun, names.slice(0, 6));
  let ended = 1;
  for (const name of names.slice(2, 30)) {
    await end(name);
    ended += 1;
  }
  assert.deepEqual(begun, names.slice(0, ended + 16));
});

test('after a large answer a reader has one read under way, and then more again', async () => {
  const { begun, ask, end } = setUp();
  for (const name of 'abcdefgh') void ask('ann', name);
  await settled();
  for (const name of 'abc') await end(name, 2 ** 21);
  assert.deepEqual(begun, [...'abcd']);
  await end('d', 2 ** 21);
  assert.deepEqual(begun, [...'abcde']);
  await end('e');
  assert.deepEqual(begun, [...'abcdefg']);
});

test('a reader who waits delays nobody else', async () => {
  const { begun, ask } = setUp();
  for (const name of 'abcdef') void ask('ann', name);
  void ask('bob', 'x');
  await settled();
  assert.deepEqual(begun, [...'abcdx']);
});

test('programs and people of a project read apart, and so do projects', () => {
  const principals = ['person', 'bot_key', 'oauth'].flatMap((kind) =>
    ['1', '2'].map((projectId) => ({ kind, projectId })),
  );
  assert.equal(new Set(principals.map(readerOf)).size, 4);
  assert.equal(readerOf(undefined), null);
  assert.equal(readerOf({ channelId: '1' }), null);
});

const context = testContext({ sql: noDatabase }, manualClock());
const server = createServer({ log: context.log, publicUrl: 'https://patchbay.test' });
/** What each read under way waits for. */
const held: (() => void)[] = [];
let onRead: () => void = () => {};
const read = action({
  response: Type.Object({ text: Type.String() }),
  handle: async () => {
    const released = new Promise<void>((release) => held.push(release));
    onRead();
    await released;
    return { text: 'x'.repeat(32 * 2 ** 20) };
  },
});
let admitted = 0;
let onAdmitted: () => void = () => {};
router(server, context)(
  'GET',
  '/things/',
  {
    cors: false,
    admit: () => {
      admitted += 1;
      onAdmitted();
      return { kind: 'bot_key' as const, projectId: '1', callerId: '1', applicationId: null, name: 'CRM' };
    },
  },
  read,
);
const address = await server.listen({ port: 0, host: '127.0.0.1' });
after(() => server.close());

test('of many requests of a program four are worked on', async () => {
  const all = new Promise<void>((resolve) => (onAdmitted = () => void (admitted === 6 && resolve())));
  const answers = Array.from({ length: 6 }, () => fetch(`${address}/things/`));
  await all;
  await settled();
  const begun = held.length;
  assert.equal(begun, 4);
  for (let left = 6; left > 0; left -= 1) {
    while (held.length === 0) await settled();
    held.pop()?.();
  }
  for (const answer of answers) assert.equal((await answer).status, 200);
});

test('a caller who does not read an answer keeps no place', async (t) => {
  const nextRead = () => new Promise<void>((resolve) => (onRead = resolve));
  for (let count = 0; count < 6; count += 1) {
    const begun = nextRead();
    const asked = request(`${address}/things/`);
    t.after(() => asked.destroy());
    const answered = new Promise<void>((resolve) => asked.once('response', () => resolve()));
    asked.end();
    await begun;
    held.pop()?.();
    await answered;
  }
});
