import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Mood } from '../../src/simulator/player.ts';
import { found, startScene } from './scene.ts';

const { simulator, patchbay, partner } = await startScene({ after });
const { sql } = patchbay.context;

/** A client of this provider has written. Returns their chat and how to send them a message. */
async function clientOf(part: string) {
  const provider = simulator.providers.get(part) ?? assert.fail();
  const phone = provider.open(1);
  // Such a channel hears nothing of the time before its first connection.
  if (provider.player.learnt) await found(async () => provider.player.addresses()[0]);
  await provider.say(phone, { kind: 'text', text: 'Hello' });
  const { platform } = provider.player;
  const { id } = await found(
    async () => (await sql<{ id: string }[]>`select id from chats where platform = ${platform}`)[0],
  );
  return {
    provider,
    phone,
    async push(text: string): Promise<string> {
      const { status, body } = await patchbay.call('POST', '/api/partners/push-messages/', {
        headers: partner.key,
        body: { chat: { uuid: id }, content: { type: 'TEXT', text } },
      });
      assert.equal(status, 201, JSON.stringify(body));
      return body.uuid;
    },
    channelState: async () =>
      (
        await sql<{ state: string }[]>`
          select channels.state from channels join chats on chats.channel_id = channels.id where chats.id = ${id}`
      )[0]?.state,
  };
}

const stateOf = async (id: string): Promise<string | undefined> =>
  (await sql<{ state: string }[]>`select state from messages where id = ${id}`)[0]?.state;

const reaches = (id: string, state: string) =>
  found(async () => ((await stateOf(id)) === state ? state : undefined));

for (const mood of ['down', 'busy'] satisfies Mood[]) {
  test(`a message waits while the provider is in the mood “${mood}”, and arrives once afterwards`, async () => {
    const { provider, phone, push } = await clientOf('instagram');
    provider.mood = mood;
    const id = await push(`After ${mood}`);
    const refused = await found(async () => phone.bubbles.find(({ detail }) => detail === mood));
    assert.equal(refused.direction, 'note');
    assert.ok(['PENDING', 'IN_PROCESS'].includes((await stateOf(id)) ?? ''));
    provider.mood = 'normal';
    await found(async () => ((await stateOf(id)) === 'PENDING' ? undefined : true));
    await found(async () => phone.bubbles.find(({ text }) => text === `After ${mood}`));
    assert.equal(phone.bubbles.filter(({ text }) => text === `After ${mood}`).length, 1);
  });
}

test('a connection that the provider cuts comes back, with what was sent and written meanwhile, each once', async () => {
  const { provider, phone, push } = await clientOf('telegram-personal');
  provider.mood = 'down';
  const id = await push('After the cut');
  await found(async () => phone.bubbles.find(({ detail }) => detail === 'down'));
  await provider.say(phone, { kind: 'text', text: 'Are you there?' });
  provider.mood = 'normal';
  await found(async () => ((await stateOf(id)) === 'READ' ? true : undefined));
  await found(
    async () => (await sql`select id from messages where content ->> 'text' = 'Are you there?'`)[0],
  );
  assert.equal(phone.bubbles.filter(({ text }) => text === 'After the cut').length, 1);
});

for (const part of ['odnoklassniki', 'telegram-personal']) {
  test(`a provider that refuses the credentials pauses the channel: ${part}`, async () => {
    const { provider, push, channelState } = await clientOf(part);
    provider.mood = 'credentials';
    const id = await push('Who are you?');
    await reaches(id, 'ERROR');
    assert.equal(await channelState(), 'paused');
    provider.mood = 'normal';
  });
}

test('a closed window ends a message, and an open one lets the next pass', async () => {
  const { provider, push } = await clientOf('whatsapp');
  provider.mood = 'window_closed';
  await reaches(await push('Too late'), 'UNDELIVERED');
  provider.mood = 'normal';
  const id = await push('In time');
  await found(async () => ((await stateOf(id)) === 'READ' ? true : undefined));
});
