import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import Type from 'typebox';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { noDatabase } from '../../../test/no-database.ts';
import { currentOwner } from '../work.ts';
import { action } from './action.ts';
import { ByteStream } from './fields.ts';
import { callersOf, ownerOf, readsInTurn, writesInTurn } from './in-turn.ts';
import { isRecord } from './json.ts';
import { router } from './router.ts';
import { createServer } from './server.ts';

const settled = () => new Promise(setImmediate);

/** Asks for places, and notes who has one. */
function setUp(inTurn = readsInTurn()) {
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

test('a project begins eight writes, in order, and one more with the end of each', async () => {
  const { begun, ask, end } = setUp(writesInTurn());
  const names = Array.from({ length: 60 }, (_, n) => String(n));
  for (const name of names) void ask('ann', name);
  void ask('bob', 'x');
  await settled();
  assert.deepEqual(begun, [...names.slice(0, 8), 'x']);
  await end('5', 2 ** 21);
  await end('x');
  assert.deepEqual(begun.slice(9), ['8']);
});

test('programs and people of a project read apart, and so do projects', () => {
  const principals = ['person', 'bot_key', 'oauth'].flatMap((kind) =>
    ['1', '2'].map((projectId) => ({ kind, projectId })),
  );
  assert.equal(new Set(principals.map(callersOf)).size, 4);
  assert.equal(callersOf(undefined), null);
  assert.equal(callersOf({ channelId: '1' }), null);
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
const handle = async (): Promise<void> => {
  await new Promise<void>((release) => held.push(release));
};
let onUpload: () => void = () => {};
const upload = action({
  body: ByteStream,
  handle: async ({ body }) => {
    onUpload();
    for await (const part of body) assert.ok(part);
  },
});
let admitted = 0;
let onAdmitted: () => void = () => {};
const guard = {
  cors: false,
  admit: () => {
    admitted += 1;
    onAdmitted();
    return { kind: 'bot_key' as const, projectId: '1', callerId: '1', applicationId: null, name: 'CRM' };
  },
};
const route = router(server, context);
route('GET', '/things/', guard, read);
route('POST', '/things/', guard, action({ handle }));
route('PUT', '/things/', guard, action({ handle, line: 'gathered' }));
route('DELETE', '/things/', guard, action({ handle, line: 'foreign' }));
route('POST', '/lists/', guard, action({ handle, line: 'files' }));
route('POST', '/audiences/', guard, action({ handle, line: 'searches' }));
let chosen = 0;
const byBody = (body: unknown) => {
  chosen += 1;
  return isRecord(body) && body.is_long ? 'files' : 'writes';
};
route('POST', '/bodies/', guard, action({ body: Type.Unknown(), handle, line: byBody }));
route('POST', '/files/', guard, upload);
/** Whose turn each part of a request took. */
const owners: string[] = [];
const note = async (): Promise<void> => void owners.push(currentOwner());
const noting = { ...guard, admit: () => note().then(guard.admit) };
route(
  'PATCH',
  '/things/',
  noting,
  action({ load: () => note().then(() => ({})), reserve: note, handle: note }),
);
const address = await server.listen({ port: 0, host: '127.0.0.1' });
after(() => server.close());

/** Resolves when so many further requests are admitted, and those with a place have begun. */
async function admitting(count: number): Promise<void> {
  admitted = 0;
  await new Promise<void>((resolve) => (onAdmitted = () => void (admitted === count && resolve())));
  await settled();
}

async function releaseAll(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    while (held.length === 0) await settled();
    held.pop()?.();
  }
}

const most = [
  { kind: 'reads', method: 'GET', path: '/things/', asked: 6, begun: 4 },
  { kind: 'writes', method: 'POST', path: '/things/', asked: 40, begun: 8 },
  { kind: 'writes that share their statements', method: 'PUT', path: '/things/', asked: 80, begun: 64 },
  { kind: 'requests that ask a server of others', method: 'DELETE', path: '/things/', asked: 12, begun: 4 },
  { kind: 'imports of files', method: 'POST', path: '/lists/', asked: 3, begun: 1 },
  { kind: 'searches of audiences', method: 'POST', path: '/audiences/', asked: 3, begun: 1 },
];

for (const { kind, method, path, asked, begun } of most) {
  test(`of many ${kind} of a program ${begun} are worked on`, async () => {
    const all = admitting(asked);
    const answers = Array.from({ length: asked }, () => fetch(address + path, { method }));
    await all;
    assert.equal(held.length, begun);
    await releaseAll(asked);
    for (const answer of answers) assert.ok((await answer).ok);
  });
}

test('the body of a request may choose its line', async () => {
  const answers = [true, true, true, false, false, false].map((is_long) => {
    const headers = { 'content-type': 'application/json' };
    return fetch(`${address}/bodies/`, { method: 'POST', headers, body: JSON.stringify({ is_long }) });
  });
  while (chosen < 6 || held.length < 4) await settled();
  await settled();
  assert.equal(held.length, 4);
  await releaseAll(6);
  for (const answer of answers) assert.ok((await answer).ok);
});

test('the statements of a request take turns as those of its caller', async () => {
  await fetch(`${address}/things/`, { method: 'PATCH', headers: { authorization: 'Bearer one' } });
  assert.deepEqual(owners, ['stranger Bearer one', ...Array(3).fill('programs of 1')]);
  assert.equal(ownerOf({ projectId: '1', channelId: '2' }), 'visitors of 1');
  assert.equal(ownerOf(undefined), null);
});

test('a file under way keeps no place', async (t) => {
  let begun = 0;
  const all = new Promise<void>((resolve) => {
    onUpload = () => {
      begun += 1;
      if (begun === 40) resolve();
    };
  });
  for (let count = 0; count < 40; count += 1) {
    const headers = { 'content-type': 'application/octet-stream' };
    const sent = request(`${address}/files/`, { method: 'POST', headers });
    sent.on('error', () => {});
    t.after(() => sent.destroy());
    sent.write('x');
  }
  await all;
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

test('requests that wait for a server of others delay no other request of their caller', async () => {
  const all = admitting(12);
  const asking = Array.from({ length: 12 }, () => fetch(`${address}/things/`, { method: 'DELETE' }));
  await all;
  const one = admitting(1);
  const write = fetch(`${address}/things/`, { method: 'POST' });
  await one;
  assert.equal(held.length, 5);
  await releaseAll(13);
  for (const answer of [write, ...asking]) assert.ok((await answer).ok);
});
