import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { personOf } from '../../src/simulator/people.ts';
import { found, startScene } from '../simulator/scene.ts';

const total = 1_000;
const clients = 100;
/** As many as a provider opens to one address. */
const connections = 64;

const { simulator, patchbay } = await startScene({ after });
const { sql } = patchbay.context;

for (const { part, player } of simulator.providers.values()) {
  // Mail waits in its box until we fetch it.
  if (part === 'email') continue;

  test(`${player.platform}: a flood of its events is stored, each once`, async (t) => {
    const counted = async () =>
      (
        await sql<[{ messages: number; texts: number; chats: number }]>`
          select count(*)::int as messages, count(distinct content ->> 'text')::int as texts,
            count(distinct chat_id)::int as chats
          from messages join channels on channels.id = messages.channel_id
          where channels.platform = ${player.platform} and channels.name like '%simulated' and direction = 'in'`
      )[0];
    // Such a channel hears nothing of the time before its first connection.
    if (player.learnt) await found(async () => player.addresses()[0]);
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
    // The others have stored an event when they acknowledge it.
    if (player.learnt) await found(async () => (await counted()).messages >= total || undefined);
    assert.deepEqual(await counted(), { messages: total, texts: total, chats: clients });
  });
}
