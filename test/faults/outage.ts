import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../../src/platform/database/database.ts';
import type { Answer, Lifetime, Partner } from '../harness.ts';
import { type Outage, startFarDatabase } from './far-database.ts';
import { claims, lapseClaims } from './home.ts';
import { type Program, startProgram } from './program.ts';
import { allDone, checkAccounts, inFlightCount, postAll, postMessage, slowProvider } from './traffic.ts';
import { until } from './until.ts';

type Plan = {
  messages: number;
  outages: Outage[];
  /** Whether the test ends the claims. Otherwise they end in their time. */
  lapse: boolean;
  /** Whether each outage lasts until earlier claims have ended. */
  long: boolean;
};

/**
 * Requests that were answered with 503, and the longest of them. A second attempt is not timed: it may first wait for
 * the first one's claim to its key.
 */
type Refusals = { count: number; longestMs: number };

/**
 * Sends messages by one accepting and one sending process, while their database goes away and comes back. Checks that
 * both survive, report it and lose nothing. Checks that only messages in flight are repeated, and that both end in
 * order even then.
 */
export async function sendThroughOutages(lifetime: Lifetime, plan: Plan) {
  const { server, proxy, home } = await startFarDatabase(lifetime);
  const [api, worker] = [
    await startProgram(lifetime, { ...home.environment, PATCHBAY_ROLES: 'api' }),
    await startProgram(lifetime, { ...home.environment, PATCHBAY_ROLES: 'worker' }),
  ];
  const partner = await home.addPartner(lifetime, api.call);
  const { chat } = await partner.client('ann');
  partner.messenger.behave(slowProvider);

  const refusals: Refusals = { count: 0, longestMs: 0 };
  const posting = postAll(plan.messages, partner.messenger, (number) =>
    postUntilAccepted(api, partner, chat, number, refusals),
  );
  const inFlight = inFlightCount();
  for (const [index, begin] of plan.outages.entries()) {
    const share = (plan.messages - 1) / plan.outages.length;
    await partner.messenger.received(Math.ceil(share * (index + Math.random())));
    const end = await begin(server, proxy);
    await untilSaid([api, worker], partner, refusals);
    await end();
    await home.look(async (sql) => {
      if (plan.long) await until(() => everyClaimHasEnded(sql));
      inFlight.add(await claims(sql));
      if (plan.lapse) await lapseClaims(sql);
    });
    proxy.thaw();
    await until(async () => (await readiness(api)) === 200 && (await readiness(worker)) === 200);
  }
  const uuids = await posting;
  await allDone(home);
  const figures = await checkAccounts(home, uuids, partner.messenger.deliveries, inFlight);
  const wakeMs = await wakeTimes(api, partner, chat);
  assert.ok(api.isRunning() && worker.isRunning());
  // The worker would keep messages without a result until its claim ends.
  await allDone(home);
  proxy.freeze();
  for (const program of [api, worker]) assert.equal(await program.end('SIGTERM'), 0);
  return { ...figures, refusals, wakeMs };
}

const afterRefusalMs = 20;

async function postUntilAccepted(
  api: Program,
  partner: Partner,
  chat: string,
  number: number,
  refusals: Refusals,
): Promise<string> {
  const request = () => postMessage(api.call, partner, chat, number);
  for (let answer = await timed(request, refusals); ; answer = await request()) {
    const { status, body } = answer;
    if (status === 201) return body.uuid;
    assert.equal(status, 503, JSON.stringify(body));
    await pause(afterRefusalMs);
  }
}

/**
 * Waits until both processes are alive and not ready. Also waits until a reading and a writing request are refused.
 */
async function untilSaid(
  [api, worker]: [Program, Program],
  partner: Partner,
  refusals: Refusals,
): Promise<void> {
  for (const program of [api, worker]) {
    await until(async () => (await readiness(program)) === 503);
    assert.equal((await program.call('GET', '/healthz')).status, 200);
  }
  const read = () => api.call('GET', '/api/partners/push-messages/', { headers: partner.key });
  const write = () =>
    api.call('POST', '/api/partners/oauth/', {
      body: { client_id: partner.applicationId, client_secret: 'none', grant_type: 'code', code: 'none' },
    });
  for (const request of [read, write]) {
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        const refused = await timed(request, refusals);
        assert.equal(refused.status, 503);
      }),
    );
  }
}

/** Makes a request, and records a refusal. */
async function timed(request: () => Promise<Answer>, refusals: Refusals): Promise<Answer> {
  const begun = performance.now();
  const answer = await request();
  if (answer.status === 503) {
    assert.ok(answer.headers.get('retry-after'));
    refusals.count += 1;
    refusals.longestMs = Math.max(refusals.longestMs, Math.round(performance.now() - begun));
  }
  return answer;
}

const readiness = async ({ call }: Program): Promise<number> => (await call('GET', '/readyz')).status;

async function everyClaimHasEnded(sql: Sql): Promise<boolean> {
  const [row] = await sql`select count(*) from messages where leased_until > clock_timestamp()`;
  return row?.count === 0;
}

const restMs = 300;

/** The times from posting to the provider's call on an idle system, sorted. */
async function wakeTimes(api: Program, partner: Partner, chat: string): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < 9; number += 1) {
    // A worker that has just worked looks again by itself.
    await pause(restMs);
    const begun = performance.now();
    const next = partner.messenger.received(partner.messenger.deliveries.length + 1);
    await postMessage(api.call, partner, chat, 1_000_000 + number);
    await next;
    times.push(Math.round(performance.now() - begun));
  }
  return times.sort((a, b) => a - b);
}
