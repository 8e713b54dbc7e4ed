import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { addChannelByCommand } from '../../src/cli/add-channel.ts';
import type { Address } from '../../src/platform/outbound/lookup.ts';
import { createOutbound } from '../../src/platform/outbound/outbound.ts';
import { startTelegram } from '../../src/simulator/telegram/provider.ts';
import { manualClock } from '../clock.ts';
import { createPartner, type Partner, startPatchbay } from '../harness.ts';
import { answerWith, startMessenger } from '../stand-ins/messenger.ts';
import { heardLog } from './heard-log.ts';
import { insideAddresses, startCanary, watchConnections } from './inside.ts';

const lifetime = { after };
const tried = watchConnections(lifetime);
const canary = await startCanary(lifetime);
const receiver = await startMessenger(lifetime);
const bot = await startTelegram(lifetime);

/** The current answers of the name server. */
const names = new Map<string, string[]>();
const lookup = async (host: string): Promise<Address[]> => {
  const addresses = names.get(host);
  if (!addresses) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

const portOf = (url: string): number => Number(new URL(url).port);
const allowed = [receiver.url, bot.root].map((url) => `127.0.0.1:${portOf(url)}`);
const { log } = heardLog('silent');
const outbound = createOutbound({ allow: allowed, log, lookup });
after(() => outbound.close());
const patchbay = await startPatchbay(lifetime, {
  clock: manualClock(),
  log,
  outbound,
  config: { allowOutbound: allowed },
});
const { context, call } = patchbay;
const { sql } = context;

const inside = insideAddresses(canary.port);
const someInside = inside.filter((_address, index) => index % 6 === 0);
const refusal = /is not on the public internet|may not contain a user name|not a valid address/;

let partner: Partner;
beforeEach(async () => {
  names.clear();
  receiver.behave(answerWith(200));
  partner = await createPartner(lifetime, patchbay);
});

const put = (url: string) =>
  call('PUT', '/api/partners/integrations/credentials/', {
    headers: partner.token,
    body: { webhook_url: url },
  });
const webhook = async () =>
  (await sql`select url from endpoints where project_id = ${partner.projectId}`)[0]?.url;

async function until<Value>(look: () => Promise<Value | undefined | null>): Promise<Value> {
  for (;;) {
    const value = await look();
    if (value) return value;
    await nextTurn();
  }
}

/** Checks that only the stand-ins, this program itself and its database were called. */
function assertNobodyInsideWasCalled(): void {
  assert.equal(canary.reached(), 0);
  const known = [patchbay.address, receiver.url, bot.root, process.env.PATCHBAY_TEST_SERVER];
  const places = known.flatMap((url) => (url === undefined ? [] : [`127.0.0.1:${portOf(url)}`]));
  assert.deepEqual(
    tried.filter((place) => !places.includes(place)),
    [],
  );
}

test('the test sees every connection', async () => {
  assert.equal((await put(receiver.url)).status, 200);
  assert.ok(tried.includes(`127.0.0.1:${portOf(receiver.url)}`));
});

test('no spelling of an internal address can be set as a webhook', async () => {
  await put(receiver.url);
  for (const url of inside) {
    const { status, body } = await put(url);
    assert.equal(status, 400, url);
    assert.deepEqual(Object.keys(body), ['webhook_url'], url);
  }
  assert.equal(await webhook(), receiver.url);
  assertNobodyInsideWasCalled();
});

test('a name with an internal address cannot be set as a webhook', async () => {
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    'fd00::1',
    '64:ff9b::7f00:1',
  ]) {
    names.set('partner.example', [address]);
    const { status, body } = await put(`http://partner.example:${canary.port}/`);
    assert.deepEqual([status, Object.keys(body)], [400, ['webhook_url']], address);
  }
  assertNobodyInsideWasCalled();
});

test("of a name's addresses only the public ones are called", async () => {
  names.set('partner.example', ['127.0.0.2', '10.0.0.1', '127.0.0.1', '::1']);
  assert.equal((await put(`http://partner.example:${portOf(receiver.url)}/`)).status, 200);
  assertNobodyInsideWasCalled();
  assert.ok(!tried.some((place) => /^(127\.0\.0\.2|10\.|::1:)/.test(place)));
});

test('a redirect to an internal address is not followed', async () => {
  receiver.behave(answerWith(307, { location: `http://127.0.0.1:${canary.port}/` }));
  assert.equal((await put(receiver.url)).status, 400);
  assertNobodyInsideWasCalled();
});

/** The result of the first attempt to deliver a new client's message. */
async function deliver(name: string): Promise<{ status: number | null; error: string | null }> {
  const { chat } = await partner.client(name);
  return until(async () => {
    const [attempt] = await sql<{ status: number | null; error: string | null }[]>`
      select attempts.status, attempts.error from attempts join events on events.id = attempts.event_id
      where events.project_id = ${partner.projectId} and events.chat_id = ${chat}`;
    return attempt;
  });
}

