import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { personOf } from '../../src/simulator/player.ts';
import { startScene } from '../simulator/scene.ts';

const total = 1_000;
const clients = 100;
/** As many as a provider opens to one address. */
const connections = 64;

const { simulator, patchbay } = await startScene({ after });
const { sql } = patchbay.context;

for (const { part, player } of simulator.providers.values()) {
  // These wait at their provider until we have fetched them.
  if (part === 'email' || part === 'telegram-personal') continue;

  test(`${player.platform}: a flood of its events is stored, each once`, async (t) => {
    const waits: number[] = [];
    let last = 0;
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (last < total) {
          last += 1;
          const number = last;
          const called = performance.now();
          await player.say(personOf(1 + (number % clients)), { kind: 'text', text: `text ${number}` });
          waits.push(performance.now() - called);
        }
      }),
    );
    const seconds = (performance.now() - begun) / 1_000;
    const at = (part: number): string =>
      (waits.toSorted((a, b) => a - b)[Math.floor(waits.length * part)] ?? 0).toFixed(0);
    t.diagnostic(`${(total / seconds).toFixed(0)} a second, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
    const [stored] = await sql<[{ messages: number; texts: number; chats: number }]>`
      select count(*)::int as messages, count(distinct content ->> 'text')::int as texts,
        count(distinct chat_id)::int as chats
      from messages join channels on channels.id = messages.channel_id
      where channels.platform = ${player.platform} and channels.name like '%simulated' and direction = 'in'`;
    assert.deepEqual(stored, { messages: total, texts: total, chats: clients });
  });
}
