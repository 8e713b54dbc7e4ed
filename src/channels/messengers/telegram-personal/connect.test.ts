import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { ann, bob, playTelegram } from '../../../../test/stand-ins/telegram-account.ts';
import { listenAt } from '../../../simulator/listening.ts';
import type { Link, OutgoingMessage, Sender } from '../../contract/adapter.ts';
import { CredentialsRefused } from '../../contract/failure.ts';
import type { InboundEvent } from '../../contract/inbound.ts';
import { type Account, Refused } from './account.ts';
import { telegramPersonalBy } from './adapter.ts';
import type { Settings } from './settings.ts';

const settings = {
  api_id: 1,
  api_hash: '0123456789abcdef0123456789abcdef',
  phone: '+79990000000',
  session: 'the session',
};
const now = new Date('2026-05-04T10:00:00Z');

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '+79991234567' },
};

type Given = {
  cursor?: string | null;
  logged?: Settings;
  listen?: Account['listen'];
  people?: Account['people'];
};

/** Connections of one channel. */
function scene(t: TestContext, { cursor = null, logged = settings, listen, people }: Given = {}) {
  const stored: { events: InboundEvent[]; cursor: string | undefined }[] = [];
  const kept: object[] = [];
  const client = clientOver(testOutbound(t));
  let telegram = playTelegram();
  const adapter = telegramPersonalBy(async (...given) => ({
    ...(await telegram.open(...given)),
    ...(listen && { listen }),
    ...(people && { people }),
  }));
  return {
    stored,
    kept,
    connect() {
      telegram = playTelegram();
      const abort = new AbortController();
      t.after(() => abort.abort());
      const ready = Promise.withResolvers<Sender>();
      const link: Link = {
        client,
        signal: abort.signal,
        cursor,
        store: async (events, next) => void stored.push({ events, cursor: next }),
        keep: async (learnt) => void kept.push(learnt),
        ready: (sender) => (sender ? ready.resolve(sender) : assert.fail('nothing can send')),
      };
      const ended = (adapter.connect ?? assert.fail())(logged, link);
      ended.catch((error) => ready.reject(error));
      return { telegram, abort, ended, ready: ready.promise };
    },
  };
}

async function setUp(t: TestContext, given: Given = {}) {
  const { connect, stored, kept } = scene(t, given);
  const connection = connect();
  const { signal: deadline } = new AbortController();
  const send = async (message: Partial<OutgoingMessage> = {}, at = now) =>
    (await connection.ready)({ ...text, ...message }, { now: at, deadline });
  const to = (externalId: string) => ({ ...text.chat, externalId });
  return { ...connection, stored, kept, send, to };
}

test('without a login the connection is refused with a hint at channel login', async (t) => {
  const { session: _, ...logged } = settings;
  const { ended, ready } = await setUp(t, { logged });
  await assert.rejects(ready);
  await assert.rejects(
    ended,
    (error) => error instanceof CredentialsRefused && /channel login/.test(error.message),
  );
});

test('a revoked session raises CredentialsRefused', async (t) => {
  const { telegram, ended, ready } = await setUp(t);
  await ready;
  telegram.lose(new Refused(401, 'AUTH_KEY_UNREGISTERED'));
  await assert.rejects(
    ended,
    (error) =>
      error instanceof CredentialsRefused && /AUTH_KEY_UNREGISTERED.*channel login/.test(error.message),
  );
  assert.equal(telegram.closed(), 1);
});

test('an account that is lost before anybody waits for it ends its connection only', async (t) => {
  const listen: Account['listen'] = async ({ lost }) => {
    lost(new Error('lost'));
    await new Promise(setImmediate);
  };
  const { ended, ready } = await setUp(t, { listen });
  await ready;
  await assert.rejects(ended, /lost/);
});

test('a connection that Telegram leaves without an answer while it opens ends at once when it is to end', async (t) => {
  for (const step of ['people', 'listen'] as const) {
    const asked = Promise.withResolvers<void>();
    const never = () => {
      asked.resolve();
      return new Promise<never>(() => {});
    };
    const { telegram, abort, ended } = await setUp(t, { [step]: never });
    await asked.promise;
    abort.abort();
    await ended;
    assert.equal(telegram.closed(), 1);
  }
});

