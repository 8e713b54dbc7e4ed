import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pino from 'pino';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { createProject } from '../../access/projects/projects.ts';
import { addChannel } from '../../channels/connected/channels.ts';
import { holdCursors, moveCursor } from '../../channels/connected/cursor-store.ts';
import type { Context } from '../../platform/context.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { type BotCall, refusal, startTelegram } from '../../simulator/telegram/provider.ts';
import { type Holding, startHolding } from './holding.ts';

const database = await testDatabase({ after });
const { sql } = database;
const clock = manualClock();
const context = testContext(database, clock);
const bots = await startTelegram({ after });

let made = 0;

/** Adds a bot with its own token, and counts its polls. */
async function addBot(mode: 'polling' | 'webhook' = 'polling') {
  made += 1;
  const token = `${made}:bot`;
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  const { id } = await addChannel(context, {
    projectId,
    platform: 'Telegram',
    name: 'Bot',
    settings: { bot_token: token, api_root: bots.root, mode },
  });
  const isPoll = (call: BotCall): boolean => call.token === token && call.method === 'getUpdates';
  return {
    id,
    projectId,
    token,
    polls: () => bots.calls.filter(isPoll),
    polledFrom: (offset: number | undefined) =>
      bots.called((call) => isPoll(call) && call.parameters.offset === offset),
    writes: (update_id: number) =>
      bots.happen(token, {
        update_id,
        message: { message_id: update_id, chat: { id: 777, type: 'private' }, text: `text ${update_id}` },
      } as { update_id: number }),
    texts: async () => {
      const rows = await sql<{ text: string }[]>`
        select content ->> 'text' as text from messages where channel_id = ${id} order by id`;
      return rows.map(({ text }) => text);
    },
  };
}

/** Polls until the end of the test. No other test's channels are left to poll. */
async function polling(
  t: { after(cleanUp: () => unknown): void },
  changes: Partial<Context> = {},
): Promise<Holding> {
  const started = startHolding({ ...context, ...changes }, new Map());
  t.after(async () => {
    await started.stop();
    await sql`delete from channel_cursors`;
    await sql`update channels set settings = settings || '{"mode": "webhook"}'`;
  });
  await started.wake();
  return started;
}

test("clients' messages are stored, and then not asked for again", async (t) => {
  const bot = await addBot();
  await polling(t);
  await bot.polledFrom(undefined);
  bot.writes(10);
  await bot.polledFrom(11);
  assert.deepEqual(await bot.texts(), ['text 10']);
  bot.writes(11);
  await bot.polledFrom(12);
  assert.deepEqual(await bot.texts(), ['text 10', 'text 11']);
});

test('a message that could not be stored is asked for again', async (t) => {
  const bot = await addBot();
  const { log, failed } = watchedLog();
  await sql`alter table external_ids rename to external_ids_gone`;
  bot.writes(10);
  await polling(t, { log });
  await failed;
  await sql`alter table external_ids_gone rename to external_ids`;
  await bot.polledFrom(11);
  assert.deepEqual(
    bot.polls().map(({ parameters }) => parameters.offset),
    [undefined, undefined, 11],
  );
  assert.deepEqual(await bot.texts(), ['text 10']);
});

/** Resolves at the next logged warning. */
function watchedLog() {
  const { promise: failed, resolve } = Promise.withResolvers<string>();
  return { log: pino({ level: 'warn' }, { write: resolve }), failed };
}

test("a new process continues at the last one's cursor", async (t) => {
  const bot = await addBot();
  const first = await polling(t);
  bot.writes(10);
  await bot.polledFrom(11);
  await first.stop();
  await polling(t);
  await bots.called(() => bot.polls().length === 3);
  assert.equal(bot.polls().at(-1)?.parameters.offset, 11);
  assert.deepEqual(await bot.texts(), ['text 10']);
});

test('one of several processes polls a bot, and another takes over as soon as it stops', async (t) => {
  const bot = await addBot();
  const first = await polling(t);
  const second = await polling(t);
  await bot.polledFrom(undefined);
  await Promise.all([first.wake(), second.wake(), first.wake(), second.wake()]);
  assert.equal(bot.polls().length, 1);

  await first.stop();
  await second.wake();
  bot.writes(10);
  await bot.polledFrom(11);
  assert.deepEqual(await bot.texts(), ['text 10']);
  assert.equal(bots.conflicts(), 0);
});

