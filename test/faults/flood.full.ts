import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { webhookSecret } from '../../src/channels/messengers/telegram/settings.ts';
import { startTelegram } from '../../src/simulator/telegram/provider.ts';
import { startPatchbay } from '../harness.ts';
import { seedProject } from '../seed.ts';

const perSecond = 2_000;
const total = 10 * perSecond;
const clients = 1_000;
/** A provider gives up then, and repeats the event. */
const providerWaitsMs = 5_000;
const providerRestsMs = 5_000;

test('two thousand events a second into one channel are all stored, once, however often their provider repeats them', async (t) => {
  const { context, address } = await startPatchbay(t);
  const { sql } = context;
  const telegram = await startTelegram(t);
  const bot_token = '1:flood';
  const { id } = await addChannel(context, {
    projectId: await seedProject(sql),
    platform: 'Telegram',
    name: 'Bot',
    settings: { bot_token, api_root: telegram.root },
  });
  const pool = new Pool(address, { connections: 256, headersTimeout: providerWaitsMs });
  t.after(() => pool.destroy());
  const headers = {
    'content-type': 'application/json',
    'x-telegram-bot-api-secret-token': webhookSecret({ bot_token }),
  };
  const waits: number[] = [];
  let repeats = 0;

  async function tell(number: number): Promise<void> {
    const chat = { id: 1_000 + (number % clients), type: 'private', first_name: 'Ann' };
    const message = { message_id: number, chat, text: `text ${number}` };
    const body = JSON.stringify({ update_id: number, message });
    for (;;) {
      const begun = performance.now();
      const answer = await pool
        .request({ method: 'POST', path: `/channels/${id}/`, headers, body })
        .catch(() => null);
      await answer?.body.dump();
      waits.push(performance.now() - begun);
      if (answer?.statusCode === 200) return;
      repeats += 1;
      await pause(providerRestsMs);
    }
  }

  const told: Promise<void>[] = [];
  const begun = performance.now();
  while (told.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - begun) / 1_000) * perSecond));
    while (told.length < due) told.push(tell(told.length + 1));
    await pause(5);
  }
  await Promise.all(told);
  const seconds = (performance.now() - begun) / 1_000;
  const sorted = waits.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  t.diagnostic(
    `${(total / seconds).toFixed(0)} a second, p99 with the wait for a connection ${p99.toFixed(0)} ms, ${repeats} repeated`,
  );
  const [stored] = await sql<[{ messages: number; texts: number }]>`
    select count(*)::int as messages, count(distinct content ->> 'text')::int as texts
    from messages where channel_id = ${id}`;
  assert.deepEqual(stored, { messages: total, texts: total });
});