test('a chat is opened by phone, which becomes a contact, or by username', async (t) => {
  const { telegram, send, to } = await setUp(t);
  assert.deepEqual(await send(), { sent: true, providerId: '1' });
  const other = '01990000-0000-7000-8000-000000000003';
  assert.deepEqual(await send({ uuid: other, chat: to('@bobby') }), { sent: true, providerId: '2' });
  assert.deepEqual(telegram.calls(), [
    ['addContact', '+79991234567'],
    ['send', ann.id, 'Hello'],
    ['personByUsername', 'bobby'],
    ['send', bob.id, 'Hello'],
  ]);
});

test('a known user is not resolved again', async (t) => {
  const { telegram, send, to, ready } = await setUp(t);
  telegram.hear(bob, 'Hi');
  await ready;
  telegram.hear(bob, 'Hi');
  await send({ chat: to('@bobby') });
  assert.deepEqual(telegram.calls(), [['send', bob.id, 'Hello']]);
});

test('a phone without a contact is resolved, and an unknown one is invalid_recipient', async (t) => {
  const { telegram, send, to } = await setUp(t);
  telegram.hideContacts();
  assert.equal((await send()).sent, true);
  const result = await send({ chat: to('+70000000000') });
  assert.deepEqual(result, {
    sent: false,
    error: { code: 'invalid_recipient', detail: 'PHONE_NOT_OCCUPIED' },
  });
  const unknown = await send({ chat: to('@nobody') });
  assert.deepEqual(unknown, {
    sent: false,
    error: { code: 'invalid_recipient', detail: 'USERNAME_NOT_OCCUPIED' },
  });
});

test('a repeated message is sent once, and READ finds it by the latest message to its client', async (t) => {
  const { telegram, send } = await setUp(t);
  await send();
  assert.deepEqual(await send(), { sent: true, providerId: '1' });
  await send({ uuid: '01990000-0000-7000-8000-000000000003' });
  assert.deepEqual(await send(), { sent: true, providerId: '2' });
  assert.equal(telegram.sent().length, 2);
});

test('a repeated message is sent also when Telegram does not tell its number', async (t) => {
  const { telegram, send } = await setUp(t);
  await send();
  telegram.hideHistory();
  assert.deepEqual(await send(), { sent: true, providerId: null });
});