test("a dead process's bot is taken over at the end of the lease", async (t) => {
  const bot = await addBot();
  const channel = { project_id: bot.projectId, channel_id: bot.id };
  const dead = context.newId();
  const now = clock.now();
  await holdCursors(sql, { holder: dead, channels: [channel], now, until: new Date(now.getTime() + 20_000) });
  await moveCursor(sql, dead, { ...channel, cursor: '7' });

  const alive = await polling(t);
  clock.advance(19_999);
  await alive.wake();
  assert.equal(bot.polls().length, 0);
  clock.advance(1);
  await alive.wake();
  await bot.polledFrom(7);
  assert.equal(await moveCursor(sql, dead, { ...channel, cursor: '5' }), false);
});

test('a process that hangs loses its bot after 15 s, and not a look earlier', async (t) => {
  const bot = await addBot();
  await polling(t);
  const holder = async () =>
    (await sql`select holder from channel_cursors where channel_id = ${bot.id}`)[0]?.holder;
  const first = await holder();
  const other = await polling(t);
  clock.advance(14_999);
  await other.wake();
  assert.equal(await holder(), first);
  clock.advance(1);
  await other.wake();
  assert.notEqual(await holder(), first);
});

test('a process that has lost its lease ends its poll', async (t) => {
  const bot = await addBot();
  const slow = await polling(t);
  await bot.polledFrom(undefined);
  clock.advance(20_000);
  const holder = context.newId();
  const now = clock.now();
  const channels = [{ project_id: bot.projectId, channel_id: bot.id }];
  await holdCursors(sql, { holder, channels, now, until: new Date(now.getTime() + 20_000) });
  const ended = bots.pollEnded(bot.token);
  await slow.wake();
  await ended;
  bot.writes(10);
  assert.deepEqual(await bot.texts(), []);
});

test('only channels in polling mode are polled, and a paused one is too', async (t) => {
  const called = await addBot('webhook');
  const paused = await addBot();
  await sql`update channels set state = 'paused' where id = ${paused.id}`;
  await polling(t);
  await paused.polledFrom(undefined);
  assert.deepEqual(called.polls(), []);
});

test('a channel that is added later is found', async (t) => {
  const running = await polling(t);
  const bot = await addBot();
  await running.wake();
  await bot.polledFrom(undefined);
});

test('a failing bot is asked again later, and does not delay the others', async (t) => {
  const revoked = await addBot();
  const bot = await addBot();
  bots.react(({ token }) => (token === revoked.token ? refusal(401, 'Unauthorized') : null));
  t.after(() => bots.react(() => null));
  const { log, failed } = watchedLog();
  await polling(t, { log });
  assert.match(await failed, /Unauthorized/);
  assert.ok(!(await failed).includes(revoked.token));
  bot.writes(10);
  await bot.polledFrom(11);
  assert.deepEqual(await bot.texts(), ['text 10']);
});

test('a channel that cannot be opened is named in the log, once, and stops no other', async (t) => {
  const sealed = await addBot();
  const newer = await addBot();
  const bot = await addBot();
  await sql`update channels set sealed_settings = '' where id = ${sealed.id}`;
  await sql`update channels set platform = 'Signal' where id = ${newer.id}`;
  t.after(
    () => sql`update channels set state = 'unfinished' where id = any (${[sealed.id, newer.id]}::uuid[])`,
  );
  const told: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => told.push(JSON.parse(line).channel) });
  const running = await polling(t, { log });
  await running.wake();
  await bot.polledFrom(undefined);
  assert.deepEqual(told, [sealed.id, newer.id]);
});

test('a provider that answers at once without news is asked once a second', async (t) => {
  const bot = await addBot();
  const asked: number[] = [];
  const { promise: twice, resolve } = Promise.withResolvers<void>();
  bots.react(({ method, token }) => {
    if (method !== 'getUpdates' || token !== bot.token) return null;
    asked.push(performance.now());
    if (asked.length === 2) resolve();
    return { status: 200, body: { ok: true, result: [] } };
  });
  t.after(() => bots.react(() => null));
  await polling(t);
  await twice;
  const [first = 0, second = 0] = asked;
  assert.ok(second - first > 900);
});

test('a stop ends a waiting poll', async (t) => {
  const bot = await addBot();
  let signal: AbortSignal | undefined;
  const outbound: Outbound = {
    ...context.outbound,
    request: (request) => {
      signal = request.signal;
      return context.outbound.request(request);
    },
  };
  const running = await polling(t, { outbound });
  await bot.polledFrom(undefined);
  await running.stop();
  assert.ok(signal?.aborted);
});
