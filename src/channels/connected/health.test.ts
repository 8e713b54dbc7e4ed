import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedChat, seedMessage, seedProject } from '../../../test/seed.ts';
import { startHttpApi } from '../../simulator/http-api.ts';
import { refusal, startTelegram } from '../../simulator/telegram/provider.ts';
import { addChannel, changeChannel, checkChannel, loadChannel } from './channels.ts';
import { askStandings, sentenceOf, warningsOfRow, watchTraffic } from './health.ts';
import { findUnwell, type Warning } from './health-store.ts';
import { pauseChannel } from './store.ts';

const database = await testDatabase({ after });
const clock = manualClock();
const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
const context = { ...testContext(database, clock), log };
const { sql } = context;
const telegram = await startTelegram({ after });
const hourMs = 3_600_000;
const minuteMs = 60_000;

beforeEach(async () => {
  await sql`delete from messages`;
  await sql`delete from chats`;
  await sql`delete from channel_pace`;
  await sql`delete from channels`;
  clock.advance(noon.getTime() - clock.now().getTime());
  lines.length = 0;
  telegram.react(() => null);
});

async function addBot() {
  const settings = { bot_token: '1:a', api_root: telegram.root };
  const projectId = await seedProject(sql);
  return addChannel(context, { projectId, platform: 'Telegram', name: 'Bot', settings });
}

/** What Telegram says of the bot’s webhook. */
const say = (result: object): void =>
  telegram.react(({ method }) =>
    method === 'getWebhookInfo' ? { status: 200, body: { ok: true, result } } : null,
  );

async function warnings(): Promise<Warning[]> {
  const [row] = await findUnwell(sql, new Date(clock.now().getTime() + 14 * 24 * hourMs));
  return row ? warningsOfRow(row, clock.now()) : [];
}

const kinds = async (): Promise<string[]> => (await warnings()).map(({ kind }) => kind);

test('a provider that no longer calls our address is noticed within a day, and logged once', async () => {
  const { webhookUrl } = await addBot();
  say({ url: webhookUrl });
  await askStandings(context);
  assert.deepEqual(await kinds(), []);
  say({ url: 'https://elsewhere.test/' });
  clock.advance(23 * hourMs);
  await askStandings(context);
  assert.deepEqual(await kinds(), []);
  clock.advance(hourMs);
  await askStandings(context);
  assert.deepEqual(await kinds(), ['unregistered']);
  clock.advance(24 * hourMs);
  await askStandings(context);
  assert.equal(lines.filter((line) => line.includes('no longer calls')).length, 1);
  say({ url: webhookUrl });
  clock.advance(24 * hourMs);
  await askStandings(context);
  assert.deepEqual(await kinds(), []);
  assert.ok(lines.some((line) => line.includes('well again')));
});

test('refused credentials and failing calls are shown in the provider’s words', async () => {
  const { webhookUrl } = await addBot();
  telegram.react(() => refusal(401, 'Unauthorized'));
  await askStandings(context);
  const [refused] = await warnings();
  assert.deepEqual([refused?.kind, refused?.detail], ['refused', 'Telegram refused: Unauthorized.']);
  const last_error_date = Math.floor(clock.now().getTime() / 1000) + 24 * 3600;
  say({ url: webhookUrl, last_error_date, last_error_message: 'Wrong response: 502' });
  clock.advance(24 * hourMs);
  await askStandings(context);
  const [trouble] = await warnings();
  assert.deepEqual([trouble?.kind, trouble?.detail], ['trouble', 'Wrong response: 502']);
});

test('a provider without an answer is asked again in the next round, and changes nothing', async () => {
  await addBot();
  say({ url: '' });
  await askStandings(context);
  clock.advance(24 * hourMs);
  telegram.react(() => ({ status: 502, body: {} }));
  await askStandings(context);
  assert.deepEqual(await kinds(), ['unregistered']);
  const before = telegram.calls.length;
  await askStandings(context);
  assert.equal(telegram.calls.length, before + 1);
});

test('a check of the connection and new settings forget what the provider said before', async () => {
  const { id } = await addBot();
  const noted = async () => {
    say({ url: '' });
    await askStandings(context);
    assert.deepEqual(await kinds(), ['unregistered']);
    const channel = await loadChannel(context, id);
    assert.ok(channel);
    return channel;
  };
  await checkChannel(context, await noted());
  assert.deepEqual(await kinds(), []);
  await changeChannel(context, await noted(), { settings: { bot_token: '2:b' } });
  assert.deepEqual(await kinds(), []);
});

test('credentials that will lapse are a warning two weeks before', async () => {
  let expires_at = '';
  const api = await startHttpApi({ after }, ({ path }) => ({
    status: 200,
    body: path === '/v1/roles' ? { expires_at, roles: [] } : { chats: [] },
  }));
  const settings = { client_id: '1', api_key: 'key', api_root: api.root };
  const projectId = await seedProject(sql);
  await addChannel(context, { projectId, platform: 'Ozon', name: 'Shop', settings });
  const lapseIn = async (days: number) => {
    expires_at = new Date(clock.now().getTime() + days * 24 * hourMs).toISOString();
    await askStandings(context);
    return warnings();
  };
  assert.deepEqual(await lapseIn(16), []);
  clock.advance(24 * hourMs);
  const [lapses] = await lapseIn(14);
  assert.deepEqual([lapses?.kind, lapses?.at], ['lapses', expires_at]);
});