test('a name that becomes internal before a delivery is not called, and the log of attempts says so', async () => {
  const url = `http://partner.example:${portOf(receiver.url)}/`;
  names.set('partner.example', ['127.0.0.1']);
  receiver.behave(answerWith(200, { connection: 'close' }));
  assert.equal((await put(url)).status, 200);
  for (const address of ['127.0.0.2', '169.254.169.254', '::1']) {
    names.set('partner.example', [address]);
    const { status, error } = await deliver(`rebound-${address}`);
    assert.equal(status, null);
    assert.match(error ?? '', refusal);
  }
  assert.ok(!tried.some((place) => /^(127\.0\.0\.2|169\.|::1:)/.test(place)));
});

test('a delivery follows no redirect to an internal address', async () => {
  await put(receiver.url);
  receiver.behave(answerWith(308, { location: `http://127.0.0.1:${canary.port}/` }));
  assert.deepEqual(await deliver('ann'), { status: 308, error: null });
  assertNobodyInsideWasCalled();
});

test('an internal address from before the rules is not called any more', async () => {
  await put(receiver.url);
  for (const url of someInside) {
    await sql`update endpoints set url = ${url} where project_id = ${partner.projectId}`;
    const { status, error } = await deliver(`client of ${url}`);
    assert.equal(status, null, url);
    assert.match(error ?? '', refusal, url);
  }
  assertNobodyInsideWasCalled();
});

/** The final state of a message to the chat. */
async function push(chat: string): Promise<{ code: string; detail: string }> {
  const content = { type: 'TEXT', text: 'hello' };
  const made = await call('POST', '/api/partners/push-messages/', {
    headers: partner.key,
    body: { chat: { uuid: chat }, content },
  });
  return until(async () => {
    const { body } = await call('GET', `/api/partners/push-messages/${made.body.uuid}/`, {
      headers: partner.key,
    });
    return ['PENDING', 'IN_PROCESS'].includes(body.state.code) ? null : body.state;
  });
}

const stateOf = async (channelId: string) =>
  (await sql`select state, state_detail from channels where id = ${channelId}`)[0];

test('an internal messenger is not called: the command warns about it, and its first message reports it', async () => {
  for (const url of someInside) {
    const set = { webhook_url: url, secret: 'a secret of 24 characters' };
    const options = { project: partner.projectId, name: 'Inside', set };
    const { json, notes } = await addChannelByCommand(context, 'API_Messenger', options);
    assert.match(String(notes), refusal, url);
    const { uuid } = json as { uuid: string };
    const written = await call('POST', `/channels/${uuid}/messages/`, {
      headers: { authorization: 'Bearer a secret of 24 characters' },
      body: { chat: { external_id: 'ann' }, message: { external_id: 'm1', type: 'text', text: 'Hi' } },
    });
    const { code, detail } = await push(written.body.chat_uuid);
    assert.equal(code, 'ERROR', url);
    assert.match(detail, refusal);
    assert.deepEqual(await stateOf(uuid), { state: 'paused', state_detail: detail });
  }
  assertNobodyInsideWasCalled();
});

test('an internal Bot API is not called, neither on adding a channel nor for a message', async () => {
  const add = (api_root: string) =>
    addChannel(context, {
      projectId: partner.projectId,
      platform: 'Telegram',
      name: 'Bot',
      settings: { bot_token: '1:a', api_root },
    });
  for (const url of inside) await assert.rejects(add(url), url);
  const { id } = await add(bot.root);
  await sql`update channels set settings = ${sql.json({ api_root: inside[0] ?? '' })} where id = ${id}`;
  const [{ chat } = { chat: '' }] = await sql<{ chat: string }[]>`
    insert into chats (project_id, id, channel_id, profile_id, platform, external_id, created_at, last_active_at)
    select project_id, ${context.newId()}, ${id}, id, 'Telegram', '777', created_at, created_at from profiles
    where id = ${(await partner.client('ann')).profile} returning id as chat`;
  await sql`update channel_pace set rate = null where channel_id = ${id}`;
  const { code, detail } = await push(chat);
  assert.equal(code, 'ERROR');
  assert.match(detail, refusal);
  assertNobodyInsideWasCalled();
});

test('a picture at an internal address is not forwarded', async () => {
  const { chat } = await partner.client('ann');
  for (const url of inside) {
    const { status, body } = await call('POST', '/api/partners/connector/', {
      headers: partner.token,
      body: {
        event: 'message_created',
        chat: { uuid: chat },
        sender: { name: 'Olga' },
        timestamp: 1_763_640_000_000,
        message: { type: 'image', url },
      },
    });
    assert.deepEqual([status, Object.keys(body.message)], [400, ['url']], url);
  }
  assertNobodyInsideWasCalled();
});
