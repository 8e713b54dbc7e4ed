import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { until } from '../../../test/faults/until.ts';
import { seedProject } from '../../../test/seed.ts';
import { addChannel, loadChannel } from '../../channels/connected/channels.ts';
import type { Connections } from '../../channels/connected/connections.ts';
import { holdCursors } from '../../channels/connected/cursor-store.ts';
import { resumeChannel } from '../../channels/connected/store.ts';
import type { Adapter, Link } from '../../channels/contract/adapter.ts';
import { CredentialsRefused } from '../../channels/contract/failure.ts';
import { widget } from '../../channels/messengers/widget/adapter.ts';
import { createAttachment } from '../attachments/create.ts';
import { receiveEvents } from '../chats/receive.ts';
import { askForReceipts } from './ask-for-receipts.ts';
import { connectChannel } from './connect-channel.ts';

const database = await testDatabase({ after });
const clock = manualClock();
const context = testContext(database, clock);
const { sql } = context;

/** A channel that this process holds, with the given adapter. */
async function scene(t: { after(cleanUp: () => unknown): void }, adapter: Partial<Adapter>) {
  const projectId = await seedProject(sql);
  const { id } = await addChannel(context, { projectId, platform: 'Widget', name: 'Held', settings: {} });
  const holder = context.newId();
  const now = clock.now();
  const channels = [{ project_id: projectId, channel_id: id }];
  const [cursor] = await holdCursors(sql, { holder, channels, now, until: new Date(now.getTime() + 20_000) });
  assert.ok(cursor);
  const stopping = new AbortController();
  t.after(() => stopping.abort());
  const connections: Connections = new Map();
  const full = { ...widget, ...adapter };
  const hold = {
    context,
    connections,
    adapter: full,
    channelId: id,
    cursor,
    holder,
    signal: stopping.signal,
  };
  return { id, projectId, hold, connections, stopping };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

const text = (externalId: string) => ({
  kind: 'message' as const,
  chat: { externalId: 'ann' },
  message: { externalId, type: 'text' as const, text: 'Hi', url: null, payload: null },
});

test('events of a connection are stored before its cursor, and the next connection begins there', async (t) => {
  const cursors: (string | null)[] = [];
  const { id, hold } = await scene(t, {
    connect: async (_settings, link) => {
      cursors.push(link.cursor);
      if (cursors.length > 1) return untilAborted(link.signal);
      await link.store([text('m-1')], '17');
      await link.store([text('m-1')], '18');
    },
  });
  void connectChannel(hold);
  await until(() => cursors.length === 2);
  assert.deepEqual(cursors, [null, '18']);
  assert.equal((await sql`select id from messages where channel_id = ${id}`).length, 1);
});

test('an open connection sends for its process, and its end ends the work', async (t) => {
  const { id, hold, connections, stopping } = await scene(t, {
    connect: async (_settings, link) => {
      link.ready(async () => ({ sent: true, providerId: '1' }));
      await untilAborted(link.signal);
    },
  });
  const work = connectChannel(hold);
  await until(() => connections.has(id));
  stopping.abort();
  await work;
  assert.equal(connections.size, 0);
});

test('a connection reads the project’s own files, although nobody can reach their address', async (t) => {
  let read: Buffer | null = null;
  const { hold, projectId } = await scene(t, {
    connect: async (_settings, { client, signal }) => {
      read = (await client.request({ url, method: 'GET', maxResponseBytes: 100, timeoutMs: 60_000 })).body;
      await untilAborted(signal);
    },
  });
  const bytes = Readable.from([Buffer.from('prices')]);
  const { url } = await createAttachment(context, { projectId, name: 'a.txt', bytes, uploader: 'member' });
  void connectChannel(hold);
  await until(() => read !== null);
  assert.deepEqual(read, Buffer.from('prices'));
});

test('a channel that another process has taken over is released', async (t) => {
  let ended = false;
  const { hold, projectId, id } = await scene(t, {
    connect: async (_settings, link: Link) => {
      const other = new Date(clock.now().getTime() + 60_000);
      const channels = [{ project_id: projectId, channel_id: id }];
      const now = new Date(clock.now().getTime() + 30_000);
      await holdCursors(sql, { holder: context.newId(), channels, now, until: other });
      await link.store([], '5');
      ended = link.signal.aborted;
    },
  });
  await connectChannel(hold);
  assert.ok(ended);
});

test('refused credentials pause the channel, visibly, and are tried again when a person resumes it', async (t) => {
  let attempts = 0;
  const { id, projectId, hold, stopping } = await scene(t, {
    connect: async () => {
      attempts += 1;
      throw new CredentialsRefused('Log in again.');
    },
  });
  let looks = 0;
  const counting = new Proxy(sql, {
    apply(target, self, given) {
      looks += 1;
      return Reflect.apply(target, self, given);
    },
  });
  const work = connectChannel({ ...hold, context: { ...context, sql: counting } });
  await until(async () => (await loadChannel(context, id))?.state === 'paused');
  const [row] = await sql`select state_detail from channels where id = ${id}`;
  assert.equal(row?.state_detail, 'Log in again.');
  const before = looks;
  await until(async () => looks >= before + 4);
  assert.equal(attempts, 1);
  await resumeChannel(sql, projectId, id);
  await until(async () => attempts === 2);
  stopping.abort();
  await work;
});

test('receipts that the provider does not send are asked for, chat by chat', async (t) => {
  const asked: unknown[] = [];
  const { id, projectId, hold } = await scene(t, {
    pollReceipts: async (awaited) => {
      asked.push(awaited);
      return awaited.flatMap(({ externalId }) => [
        { kind: 'receipt', message: { chat: externalId, until: clock.now() }, state: 'read', detail: '' },
      ]);
    },
  });
  const channel = await loadChannel(context, id);
  assert.ok(channel);
  const [stored] = await receiveEvents(context, channel, [text('m-2')]);
  const messageId = context.newId();
  await sql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, state, provider_id,
      sent_at, created_at)
    values (${projectId}, ${messageId}, ${stored?.chatUuid ?? null}, ${id}, 'out', 'push', 'TEXT', '{"text": "Hello"}',
      'SENT', 'p-1', ${clock.now()}, ${clock.now()})`;
  void askForReceipts(hold);
  await until(async () => {
    const [row] = await sql<{ state: string }[]>`select state from messages where id = ${messageId}`;
    return row?.state === 'READ';
  });
  assert.deepEqual(asked, [
    [{ externalId: 'ann', messages: [{ uuid: messageId, providerId: 'p-1', sentAt: clock.now() }] }],
  ]);
});