type Queued = {
  state?: 'PENDING' | 'ERROR' | 'UNDELIVERED' | 'SENT';
  dueAgoMs?: number;
  attempts?: number;
  detail?: string;
};

/** Messages of one client each. */
async function queue(
  channel: { projectId: string; id: string },
  count: number,
  queued: Queued,
): Promise<void> {
  const { state = 'PENDING', dueAgoMs = 0, attempts = 0, detail = '' } = queued;
  const at = new Date(clock.now().getTime() - dueAgoMs);
  for (let made = 0; made < count; made += 1) {
    const chatId = await seedChat(sql, channel.projectId, { channelId: channel.id });
    const id = await seedMessage(sql, channel.projectId, { chatId, channelId: channel.id, state: 'PENDING' });
    await sql`update messages set due_at = ${at}, attempts = ${attempts}, state_detail = ${detail} where id = ${id}`;
    if (state === 'PENDING') continue;
    await sql`update messages set state = 'IN_PROCESS' where id = ${id}`;
    await sql`update messages set state = ${state}, sent_at = ${state === 'SENT' ? at : null} where id = ${id}`;
  }
}

const pace = (change: { claimedAgoMs?: number; resumeInMs?: number; rate?: number; achieved?: number }) => {
  const { claimedAgoMs = 0, resumeInMs = 0, rate = 30, achieved = 0 } = change;
  const now = clock.now().getTime();
  return sql`
    update channel_pace set tokens_at = ${new Date(now - claimedAgoMs)}, resume_at = ${new Date(now + resumeInMs)},
      rate = ${rate}, window_before = ${achieved}`;
};

test('a queue from which nothing is claimed is stuck, unless the provider asked to wait', async () => {
  const channel = await addBot();
  await queue(channel, 2, { dueAgoMs: 6 * minuteMs });
  await pace({ claimedAgoMs: minuteMs });
  await watchTraffic(context);
  assert.deepEqual(await kinds(), []);
  await pace({ claimedAgoMs: 6 * minuteMs, resumeInMs: minuteMs });
  await watchTraffic(context);
  assert.deepEqual(await kinds(), []);
  await pace({ claimedAgoMs: 6 * minuteMs, resumeInMs: -6 * minuteMs });
  await watchTraffic(context);
  const [stuck] = await warnings();
  assert.deepEqual([stuck?.kind, stuck?.count], ['stuck', 2]);
  assert.ok(lines.some((line) => line.includes('2 messages wait since')));

  await pauseChannel(sql, channel.projectId, channel.id, 'Olga');
  assert.deepEqual(await kinds(), []);
});

test('a queue that moves far slower than its pace is a warning, and one busy chat is not', async () => {
  const channel = await addBot();
  await queue(channel, 19, { dueAgoMs: 6 * minuteMs });
  await pace({ resumeInMs: -6 * minuteMs, achieved: 1 });
  await watchTraffic(context);
  assert.deepEqual(await kinds(), []);
  await queue(channel, 1, { dueAgoMs: 6 * minuteMs });
  await watchTraffic(context);
  assert.deepEqual(await kinds(), ['slow']);
  await pace({ resumeInMs: -6 * minuteMs, achieved: 16 });
  await watchTraffic(context);
  assert.deepEqual(await kinds(), []);
});

test('messages that fail again and again are a warning with their reason', async () => {
  const channel = await addBot();
  await queue(channel, 4, {});
  await queue(channel, 1, { attempts: 3, detail: 'Telegram answered 502.' });
  await watchTraffic(context);
  const [retrying] = await warnings();
  assert.deepEqual(
    [retrying?.kind, retrying?.count, retrying?.of, retrying?.detail],
    ['retrying', 1, 5, 'Telegram answered 502.'],
  );
});

test('many failures in an hour are a warning with their usual reason, and few are not', async () => {
  const channel = await addBot();
  await queue(channel, 9, { state: 'ERROR', attempts: 1, detail: 'chat not found' });
  await queue(channel, 1, { state: 'ERROR', attempts: 1, detail: 'another', dueAgoMs: 2 * hourMs });
  await watchTraffic(context);
  assert.deepEqual(await kinds(), []);
  await queue(channel, 20, { state: 'UNDELIVERED', detail: 'refused before its call' });
  await watchTraffic(context);
  assert.deepEqual(await kinds(), []);
  await queue(channel, 1, { state: 'ERROR', attempts: 1, detail: 'another' });
  await queue(channel, 10, { state: 'SENT' });
  await watchTraffic(context);
  const [failing] = await warnings();
  assert.deepEqual(
    [failing?.kind, failing?.count, failing?.of, failing?.detail],
    ['failing', 10, 20, 'chat not found'],
  );
  assert.equal(failing && sentenceOf(failing), '10 of 20 messages of the last hour failed: chat not found');
  await queue(channel, 20, { state: 'SENT' });
  await watchTraffic(context);
  assert.deepEqual(await kinds(), []);
});
