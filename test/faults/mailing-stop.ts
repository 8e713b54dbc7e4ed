import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from '../../src/platform/database/database.ts';
import { manualClock } from '../clock.ts';
import { testDatabase, testDatabaseKind } from '../database.ts';
import { type Call, createPartner, type Lifetime, type Partner, startPatchbay } from '../harness.ts';
import { answerWith } from '../stand-ins/messenger.ts';
import { addCodes, addRecipients } from './audience.ts';
import { startSupervised } from './crash.ts';
import { lapseClaims } from './home.ts';
import { checkCodes, checkStatistics, heardBy, messagesOf } from './mailing-accounts.ts';
import { changesOf, watchMailings } from './mailing-watch.ts';
import { startProgram } from './program.ts';
import { slowProvider } from './traffic.ts';
import { until } from './until.ts';

const config = { secretKey: 'the same for every process of a test' };

type Plan = { recipients: number; stopAfter: number };

/**
 * Stops a mailing with promo codes in the middle. Checks that later calls to the provider were in flight when the
 * mailing became stopped. Checks that no client gets anything twice, and that all other codes are available again.
 */
export async function stopInFlight(lifetime: Lifetime, plan: Plan) {
  const { home, supervisor, partner } = await startSupervised(lifetime);
  // On a server another worker claims and plans too.
  if (testDatabaseKind === 'server') await startProgram(lifetime, home.environment);
  return home.look(async (sql) => {
    const mailing = await startMailing(sql, supervisor.call, partner, plan);
    const heardBefore = await stop(supervisor.call, partner, mailing);
    await until(() => isTakenBack(sql, mailing));
    return settle(sql, supervisor.call, partner, mailing, heardBefore);
  });
}

/**
 * The same, but the program is killed right after the answer. The next one takes back the rest, and repeats nothing.
 */
export async function stopThroughCrash(lifetime: Lifetime, plan: Plan) {
  const { home, supervisor, partner } = await startSupervised(lifetime);
  const mailing = await home.look((sql) => startMailing(sql, supervisor.call, partner, plan));
  await stop(supervisor.call, partner, mailing);
  let heardBefore = 0;
  await supervisor.restart('SIGKILL', () =>
    home.look(async (sql) => {
      heardBefore = partner.messenger.deliveries.length;
      await lapseClaims(sql);
    }),
  );
  await home.look((sql) => until(() => isTakenBack(sql, mailing)));
  assert.equal(partner.messenger.deliveries.length, heardBefore);
  return home.look((sql) => settle(sql, supervisor.call, partner, mailing, heardBefore));
}

/** Resolves when the provider has got enough calls. */
async function startMailing(sql: Sql, call: Call, partner: Partner, plan: Plan): Promise<string> {
  await watchMailings(sql);
  await addRecipients(sql, partner, plan.recipients);
  await addCodes(sql, partner, 'Gift', plan.recipients);
  partner.messenger.behave(slowProvider);
  const mailing = await create(call, partner, {
    text: '{{promocode:Gift}} for you',
    filter_chats: { all: [] },
  });
  await partner.messenger.received(plan.stopAfter);
  return mailing;
}

