import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, type Partner, startPatchbay } from '../../../test/harness.ts';
import { answerWith } from '../../../test/stand-ins/messenger.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });

const push = async (partner: Partner, chat: string, more: object = {}): Promise<string> => {
  const { status, body } = await patchbay.call('POST', '/api/partners/push-messages/', {
    headers: partner.key,
    body: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Hello' }, ...more },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.uuid;
};

const read = async (partner: Partner, uuid: string) =>
  (await patchbay.call('GET', `/api/partners/push-messages/${uuid}/`, { headers: partner.key })).body;

/** Polls until the message has the state: the engine records it shortly after the provider's answer. */
async function inState(partner: Partner, uuid: string, code: string) {
  for (;;) {
    const message = await read(partner, uuid);
    if (message.state.code === code) return message;
    await new Promise(setImmediate);
  }
}

const writeAgain = (partner: Partner) =>
  patchbay.call('POST', `/channels/${partner.channel.id}/messages/`, {
    headers: { authorization: `Bearer ${partner.channel.secret}` },
    body: {
      chat: { external_id: 'ann' },
      message: { external_id: 'again', type: 'text', text: 'I am back' },
    },
  });

const later = (ms: number): void => {
  clock.advance(ms);
  patchbay.context.wake.wake('sending');
};

test('a push message arrives in the client’s messenger and becomes SENT', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const uuid = await push(partner, chat);
  const [delivery] = await partner.messenger.received(1);
  assert.deepEqual(delivery?.body.payload.message.uuid, uuid);
  assert.equal(delivery?.body.payload.message.text, 'Hello');
  assert.equal(delivery?.body.payload.chat.external_id, 'ann');
  const message = await inState(partner, uuid, 'SENT');
  assert.equal(message.sent_at, clock.now().toISOString());
});

test('a message with a launch time waits for it', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const launch_at = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const planned = await push(partner, chat, { launch_at });
  const first = await push(partner, chat);
  await inState(partner, first, 'SENT');
  assert.equal((await read(partner, planned)).state.code, 'PENDING');
  later(3_600_000);
  await inState(partner, planned, 'SENT');
  assert.deepEqual(
    partner.messenger.deliveries.map(({ body }) => body.payload.message.uuid),
    [first, planned],
  );
});

test('a cancelled message is never sent', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const launch_at = new Date(clock.now().getTime() + 60_000).toISOString();
  const uuid = await push(partner, chat, { launch_at });
  const cancel = () =>
    patchbay.call('POST', `/api/partners/push-messages/${uuid}/cancel/`, { headers: partner.key });
  assert.equal((await cancel()).status, 204);
  const again = await cancel();
  assert.equal(again.status, 400);
  assert.equal(typeof again.body.detail, 'string');
  later(120_000);
  await inState(partner, await push(partner, chat), 'SENT');
  assert.equal((await read(partner, uuid)).state.code, 'CANCELLED');
  assert.equal(partner.messenger.deliveries.length, 1);
});

test('429 pauses the channel for Retry-After, loses nothing and sends each message once more', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  partner.messenger.behave(answerWith(429, { 'retry-after': '30' }));
  const uuid = await push(partner, chat);
  await partner.messenger.received(1);
  await inState(partner, uuid, 'PENDING');
  partner.messenger.behave(answerWith(200));
  const second = await push(partner, chat);
  later(29_000);
  assert.equal((await read(partner, second)).state.code, 'PENDING');
  // A channel is slower after a rate limit: two messages need a moment more.
  later(1_000);
  await partner.messenger.received(2);
  later(10_000);
  await inState(partner, uuid, 'SENT');
  await inState(partner, second, 'SENT');
  assert.equal(partner.messenger.deliveries.length, 3);
});

test('a refusal by the provider is UNDELIVERED with its reason', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  partner.messenger.behave(answerWith(422));
  const message = await inState(partner, await push(partner, chat), 'UNDELIVERED');
  assert.notEqual(message.state.detail, '');
});

test('a failing provider is called again with the same message uuid', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  partner.messenger.behave(answerWith(503));
  const uuid = await push(partner, chat);
  await partner.messenger.received(1);
  // The retry has its due time after the first call's failure is recorded. A longer wait would end the second call's
  // lease.
  while ((await read(partner, uuid)).state.detail === '');
  assert.equal((await read(partner, uuid)).state.code, 'IN_PROCESS');
  partner.messenger.behave(answerWith(200));
  later(10_000);
  await inState(partner, uuid, 'SENT');
  const ids = partner.messenger.deliveries.map(({ headers }) => headers['idempotency-key']);
  assert.deepEqual(ids, [uuid, uuid]);
});

