import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshClient } from '../../src/channels/connected/client.ts';
import { readSettings } from '../../src/channels/connected/settings.ts';
import type {
  Adapter,
  ChannelSettings,
  Client,
  Link,
  OutgoingMessage,
  Sender,
  SendResult,
} from '../../src/channels/contract/adapter.ts';
import type { SendErrorCode } from '../../src/channels/contract/errors.ts';
import { adapterFor } from '../../src/channels/registry.ts';
import { firstOfCrowd, habitOf } from '../../src/simulator/crowd.ts';
import { startHttpApi } from '../../src/simulator/http-api.ts';
import { personOf } from '../../src/simulator/people.ts';
import type { Mood } from '../../src/simulator/player.ts';
import type { Provider } from '../../src/simulator/provider.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { testOutbound } from '../outbound.ts';
import { found } from './scene.ts';

const simulator = await startSimulator({ port: 0, host: '127.0.0.1', memoryFile: null });
after(() => simulator.stop());
const outbound = testOutbound({ after });
/** Accepts every event. */
const patchbay = await startHttpApi({ after }, () => ({ status: 200, body: '' }));

const providers = [...simulator.providers.values()];

type Sending = { send(to: string): Promise<SendResult> };

async function sending(provider: Provider): Promise<Sending> {
  const { player } = provider;
  const adapter = adapterFor(player.platform);
  const given = readSettings(adapter.settings, player.settings);
  const client = freshClient(adapter, given, outbound);
  const settings = { ...given, ...player.learnt, ...(await adapter.learn?.(given, client)) };
  if (player.platform === 'Viber') await adapter.setup?.(settings, patchbay.root, client);
  const fresh = () => freshClient(adapter, settings, outbound);
  const connected = adapter.send ? null : await senderOver(adapter, settings, fresh());
  return {
    send: async (externalId) => {
      const chat = { uuid: crypto.randomUUID(), externalId };
      const text = { type: 'text', text: 'Hello', url: null, buttons: [] } as const;
      const outgoing: OutgoingMessage = { ...text, buttons: [], uuid: crypto.randomUUID(), chat };
      const { send } = adapter;
      if (connected) return connected(outgoing, { now: new Date(), deadline: cutOff(provider) });
      const attempt = { now: new Date(), deadline: AbortSignal.timeout(20_000) };
      return send?.(outgoing, settings, fresh(), attempt) ?? assert.fail();
    },
  };
}

/** The sender of an adapter that sends through an open connection only. */
async function senderOver(adapter: Adapter, settings: ChannelSettings, client: Client): Promise<Sender> {
  const end = new AbortController();
  after(() => end.abort());
  const { promise, resolve, reject } = Promise.withResolvers<Sender>();
  const link: Link = {
    client,
    signal: end.signal,
    cursor: null,
    store: async () => {},
    keep: async () => {},
    ready: (sender) => (sender ? resolve(sender) : reject(new Error('nothing can send'))),
  };
  adapter.connect?.(settings, link).catch(reject);
  return promise;
}

/** A library over a cut connection says nothing: its time is over once the provider has cut it. */
function cutOff(provider: Provider): AbortSignal {
  const [end, before] = [new AbortController(), provider.figures.refused];
  if (provider.mood === 'down') {
    void found(async () => provider.figures.refused > before || undefined).then(() => end.abort());
  }
  return end.signal;
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
    const to = player.addressOf(personOf(1));
    const passes = async () => (await (await sending(provider)).send(to)).sent;
    assert.equal(await passes(), true);
    for (const mood of player.moods.filter(isTested)) {
      const { send } = await sending(provider);
      provider.mood = mood;
      const result = await send(to);
      provider.mood = 'normal';
      assert.ok(!result.sent, `${part} ${mood}`);
      assert.equal(result.error.code, expected[mood], `${part} ${mood}: ${result.error.detail}`);
      if (mood === 'busy_with_hint') assert.partialDeepStrictEqual(result.error, { retryAfterMs: 5_000 });
    }
    assert.equal(await passes(), true);
  });
}

/** Other providers accept a message to a client who has blocked the channel, and report its failure later. */
const onBlock: { readonly [part: string]: SendErrorCode } = {
  telegram: 'blocked',
  'telegram-personal': 'blocked',
  viber: 'blocked',
  vkontakte: 'blocked',
  odnoklassniki: 'not_opted_in',
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
