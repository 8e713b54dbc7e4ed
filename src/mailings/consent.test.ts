import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { createPartner, startPatchbay } from '../../test/harness.ts';
import { signIn } from '../../test/person.ts';
import { openShop } from '../../test/scenario-harness.ts';
import { unsubscribeTokens } from '../messaging/chats/unsubscribe-token.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;
const { sql } = context;
const tokens = unsubscribeTokens(context.config.secretKey);
const hour = 3_600_000;
const limit = { timeout: 60_000 };

async function scene(t: TestContext) {
  const partner = await createPartner(t, patchbay);
  const { headers } = await signIn(context, { projectId: partner.projectId });
  const consoleCall = async (method: string, path: string, body?: object) => {
    const answer = await call(method, `/console/api/${path}`, { headers, ...(body && { body }) });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const topic = async (name: string): Promise<string> =>
    (await consoleCall('POST', 'topics/', { name })).uuid;
  const mail = async (body: object = {}): Promise<string> => {
    const made = await call('POST', '/api/partners/mailings/', {
      headers: partner.key,
      body: { name: 'Sale', text: 'Hello', filter_chats: { all: [] }, ...body },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.uuid;
  };
  const statisticsOf = async (mailing: string) =>
    (await call('GET', `/api/partners/mailings/${mailing}/`, { headers: partner.key })).body;
  /** Once the planner has read everybody. */
  const prepared = async (mailing: string): Promise<void> => {
    for (;;) {
      const [row] = await sql`select stage from mailings where id = ${mailing}`;
      if (row?.stage === 'sending') return;
      await new Promise(setImmediate);
    }
  };
  /** `[sent, undelivered]` of a mailing that has ended. */
  const ended = async (mailing: string): Promise<[number, number]> => {
    for (;;) {
      context.wake.wake('planning');
      context.wake.wake('sending');
      const { state, statistics } = await statisticsOf(mailing);
      if (state === 'completed') return [statistics.count_sent, statistics.count_undelivered];
      await new Promise(setImmediate);
      clock.advance(50);
    }
  };
  const leave = (chatId: string, topicId: string | null) => {
    const token = tokens.make({ projectId: partner.projectId, chatId, topicId });
    return call('POST', `/u/${token}/`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
  };
  const reasonsOf = async (mailing: string) =>
    (
      await sql<{ name: string; state_detail: string }[]>`
      select chats.name, state_detail from messages join chats on chats.id = chat_id
      where mailing_id = ${mailing} and messages.state = 'UNDELIVERED' order by chats.name`
    ).map(({ name, state_detail }) => [name, state_detail]);
  return { partner, consoleCall, topic, mail, prepared, ended, leave, reasonsOf };
}

test('who leaves between the plan and the call is not reached, and each has the reason', limit, async (t) => {
  const { partner, consoleCall, topic, mail, prepared, ended, leave, reasonsOf } = await scene(t);
  const sales = await topic('Sales');
  const clients = new Map<string, { chat: string }>();
  for (const name of ['ann', 'bob', 'eve', 'tom']) clients.set(name, await partner.client(name));
  const [from, until] = [0, 2 * hour].map((ms) =>
    new Date(clock.now().getTime() + ms).toISOString().slice(11, 16),
  );
  await consoleCall('PATCH', 'settings/', { quiet_from: from, quiet_until: until, timezone: 'UTC' });
  const mailing = await mail({ topic: 'Sales' });
  await prepared(mailing);
  assert.deepEqual(partner.messenger.deliveries.length, 0);
  await leave(clients.get('ann')?.chat ?? '', sales);
  await leave(clients.get('bob')?.chat ?? '', null);
  await consoleCall('POST', 'suppressions/', { address: 'eve', platform: 'API_Messenger' });
  clock.advance(2 * hour);
  assert.deepEqual(await ended(mailing), [1, 3]);
  assert.deepEqual(await reasonsOf(mailing), [
    ['ann', 'The client has left the topic of the mailing.'],
    ['bob', 'The client has unsubscribed from mailings.'],
    ['eve', 'An address of the client is on the suppression list.'],
  ]);
  const failures = await consoleCall('GET', `mailings/${mailing}/failures/`);
  assert.equal(failures.reasons.length, 3);
  assert.deepEqual([failures.resendable, failures.refused], [0, 3]);
});

test(
  'clients who leave while a mailing is being planned are not reached, and all others are',
  limit,
  async (t) => {
    const { partner, consoleCall, topic, mail, prepared, ended, leave } = await scene(t);
    const sales = await topic('Sales');
    const clients = await Promise.all(Array.from({ length: 60 }, (_, n) => partner.client(`c${n}`)));
    await consoleCall('POST', `channels/${partner.channel.id}/pause/`);
    const mailing = await mail({ topic: 'Sales' });
    const leavers = clients.filter((_client, n) => n % 2 === 0);
    await Promise.all([
      prepared(mailing),
      ...leavers.map(({ chat }, n) => leave(chat, n % 4 === 0 ? null : sales)),
    ]);
    await consoleCall('POST', `channels/${partner.channel.id}/resume/`);
    const [sent] = await ended(mailing);
    const reached = partner.messenger.deliveries.map(({ body }) => body.payload.chat.external_id).sort();
    const others = clients.flatMap((_client, n) => (n % 2 === 0 ? [] : [`c${n}`])).sort();
    assert.deepEqual([sent, reached], [30, others]);
  },
);

test('a scenario of a mailing does not begin with a client who has left since', limit, async (t) => {
  const { partner, consoleCall, topic, mail, prepared, ended, leave, reasonsOf } = await scene(t);
  const sales = await topic('Sales');
  const { add } = openShop(patchbay, partner);
  await add('Offer', [
    { id: 'a', type: 'message', text: 'First' },
    { id: 'b', type: 'message', text: 'Second' },
  ]);
  const { chat } = await partner.client('ann');
  await partner.client('bob');
  const [from, until] = [0, 2 * hour].map((ms) =>
    new Date(clock.now().getTime() + ms).toISOString().slice(11, 16),
  );
  await consoleCall('PATCH', 'settings/', { quiet_from: from, quiet_until: until, timezone: 'UTC' });
  const mailing = await mail({ topic: 'Sales', text: null, node_name: 'Offer' });
  await prepared(mailing);
  await leave(chat, sales);
  clock.advance(2 * hour);
  context.wake.wake('running');
  assert.deepEqual(await ended(mailing), [1, 1]);
  assert.deepEqual(await reasonsOf(mailing), [['ann', 'The client has left the topic of the mailing.']]);
  await partner.messenger.received(2);
  const [runs] = await sql`select count(*)::int as of_ann from scenario_runs where chat_id = ${chat}`;
  assert.equal(runs?.of_ann, 0);
});
