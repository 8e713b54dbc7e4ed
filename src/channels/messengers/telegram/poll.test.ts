import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testOutbound } from '../../../../test/outbound.ts';
import { OutboundFailed } from '../../../platform/outbound/outbound.ts';
import { refusal, startTelegram } from '../../../simulator/telegram/provider.ts';
import { poll } from './poll.ts';

const bot_token = '123456:AAE-secret_token';
const chat = { id: 777, type: 'private', first_name: 'Ann' };

const textUpdate = (update_id: number, text: string) => ({
  update_id,
  message: { message_id: update_id, chat, date: 1, text },
});

async function setUp(t: TestContext) {
  const bot = await startTelegram(t);
  const http = testOutbound(t);
  const abort = new AbortController();
  const pollFrom = (cursor: string | null) =>
    poll(cursor, { bot_token, api_root: bot.root }, http, abort.signal);
  return { bot, abort, pollFrom };
}

const texts = ({ events }: Awaited<ReturnType<typeof poll>>) =>
  events.map((event) => event.kind === 'message' && event.message.text);

test('a poll waits for updates, and returns their events with the next cursor', async (t) => {
  const { bot, pollFrom } = await setUp(t);
  const polled = pollFrom(null);
  await bot.called(({ method }) => method === 'getUpdates');
  bot.happen(bot_token, textUpdate(10, 'one'), textUpdate(11, 'two'));
  const result = await polled;
  assert.deepEqual(texts(result), ['one', 'two']);
  assert.equal(result.cursor, '12');
  const { offset, timeout, allowed_updates } = bot.calls[0]?.parameters ?? {};
  assert.equal(offset, undefined);
  assert.equal(timeout, 25);
  assert.deepEqual(allowed_updates, ['message', 'callback_query', 'my_chat_member']);
});

test('the same cursor returns the same updates, and the next one only later updates', async (t) => {
  const { bot, pollFrom } = await setUp(t);
  bot.happen(bot_token, textUpdate(10, 'one'), textUpdate(11, 'two'));
  assert.deepEqual(texts(await pollFrom('10')), ['one', 'two']);
  assert.deepEqual(texts(await pollFrom('10')), ['one', 'two']);
  assert.deepEqual(texts(await pollFrom('11')), ['two']);
});

test('a poll without news leaves the cursor unchanged', async (t) => {
  const { bot, pollFrom } = await setUp(t);
  bot.react(() => ({ status: 200, body: { ok: true, result: [] } }));
  assert.deepEqual(await pollFrom('12'), { events: [], cursor: '12' });
});

test('an unknown kind of update is skipped and not asked for again', async (t) => {
  const { bot, pollFrom } = await setUp(t);
  bot.happen(bot_token, { update_id: 10, message: 'odd' } as { update_id: number }, textUpdate(11, 'two'));
  const result = await pollFrom(null);
  assert.deepEqual(texts(result), ['two']);
  assert.equal(result.cursor, '12');
});

test('pressed buttons are acknowledged, and a failed acknowledgement delays no event', async (t) => {
  const { bot, pollFrom } = await setUp(t);
  bot.react(({ method }) =>
    method === 'answerCallbackQuery' ? refusal(400, 'Bad Request: query is too old') : null,
  );
  bot.happen(bot_token, {
    update_id: 10,
    callback_query: { id: 'q1', from: { id: 777 }, message: { chat }, data: 'yes' },
  } as { update_id: number });
  const { events } = await pollFrom(null);
  assert.equal(events.length, 1);
  const answered = bot.calls.find(({ method }) => method === 'answerCallbackQuery');
  assert.deepEqual(answered?.parameters, { callback_query_id: 'q1' });
});

test('a refusal or garbage instead of updates is thrown, without the token in its text', async (t) => {
  const { bot, pollFrom } = await setUp(t);
  bot.react(() => refusal(409, 'Conflict: terminated by other getUpdates request'));
  await assert.rejects(pollFrom(null), /Conflict: terminated by other getUpdates request/);
  for (const body of ['garbage', { ok: true, result: {} }, { ok: true, result: [{ no: 'id' }] }]) {
    bot.react(() => ({ status: 200, body }));
    await assert.rejects(pollFrom(null), (error: Error) => !error.message.includes(bot_token));
  }
});

test('a poll ends at once at the signal', async (t) => {
  const { bot, abort, pollFrom } = await setUp(t);
  bot.react(() => 'hang');
  const polled = pollFrom(null);
  await bot.called(({ method }) => method === 'getUpdates');
  abort.abort();
  await assert.rejects(polled, (error) => error instanceof OutboundFailed && error.kind === 'aborted');
});
