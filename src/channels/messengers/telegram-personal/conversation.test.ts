import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createAesIgeForMessage, NodeCryptoProvider, readStringSession } from '@mtcute/node/utils.js';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { personOf } from '../../../simulator/people.ts';
import { contentOf } from '../../../simulator/telegram-personal/media.ts';
import {
  startTelegramPersonal,
  type TelegramStandIn,
} from '../../../simulator/telegram-personal/provider.ts';
import { RpcRefusal } from '../../../simulator/telegram-personal/rpc.ts';
import type { Heard, Outgoing } from './account.ts';
import { Refused } from './account.ts';
import { openAccount } from './mtproto.ts';

const { signal } = new AbortController();
const text = (words: string, key = 1n): Outgoing => ({ key, text: words, file: null });

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

/** The library, connected to an account. */
async function setUp(
  t: TestContext,
  { server, place = null }: { server?: TelegramStandIn; place?: string | null } = {},
) {
  const telegram = server ?? (await startTelegramPersonal(t));
  const { session, calls } = telegram;
  const settings = { api_id: 1, api_hash: '0'.repeat(32), phone: '+79980000000', session };
  const account = await openAccount(settings, clientOver(testOutbound(t)), place, signal);
  t.after(() => account.close());
  const heard: Heard[] = [];
  const places: string[] = [];
  const reads: [person: string, upTo: number][] = [];
  const differences = () => calls.filter((name) => name === 'updates.getDifference').length;
  const says = (number: number, message: string) => telegram.hear(number, { message });
  return {
    telegram,
    account,
    heard,
    places,
    reads,
    differences,
    says,
    texts: () => heard.map((message) => message.text),
    /** Resolves once the library has asked for all that it asks for at first. */
    listen: async () => {
      const before = differences();
      const lost = (error: Error) => assert.fail(error);
      const message = (one: Heard, at: string) => void (heard.push(one) && places.push(at));
      const read = (person: string, upTo: number) => void reads.push([person, upTo]);
      await account.listen({ message, read, lost });
      await until(() => differences() >= before + (place === null ? 2 : 1));
    },
  };
}

test('the library connects with the session, and asks who it is', async (t) => {
  const { telegram } = await setUp(t);
  await until(() => telegram.calls.length === 2);
  assert.deepEqual(telegram.calls.toSorted(), ['updates.getState', 'users.getUsers']);
});

test('messages are heard at once and in order, without asking for differences', async (t) => {
  const { says, listen, differences, heard, texts } = await setUp(t);
  await listen();
  const before = differences();
  for (const words of ['One', 'Two', 'Three']) says(1, words);
  await until(() => heard.length === 3);
  assert.deepEqual(texts(), ['One', 'Two', 'Three']);
  assert.equal(differences(), before);
  assert.deepEqual(heard[0]?.from, {
    id: '5000000001',
    name: 'Anna Lind',
    username: 'client_000001',
    phone: '+79990000001',
  });
});

test('a message of ours is counted, so the next of a client comes without asking for differences', async (t) => {
  const { telegram, account, says, listen, differences, heard } = await setUp(t);
  await listen();
  const before = differences();
  const person = await account.personByUsername('client_000002');
  const id = await account.send(person, text('Hello'), signal);
  assert.partialDeepStrictEqual(telegram.outbox.sent, [{ id: String(id), to: 2, text: 'Hello' }]);
  says(2, 'Hi');
  await until(() => heard.length === 1);
  assert.equal(differences(), before);
});

test('a chat is opened by phone or username, and an unknown one is refused in words of Telegram', async (t) => {
  const { telegram, account } = await setUp(t);
  telegram.hide((number) => number === 9);
  assert.equal((await account.addContact('+79990000003'))?.id, '5000000003');
  assert.equal((await account.personByPhone('+79990000003')).id, '5000000003');
  assert.equal((await account.personByUsername('client_000004')).id, '5000000004');
  assert.equal(await account.addContact('+79990000009'), null);
  await assert.rejects(account.personByPhone('+79990000009'), new Refused(400, 'PHONE_NOT_OCCUPIED'));
  await assert.rejects(account.personByUsername('nobody'), new Refused(400, 'USERNAME_NOT_OCCUPIED'));
});

