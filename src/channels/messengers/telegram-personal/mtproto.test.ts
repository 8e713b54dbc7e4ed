import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { SentCode, tl, User } from '@mtcute/node';
import { writeStringSession } from '@mtcute/node/utils.js';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { OutboundRefused } from '../../../platform/outbound/outbound.ts';
import { listenAt } from '../../../simulator/listening.ts';
import { Refused } from './account.ts';
import { prove } from './login.ts';
import { asked, openAccount } from './mtproto.ts';

const phone = '+79990000000';

function settingsAt(ipAddress: string, port: number) {
  const server = { id: 2, ipAddress, port };
  const session = writeStringSession({
    version: 3,
    primaryDcs: { main: server, media: server },
    authKey: new Uint8Array(256).fill(1),
    self: { userId: 1, isBot: false, isPremium: false, usernames: [] },
  });
  return { api_id: 1, api_hash: '0123456789abcdef0123456789abcdef', phone, session };
}

const open = (t: TestContext, settings: ReturnType<typeof settingsAt>, signal: AbortSignal) =>
  openAccount(settings, clientOver(testOutbound(t)), null, signal);

test('the server of the session is called, and a silent one is left at the signal', async (t) => {
  const server = createServer((socket) => void socket.on('error', () => {}).resume());
  const port = await listenAt(server, 0);
  t.after(() => void server.close());
  const called = once(server, 'connection');
  const abort = new AbortController();
  const opening = open(t, settingsAt('127.0.0.1', port), abort.signal);
  const [socket] = await called;
  const left = once(socket, 'close');
  abort.abort();
  await assert.rejects(opening, /given up/);
  await left;
});

test('a forbidden server address is refused at once', async (t) => {
  const { signal } = new AbortController();
  await assert.rejects(open(t, settingsAt('10.1.2.3', 443), signal), OutboundRefused);
});

const said = (error: Error) => asked(() => Promise.reject(error)).catch((refused: unknown) => refused);

test('an RPC error keeps its text and its seconds', async () => {
  const flood = Object.assign(new tl.RpcError(420, 'FLOOD_WAIT_%d'), { seconds: 17 });
  assert.deepEqual(await said(flood), new Refused(420, 'FLOOD_WAIT', 17));
  assert.deepEqual(await said(new tl.RpcError(400, 'PEER_FLOOD')), new Refused(400, 'PEER_FLOOD'));
  const ours = new TypeError('a fault of ours');
  assert.equal(await said(ours), ours);
});

/** Telegram's door, as far as its code and its password. */
function door(password: string | null) {
  const type = { _: 'auth.sentCodeTypeApp', length: 5 } as const;
  const user = new User({ _: 'user', id: 1 });
  return {
    sendCode: async () => new SentCode({ _: 'auth.sentCode', type, phoneCodeHash: 'hash' }),
    async signIn({ phoneCode, phoneCodeHash }: { phoneCode: string; phoneCodeHash: string }) {
      if (phoneCode !== '12345' || phoneCodeHash !== 'hash') throw new tl.RpcError(400, 'PHONE_CODE_INVALID');
      if (password !== null) throw new tl.RpcError(401, 'SESSION_PASSWORD_NEEDED');
      return user;
    },
    async checkPassword(given: unknown) {
      if (given !== password) throw new tl.RpcError(400, 'PASSWORD_HASH_INVALID');
      return user;
    },
  };
}

async function logIn(password: string | null, ...answers: string[]) {
  const questions: string[] = [];
  await prove(door(password), phone, async (_, answer) => {
    questions.push(answer);
    return answers.shift() ?? '';
  });
  return questions;
}

test('a login asks for the code, and for a password if the account has one', async () => {
  assert.deepEqual(await logIn(null, '12345'), ['open']);
  assert.deepEqual(await logIn('secret', '12345', 'secret'), ['open', 'secret']);
  await assert.rejects(logIn(null, '54321'), new Refused(400, 'PHONE_CODE_INVALID'));
  await assert.rejects(logIn('secret', '12345', 'wrong'), new Refused(400, 'PASSWORD_HASH_INVALID'));
});
