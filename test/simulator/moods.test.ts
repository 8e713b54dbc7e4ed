import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshClient } from '../../src/channels/connected/client.ts';
import { readSettings } from '../../src/channels/connected/settings.ts';
import type { OutgoingMessage, SendResult } from '../../src/channels/contract/adapter.ts';
import type { SendErrorCode } from '../../src/channels/contract/errors.ts';
import { adapterFor } from '../../src/channels/registry.ts';
import { firstOfCrowd, habitOf } from '../../src/simulator/crowd.ts';
import { startHttpApi } from '../../src/simulator/http-api.ts';
import { type Mood, personOf } from '../../src/simulator/player.ts';
import type { Provider } from '../../src/simulator/provider.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { testOutbound } from '../outbound.ts';

const simulator = await startSimulator({ port: 0, host: '127.0.0.1', memoryFile: null });
after(() => simulator.stop());
const outbound = testOutbound({ after });
/** Accepts every event. */
const patchbay = await startHttpApi({ after }, () => ({ status: 200, body: '' }));

const providers = [...simulator.providers.values()];

type Sending = { send(to: string): Promise<SendResult> };

async function sending({ player }: Provider): Promise<Sending> {
  const adapter = adapterFor(player.platform);
  assert.ok(adapter?.send);
  const { send } = adapter;
  const given = readSettings(adapter.settings, player.settings);
  const client = freshClient(adapter, given, outbound);
  const settings = { ...given, ...(await adapter.learn?.(given, client)) };
  if (player.platform === 'Viber') await adapter.setup?.(settings, patchbay.root, client);
  return {
    send: (externalId) => {
      const chat = { uuid: crypto.randomUUID(), externalId };
      const text = { type: 'text', text: 'Hello', url: null, buttons: [] } as const;
      const outgoing: OutgoingMessage = { ...text, buttons: [], uuid: crypto.randomUUID(), chat };
      const attempt = { now: new Date(), deadline: AbortSignal.timeout(20_000) };
      return send(outgoing, settings, freshClient(adapter, settings, outbound), attempt);
    },
  };
}

const expected: { [mood in Exclude<Mood, 'normal' | 'slow' | 'hang'>]: SendErrorCode } = {
  busy: 'rate_limited',
  busy_with_hint: 'rate_limited',
  window_closed: 'window_closed',
  credentials: 'auth',
  down: 'temporary',
  page: 'temporary',
};

const isTested = (mood: Mood): mood is keyof typeof expected => Object.hasOwn(expected, mood);

for (const provider of providers) {
  const { player, part } = provider;

  test(`${player.platform}: each mood of its provider leads to the error that it stands for`, async () => {
    const { send } = await sending(provider);
    const to = player.addressOf(personOf(1));
    assert.equal((await send(to)).sent, true);
    for (const mood of player.moods.filter(isTested)) {
      provider.mood = mood;
      const result = await send(to);
      provider.mood = 'normal';
      assert.ok(!result.sent, `${part} ${mood}`);
      assert.equal(result.error.code, expected[mood], `${part} ${mood}: ${result.error.detail}`);
      if (mood === 'busy_with_hint') assert.partialDeepStrictEqual(result.error, { retryAfterMs: 5_000 });
    }
    assert.equal((await send(to)).sent, true);
  });
}

/** Other providers accept a message to a client who has blocked the channel, and report its failure later. */
const onBlock: { readonly [part: string]: SendErrorCode } = {
  telegram: 'blocked',
  viber: 'blocked',
  vkontakte: 'blocked',
  odnoklassniki: 'blocked',
  max: 'blocked',
  facebook: 'blocked',
  instagram: 'blocked',
  'api-messenger': 'blocked',
  // It has no blocking: the chat is closed.
  ozon: 'window_closed',
};

test('a message to a person who blocked the channel, and to nobody, is refused in the provider’s words', async () => {
  const crowd = Array.from({ length: 500 }, (_, place) => firstOfCrowd + place);
  const gone = crowd.find((number) => habitOf(number).standing === 'gone') ?? assert.fail();
  for (const provider of providers) {
    const { player, part } = provider;
    const { send } = await sending(provider);
    const phone = provider.open(1);
    phone.isBlocked = true;
    const blocked = await send(player.addressOf(phone.person));
    phone.isBlocked = false;
    assert.equal(blocked.sent ? undefined : blocked.error.code, onBlock[part], part);
    const lost = await send(player.addressOf(personOf(gone)));
    assert.equal(lost.sent ? undefined : lost.error.code, 'invalid_recipient', part);
  }
});