test('pictures and documents go out as their bytes', async (t) => {
  const { telegram, send } = await setUp(t);
  const server = createServer(
    (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('png'),
  );
  const port = await listenAt(server, 0);
  t.after(() => void server.close());
  await send({ type: 'image', url: `http://127.0.0.1:${port}/a.png` });
  assert.deepEqual(telegram.sent()[0]?.file, {
    kind: 'image',
    name: 'a.png',
    type: 'image/png',
    bytes: Buffer.from('png'),
  });
});

const refusals: [code: number, words: string, means: string][] = [
  [400, 'USER_IS_BLOCKED', 'blocked'],
  [400, 'YOU_BLOCKED_USER', 'blocked'],
  [403, 'USER_PRIVACY_RESTRICTED', 'not_opted_in'],
  [400, 'INPUT_USER_DEACTIVATED', 'invalid_recipient'],
  [400, 'PEER_ID_INVALID', 'invalid_recipient'],
  [400, 'MESSAGE_TOO_LONG', 'bad_content'],
  [400, 'PHOTO_INVALID_DIMENSIONS', 'bad_content'],
  [401, 'AUTH_KEY_UNREGISTERED', 'auth'],
  [401, 'SESSION_REVOKED', 'auth'],
  [500, 'RPC_CALL_FAIL', 'temporary'],
  [-503, 'Timeout', 'temporary'],
];

for (const [code, words, means] of refusals) {
  test(`${words} is ${means}`, async (t) => {
    const { telegram, send } = await setUp(t);
    telegram.refuse(new Refused(code, words));
    const result = await send();
    assert.ok(!result.sent && result.error.code === means, JSON.stringify(result));
  });
}

test('FLOOD_WAIT asks for the pause that Telegram names, for the channel or for the chat', async (t) => {
  const { telegram, send } = await setUp(t);
  telegram.refuse(new Refused(420, 'FLOOD_WAIT', 17));
  assert.deepEqual(await send(), {
    sent: false,
    error: { code: 'rate_limited', retryAfterMs: 17_000, scope: 'channel', detail: 'FLOOD_WAIT' },
  });
  telegram.refuse(new Refused(420, 'SLOWMODE_WAIT', 5));
  const slow = await send();
  assert.ok(!slow.sent && slow.error.code === 'rate_limited' && slow.error.scope === 'chat');
});

test('after PEER_FLOOD no new chats are opened for a day, and known chats go on', async (t) => {
  const { telegram, send, to, ready } = await setUp(t);
  await ready;
  telegram.hear(bob, 'Hi');
  telegram.refuse(new Refused(400, 'PEER_FLOOD'));
  const first = await send();
  assert.ok(!first.sent && first.error.code === 'not_opted_in');
  telegram.refuse(null);
  const calls = telegram.calls().length;
  const second = await send({ chat: to('@carol') });
  assert.ok(!second.sent && second.error.code === 'not_opted_in');
  assert.equal(telegram.calls().length, calls);
  assert.equal((await send({ chat: to('@bobby') })).sent, true);
  const later = new Date(now.getTime() + 25 * 3_600_000);
  assert.equal((await send({}, later)).sent, true);
});

test('the pause for new chats outlives its connection', async (t) => {
  const first = await setUp(t);
  first.telegram.refuse(new Refused(400, 'PEER_FLOOD'));
  await first.send();
  const cold_until = '2026-05-05T10:00:00.000Z';
  assert.deepEqual(first.kept, [{ cold_until }]);
  const next = await setUp(t, { logged: { ...settings, cold_until } });
  const refused = await next.send();
  assert.ok(!refused.sent && refused.error.code === 'not_opted_in');
  assert.deepEqual(next.telegram.calls(), []);
  assert.equal((await next.send({}, new Date(cold_until))).sent, true);
});

test('a file of more than 20 MB is not fetched, and its message is stored with the name', async (t) => {
  const { telegram, abort, ended, ready, stored } = await setUp(t);
  await ready;
  const bytes = async () => assert.fail('It was fetched.');
  telegram.hear(bob, 'Our trip', { kind: 'document', name: 'a.mov', size: 2 ** 31, bytes });
  telegram.hear(bob, '', { kind: 'document', name: null, size: 20 * 2 ** 20 + 1, bytes });
  telegram.hear(bob, 'Later');
  abort.abort();
  await ended;
  const heard = stored.flatMap(({ events }) => events);
  assert.deepEqual(
    heard.map(
      (event) => 'message' in event && 'text' in event.message && [event.message.type, event.message.text],
    ),
    [
      ['text', 'Our trip\na.mov (> 20 MB)'],
      ['text', '(> 20 MB)'],
      ['text', 'Later'],
    ],
  );
});

const failing = (error: Error) => {
  let calls = 0;
  const bytes = async () => {
    calls += 1;
    throw error;
  };
  return { calls: () => calls, file: { kind: 'document', name: 'a.pdf', size: 3, bytes } as const };
};

test('a file that Telegram does not give is asked for by three connections, then its message comes without', async (t) => {
  const { connect, stored } = scene(t);
  const { calls, file } = failing(new Refused(500, 'STORAGE_CHECK_FAILED'));
  for (let connection = 1; connection <= 3; connection += 1) {
    const { ready, ended, telegram } = connect();
    await ready;
    telegram.hear(bob, 'Our prices', file);
    telegram.hear(bob, 'Our news', file);
    await assert.rejects(ended, /STORAGE_CHECK_FAILED/);
  }
  assert.equal(calls(), 4);
  const [event, ...more] = stored.flatMap(({ events }) => events);
  assert.ok(event?.kind === 'message' && more.length === 0);
  assert.deepEqual([event.message.type, event.message.text], ['text', 'Our prices\na.pdf (not received)']);
});

test('a file that a logout or our own end has cut off keeps its message waiting', async (t) => {
  const { connect, stored } = scene(t);
  const revoked = failing(new Refused(401, 'SESSION_REVOKED'));
  for (let connection = 1; connection <= 4; connection += 1) {
    const { ready, ended, telegram } = connect();
    await ready;
    telegram.hear(bob, 'Our prices', revoked.file);
    await assert.rejects(ended, CredentialsRefused);
  }
  const cut = failing(new Error('The connection is closed.'));
  for (let connection = 1; connection <= 4; connection += 1) {
    const { ready, ended, telegram, abort } = connect();
    await ready;
    telegram.hear(bob, 'Our prices', cut.file);
    abort.abort();
    await ended;
  }
  assert.deepEqual([revoked.calls(), cut.calls(), stored], [4, 4, []]);
});

test('messages are stored in order, each with its cursor', async (t) => {
  const { telegram, abort, ended, ready, stored } = await setUp(t, { cursor: 'place 7' });
  await ready;
  assert.equal(telegram.listenedFrom(), 'place 7');
  telegram.hear(bob, 'Look', { kind: 'image', name: null, size: 3, bytes: async () => Buffer.from('png') });
  telegram.hear({ id: '79', name: 'Eve', username: null, phone: null }, 'Hello');
  abort.abort();
  await ended;
  const common = { url: null, payload: null };
  assert.deepEqual(stored, [
    {
      events: [
        {
          kind: 'message',
          chat: { externalId: '@bobby', lastingId: '78', name: 'Bob', username: 'Bobby' },
          message: {
            ...common,
            externalId: '78:1',
            type: 'image',
            text: 'Look',
            file: { bytes: Buffer.from('png') },
          },
        },
      ],
      cursor: 'place 1',
    },
    {
      events: [
        {
          kind: 'message',
          chat: { externalId: '79', lastingId: '79', name: 'Eve' },
          message: { ...common, externalId: '79:2', type: 'text', text: 'Hello' },
        },
      ],
      cursor: 'place 2',
    },
  ]);
  assert.equal(telegram.closed(), 1);
});

test('READ of a chat that the connection does not know asks whose it is', async (t) => {
  const { telegram, abort, ended, ready, stored } = await setUp(t);
  await ready;
  telegram.read(bob.id, 7);
  telegram.read('12345', 8);
  abort.abort();
  await ended;
  const chat = '@bobby';
  const read = { kind: 'receipt', message: { chat, upTo: '7' }, state: 'read', detail: '' };
  assert.deepEqual(
    stored.map(({ events }) => events),
    [[read], []],
  );
});

test('READ is dropped when Telegram does not say whose it is, and what follows is heard', async (t) => {
  const { telegram, abort, ended, ready, stored } = await setUp(t);
  await ready;
  telegram.hideHistory();
  telegram.read(ann.id, 7);
  telegram.hear(bob, 'Hi');
  abort.abort();
  await ended;
  assert.deepEqual(
    stored.map(({ events: [event] }) => event?.kind),
    [undefined, 'message'],
  );
});

test('an answer finds the opened chat, and READ counts up to a message id', async (t) => {
  const { telegram, abort, ended, send, to, stored } = await setUp(t);
  telegram.hideContacts();
  await send();
  telegram.hear({ ...ann, phone: null, username: 'annlee' }, 'Yes');
  telegram.read(ann.id, 1);
  telegram.read('12345', 1);
  abort.abort();
  await ended;
  const [answer, receipt, stranger] = stored.map(({ events: [event] }) => event);
  assert.ok(answer?.kind === 'message');
  assert.equal(answer.chat.externalId, to('+79991234567').externalId);
  assert.deepEqual(receipt, {
    kind: 'receipt',
    message: { chat: '+79991234567', upTo: '1' },
    state: 'read',
    detail: '',
  });
  assert.equal(stranger, undefined);
});