test('a client’s reading is heard with the last message that they read', async (t) => {
  const { telegram, account, listen, reads } = await setUp(t);
  await listen();
  const person = await account.personByUsername('client_000005');
  const id = (await account.send(person, text('Hello'), signal)) ?? assert.fail();
  telegram.read(5, id);
  await until(() => reads.length === 1);
  assert.deepEqual(reads, [[person.id, id]]);
});

test('a repeated message is refused, and so are those that the provider refuses', async (t) => {
  const { telegram, account } = await setUp(t);
  const person = await account.personByUsername('client_000006');
  await account.send(person, text('Hello'), signal);
  const again = () => account.send(person, text('Hello'), signal);
  await assert.rejects(again, new Refused(500, 'RANDOM_ID_DUPLICATE'));
  telegram.react(async () => new RpcRefusal(403, 'USER_IS_BLOCKED'));
  await assert.rejects(again, new Refused(403, 'USER_IS_BLOCKED'));
  telegram.react(async () => new RpcRefusal(420, 'FLOOD_WAIT_5'));
  await assert.rejects(again, new Refused(420, 'FLOOD_WAIT', 5));
});

test('the account names its latest message to a person, which others and their own do not change', async (t) => {
  const { telegram, account, says } = await setUp(t);
  const [ann, bob] = [
    await account.personByUsername('client_000006'),
    await account.personByUsername('client_000007'),
  ];
  assert.equal(await account.lastSent(ann, signal), null);
  await account.send(ann, text('Hello', 1n), signal);
  const id = await account.send(ann, text('Are you there?', 2n), signal);
  await account.send(bob, text('Hello', 3n), signal);
  says(6, 'Yes');
  assert.equal(await account.lastSent(ann, signal), id);
  telegram.react(async ({ _: name }) => (name === 'messages.getHistory' ? new RpcRefusal(500, 'NO') : null));
  await assert.rejects(account.lastSent(ann, signal), new Refused(500, 'NO'));
});

test('a person is found by a message of their chat only', async (t) => {
  const { telegram, account } = await setUp(t);
  const person = await account.personByUsername('client_000005');
  const id = (await account.send(person, text('Hello'), signal)) ?? assert.fail();
  const { account: later } = await setUp(t, { server: telegram });
  assert.deepEqual(await later.personWith(person.id, id), person);
  assert.equal(await later.personWith('5000000006', id), null);
  assert.equal(await later.personWith(person.id, id + 1), null);
});

test('what clients wrote while the connection was lost is heard once it is back', async (t) => {
  const { telegram, says, listen, heard } = await setUp(t);
  await listen();
  telegram.cut();
  await until(() => !telegram.isHeard());
  says(7, 'Are you there?');
  await until(() => heard.length === 1);
  assert.equal(heard[0]?.text, 'Are you there?');
});

test('what clients wrote while nobody listened is heard from the stored place on', async (t) => {
  const telegram = await startTelegramPersonal(t);
  telegram.hear(8, { message: 'Before' });
  const { pts, date } = telegram.box.state();
  for (let number = 1; number <= 150; number += 1) telegram.hear(8, { message: `After ${number}` });
  const { listen, texts } = await setUp(t, { server: telegram, place: `${pts}:0:${date}:0` });
  await listen();
  await until(() => texts().length === 150);
  assert.deepEqual([texts()[0], texts()[149]], ['After 1', 'After 150']);
});

test('a channel goes on with a simulator that was restarted, whose numbers are higher', async (t) => {
  const ends: (() => unknown)[] = [];
  const first = await startTelegramPersonal({ after: (end) => void ends.push(end), lastNumber: 5_000 });
  const { listen, says, texts } = await setUp(t, { server: first });
  await listen();
  says(1, 'Before');
  await until(() => texts().length === 1);
  for (const end of ends) end();
  const port = Number(/:(\d+)$/.exec(first.address)?.[1]);
  const second = await startTelegramPersonal({ after: t.after.bind(t), lastNumber: 900_000 }, port);
  await until(() => second.isHeard());
  second.hear(1, { message: 'After' });
  await until(() => texts().length === 2);
  assert.deepEqual(texts(), ['Before', 'After']);
});

test('the people of the account’s chats are known', async (t) => {
  const { account, says } = await setUp(t);
  for (let number = 1; number <= 130; number += 1) says(number, 'Hello');
  const people = await account.people();
  assert.equal(new Set(people.map(({ id }) => id)).size, 130);
  assert.equal(people[0]?.id, '5000000130');
});