async function create(call: Call, { key }: Partner, mailing: object): Promise<string> {
  const { status, body } = await call('POST', '/api/partners/mailings/', {
    headers: key,
    body: { name: 'Sale', ...mailing },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.uuid;
}

/** Returns the number of calls that the provider had got when the stop was answered. */
async function stop(call: Call, { key, messenger }: Partner, mailing: string): Promise<number> {
  const { status, body } = await call('POST', `/api/partners/mailings/${mailing}/stop/`, { headers: key });
  const heard = messenger.deliveries.length;
  assert.deepEqual([status, body.state], [200, 'stopped']);
  return heard;
}

async function isTakenBack(sql: Sql, mailing: string): Promise<boolean> {
  const [row] = await sql<[{ stage: string | null }]>`select stage from mailings where id = ${mailing}`;
  return row.stage === null;
}

async function settle(sql: Sql, call: Call, partner: Partner, mailing: string, heardBefore: number) {
  const { deliveries } = partner.messenger;
  const [begun, stopped, ...others] = await changesOf(sql, mailing);
  assert.deepEqual([begun?.state, stopped?.state, others.length], ['in_process', 'stopped', 0]);
  const underWay = new Set(stopped?.in_flight);
  const late = deliveries.slice(heardBefore).map(({ body }): string => body.payload.message.uuid);
  for (const id of late) assert.ok(underWay.has(id), `${id} was sent after the stop`);

  const messages = await messagesOf(sql, mailing);
  const heard = heardBy(deliveries);
  assert.equal(heard.size, deliveries.length);
  for (const { id, state } of messages) {
    if (state === 'SENT') assert.ok(heard.has(id));
    else if (heard.has(id)) assert.ok(underWay.has(id), `${id} is ${state}, and was heard`);
  }
  await checkCodes(
    sql,
    'Gift',
    messages.filter(({ id, state }) => state !== 'CANCELLED' && (state === 'SENT' || underWay.has(id))),
    heard,
  );
  const { body } = await call('GET', `/api/partners/mailings/${mailing}/`, { headers: partner.key });
  assert.equal(body.state, 'stopped');
  checkStatistics(body, messages);
  const count = (wanted: string) => messages.filter(({ state }) => state === wanted).length;
  return {
    planned: messages.length,
    sent: count('SENT'),
    undelivered: count('UNDELIVERED'),
    cancelled: count('CANCELLED'),
    underWay: underWay.size,
    late: late.length,
  };
}

/** Mailings whose completion and stop coincide. */
const atOnce = 20;
const recipientsOfEach = 3;
/**
 * The maximum of event loop turns over which the stops of a round are spread. The planner is woken at one of the
 * first.
 */
const turns = 600;
const wakeTurns = 100;
const lookAgainMs = 1_000;

/** Stops mailings around the moment of their completion. Checks that each was either stopped or completed. */
export async function stopAroundCompletion(lifetime: Lifetime, mailings: number) {
  const clock = manualClock();
  const database = await testDatabase(lifetime);
  const patchbay = await startPatchbay(lifetime, { config, clock, database });
  // On a server another planner looks too.
  if (testDatabaseKind === 'server') await startPatchbay(lifetime, { config, clock, database });
  const { call, context } = patchbay;
  const { sql } = context;
  const partner = await createPartner(lifetime, patchbay);
  await watchMailings(sql);
  const recipients = await addRecipients(sql, partner, recipientsOfEach);
  const audience = {
    customer_filter_field: 'UUID',
    customer_filter_array: recipients.map(({ profile }) => profile),
  };

  const answers: (() => void)[] = [];
  partner.messenger.behave((...call) => void answers.push(() => answerWith(200)(...call)));

  const complete = async (): Promise<void> => {
    await pass(Math.floor(Math.random() * wakeTurns));
    clock.advance(lookAgainMs);
    context.wake.wake('planning');
  };
  const stopIt = async (mailing: string, spread: number): Promise<{ mailing: string; state: string }> => {
    await pass(Math.floor(Math.random() * spread));
    const { status, body } = await call('POST', `/api/partners/mailings/${mailing}/stop/`, {
      headers: partner.key,
    });
    assert.equal(status, 200);
    return { mailing, state: body.state };
  };

  const ends: Record<string, number> = {};
  for (let made = 0; made < mailings; made += atOnce) {
    const ids = await Promise.all(
      Array.from({ length: atOnce }, () => create(call, partner, { text: 'Hello', ...audience })),
    );
    // A mailing whose messages are all sent before it is planned would be completed at once.
    await until(() => areAllPlanned(sql, ids));
    await until(() => answers.length === atOnce * recipientsOfEach);
    for (const answer of answers.splice(0)) answer();
    await until(() => isEverythingSent(sql));
    const spread = Math.random() * turns;
    const [, ...stops] = await Promise.all([complete(), ...ids.map((id) => stopIt(id, spread))]);
    await until(() => areOver(sql, ids));
    for (const { mailing, state } of stops) {
      const changes = await changesOf(sql, mailing);
      assert.deepEqual(
        changes.map(({ state, open }) => [state, open]),
        [
          ['in_process', 0],
          [state, 0],
        ],
      );
      const { body } = await call('GET', `/api/partners/mailings/${mailing}/`, { headers: partner.key });
      assert.equal(body.state, state);
      assert.equal(body.statistics.count_sent, recipientsOfEach);
      checkStatistics(body, await messagesOf(sql, mailing));
      ends[state] = (ends[state] ?? 0) + 1;
    }
  }
  return ends;
}

/** Planning is complete, and the planner will look again later. */
async function areAllPlanned(sql: Sql, ids: readonly string[]): Promise<boolean> {
  const [row] = await sql<[{ planned: number }]>`
    select count(*) as planned from mailings
    where id = any (${[...ids]}::uuid[]) and stage = 'sending' and lease is null`;
  return row.planned === ids.length;
}

async function isEverythingSent(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ open: number }]>`
    select count(*) as open from messages where state in ('PENDING', 'IN_PROCESS')`;
  return row.open === 0;
}

async function areOver(sql: Sql, ids: readonly string[]): Promise<boolean> {
  const [row] = await sql<[{ count: number }]>`
    select count(*) from mailings where id = any (${[...ids]}::uuid[]) and stage is null and due_at is null`;
  return row.count === ids.length;
}

async function pass(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}