async function attemptsOf(uuid: string): Promise<number | undefined> {
  const [row] = await patchbay.context.sql<
    { attempts: number }[]
  >`select attempts from messages where id = ${uuid}`;
  return row?.attempts;
}

test('a message to a chat with an open operator session is held back without an attempt, unless it is forced', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const { status } = await patchbay.call('POST', '/api/partners/connector/', {
    headers: partner.token,
    body: {
      event: 'message_created',
      chat: { uuid: chat },
      sender: { name: 'Olga' },
      timestamp: clock.now().getTime(),
      message: { type: 'text', text: 'How can I help?' },
    },
  });
  assert.equal(status, 200);
  await partner.messenger.received(1);
  const uuid = await push(partner, chat);
  const held = await inState(partner, uuid, 'UNDELIVERED');
  assert.match(held.state.detail, /operator session/);
  const forced = await push(partner, chat, { is_force: true });
  await inState(partner, forced, 'SENT');
  assert.deepEqual([await attemptsOf(uuid), await attemptsOf(forced)], [0, 1]);
  assert.equal(partner.messenger.deliveries.length, 2);
});

test('a client who stopped the conversation gets nothing until they write again', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const headers = { authorization: `Bearer ${partner.channel.secret}` };
  await patchbay.call('POST', `/channels/${partner.channel.id}/stopped/`, {
    headers,
    body: { chat: { external_id: 'ann' } },
  });
  await inState(partner, await push(partner, chat), 'UNDELIVERED');
  await writeAgain(partner);
  await inState(partner, await push(partner, chat), 'SENT');
});

test('a client who blocked us gets nothing more until they write again', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  partner.messenger.behave(answerWith(403));
  await inState(partner, await push(partner, chat), 'UNDELIVERED');
  partner.messenger.behave(answerWith(200));
  await inState(partner, await push(partner, chat), 'UNDELIVERED');
  assert.equal(partner.messenger.deliveries.length, 1);
  clock.advance(1);
  await writeAgain(partner);
  await inState(partner, await push(partner, chat), 'SENT');
});

test('a client who writes during the call that reports a block is reachable', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const held = Promise.withResolvers<() => void>();
  partner.messenger.behave((...call) => held.resolve(() => answerWith(403)(...call)));
  const uuid = await push(partner, chat);
  const answer = await held.promise;
  clock.advance(1);
  await writeAgain(partner);
  answer();
  await inState(partner, uuid, 'UNDELIVERED');
  partner.messenger.behave(answerWith(200));
  await inState(partner, await push(partner, chat), 'SENT');
});

test('one channel’s hanging provider does not delay another channel', async (t) => {
  const [stuck, quick] = [await createPartner(t, patchbay), await createPartner(t, patchbay)];
  stuck.messenger.behave(() => {});
  const { chat } = await stuck.client('ann');
  for (let n = 0; n < 5; n += 1) await push(stuck, chat);
  await stuck.messenger.received(5);
  const other = await quick.client('bob');
  await inState(quick, await push(quick, other.chat), 'SENT');
  stuck.messenger.behave(answerWith(200));
});

test('priority goes first, and every tenth place is reserved for the regular lane', async (t) => {
  const partner = await createPartner(t, patchbay);
  const { chat } = await partner.client('ann');
  const { sql } = patchbay.context;
  const { claimMessages } = await import('./claim.ts');
  // The engine waits for a time that the manual clock does not reach by itself.
  const now = new Date(clock.now().getTime() + 1000);
  await sql`update channel_pace set resume_at = ${now} where channel_id = ${partner.channel.id}`;
  for (let n = 0; n < 40; n += 1) await push(partner, chat);
  await sql`
    update messages set lane = 1 where id in (
      select id from messages where chat_id = ${chat} and direction = 'out' order by id limit 20)`;
  const claim = {
    lease: patchbay.context.newId(),
    now,
    leaseUntil: new Date(now.getTime() + 20_000),
  };
  const claimed = await claimMessages(sql, [{ channelId: partner.channel.id, free: 20 }], claim);
  const regular =
    await sql`select from messages where id = any (${claimed.map(({ id }) => id)}) and lane = 1`;
  assert.equal(claimed.length, 20);
  assert.equal(regular.length, 2);
});