test('pictures and files travel in both directions', async (t) => {
  const { telegram, account, listen, heard } = await setUp(t);
  await listen();
  const bytes = randomBytes(300_000);
  const said = { id: 'f', name: 'a.bin', type: 'application/octet-stream', bytes, url: '' };
  for (const kind of ['image', 'file', 'voice'] as const) {
    telegram.hear(1, contentOf(personOf(1), { kind, text: 'Look', file: said }, telegram.files));
  }
  await until(() => heard.length === 3);
  assert.deepEqual(
    heard.map(({ file }) => [file?.kind, file?.name]),
    [
      ['image', null],
      ['document', 'a.bin'],
      ['document', null],
    ],
  );
  for (const { file } of heard) assert.ok((await file?.bytes())?.equals(bytes));

  const [sender] = heard;
  assert.ok(sender);
  const file = { name: 'b.txt', type: 'text/plain', bytes };
  await account.send(sender.from, { key: 1n, text: '', file: { ...file, kind: 'document' } }, signal);
  await account.send(sender.from, { key: 2n, text: 'Us', file: { ...file, kind: 'image' } }, signal);
  const [document, image] = telegram.outbox.sent;
  assert.deepEqual(document?.files, [{ kind: 'file', name: 'b.txt', bytes }]);
  assert.deepEqual([image?.text, image?.files[0]?.kind], ['Us', 'image']);
});

test('an upload ends with the time for its message', async (t) => {
  const { telegram, account } = await setUp(t);
  const person = await account.personByUsername('client_000006');
  telegram.react(async ({ _: name }) => (name === 'upload.saveFilePart' ? 'hang' : null));
  const deadline = new AbortController();
  const file = { kind: 'document', name: 'b.txt', type: 'text/plain', bytes: randomBytes(10) } as const;
  const sending = account.send(person, { key: 1n, text: '', file }, deadline.signal);
  await until(() => telegram.calls.includes('upload.saveFilePart'));
  deadline.abort();
  await assert.rejects(sending, new Refused(-503, 'There was no answer in time.'));
});

/** Seals bodies as a client does that has the key, but sends no calls. */
async function clientsPackets(session: string): Promise<(body: Buffer) => Buffer> {
  const crypto = new NodeCryptoProvider();
  await crypto.initialize();
  const { authKey } = readStringSession(session);
  const hash = (algorithm: string, ...parts: Uint8Array[]) =>
    createHash(algorithm).update(Buffer.concat(parts)).digest();
  return (body) => {
    const head = Buffer.alloc(32);
    head.writeBigUInt64LE(3_100_000_001n);
    head.writeUInt32LE(body.length, 28);
    const plain = Buffer.concat([head, body, Buffer.alloc(28 - body.length)]);
    const digest = hash('sha256', authKey.subarray(88, 120), plain).subarray(8, 24);
    const secret = createAesIgeForMessage(crypto, authKey, digest, true).encrypt(plain);
    return Buffer.concat([hash('sha1', authKey).subarray(-8), digest, secret]);
  };
}

test('bytes that no client of the library sends end their connection, and nothing else', async (t) => {
  const { telegram, account } = await setUp(t);
  const port = Number(/:(\d+)$/.exec(telegram.address)?.[1]);
  const tag = Buffer.from('eeeeeeee', 'hex');
  const long = Buffer.from('ffffffff', 'hex');
  const frame = (packet: Uint8Array) => Buffer.concat([tag, Buffer.from([packet.length, 0, 0, 0]), packet]);
  const packetOf = await clientsPackets(telegram.session);
  const forged = Buffer.concat([packetOf(long).subarray(0, 8), randomBytes(64)]);
  const wrong = [
    Buffer.from('GET / HTTP/1.1'),
    Buffer.concat([tag, long]),
    frame(randomBytes(104)),
    frame(forged),
    frame(packetOf(long)),
    frame(long),
  ];
  for (const bytes of wrong) {
    const socket = connect(port, '127.0.0.1').resume();
    socket.write(bytes);
    await once(socket, 'close');
  }
  assert.equal((await account.personByUsername('client_000001')).name, 'Anna Lind');
});
