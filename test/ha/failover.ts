import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseUnavailable } from '../../src/platform/database/database.ts';
import { createPool } from '../../src/platform/database/pool.ts';
import { readDatabaseUrl } from '../../src/platform/database/server-address.ts';
import { addRecipients } from '../faults/audience.ts';
import { type Home, homeAt } from '../faults/home.ts';
import { heardBy, messagesOf } from '../faults/mailing-accounts.ts';
import { type Environment, startProgram } from '../faults/program.ts';
import { allDone, inFlightCount, postMessage } from '../faults/traffic.ts';
import { until } from '../faults/until.ts';
import type { Answer, Call, Lifetime, Partner } from '../harness.ts';
import { signIn } from '../person.ts';
import { answerWith, type Delivery } from '../stand-ins/messenger.ts';
import type { Cluster } from './cluster.ts';
import { followFeed } from './feed.ts';
import { type Accepted, startTrickle } from './trickle.ts';

export const deaths = ['kill', 'sleep', 'forgotten'] as const;
export type Death = (typeof deaths)[number];

export type Plan = {
  recipients: number;
  kills: number;
  /**
   * Whether the primary is killed, or suspended until another one has replaced it. A forgotten one goes on meanwhile:
   * only its Patroni is suspended.
   */
  death: Death;
};

/** Times of one death of the primary, by `performance.now()`. */
type Failover = { killedAt: number; promotedAt: number; claimed: ReadonlySet<string> };

/**
 * The longest call. The mailing therefore lasts longer than the deaths, and each death finds hundreds of running
 * calls.
 */
const callMs = 8_000;
/** A dead server returns after this time, during or after the election. */
const deadForMs = 8_000;
const wakesAfterMs = 2_000;
const againMs = 100;
const slowLookMs = 10_000;

/**
 * Runs a mailing, pushes, clients' messages and an operator's page while the primary of their database dies
 * repeatedly. Returns lost and repeated messages, and how long each of the three waited after a promotion.
 */
export async function mailThroughFailovers(
  lifetime: Lifetime,
  cluster: Cluster,
  { database, environment }: { database: string; environment: Environment },
  plan: Plan,
) {
  const home = await openHome(lifetime, cluster, { database, environment });
  const [api] = [
    await startProgram(lifetime, { ...home.environment, PATCHBAY_ROLES: 'api' }),
    await startProgram(lifetime, { ...home.environment, PATCHBAY_ROLES: 'worker' }),
    // After an outage that outlasts every lease, neither worker may take what the other still does.
    await startProgram(lifetime, { ...home.environment, PATCHBAY_ROLES: 'worker' }),
  ];
  const mailed = await home.addPartner(lifetime, api.call);
  const pushed = await home.addPartner(lifetime, api.call);
  const arrivals = [noteArrivals(mailed, callMs), noteArrivals(pushed, 0)];
  const { headers } = await home.within((context) => signIn(context, pushed));
  const feed = followFeed(api.address, headers);
  lifetime.after(feed.stop);
  await home.look((sql) => addRecipients(sql, mailed, plan.recipients));
  const mailing = await createMailing(api.call, mailed);
  const { chat } = await pushed.client('ann');
  const pushing = startTrickle(
    (number) => postMessage(api.call, pushed, chat, number),
    ({ uuid }) => uuid,
  );
  const writing = startTrickle(
    (number) => clientWrites(api.call, pushed, number),
    ({ message_uuid }) => message_uuid,
  );

  const inFlight = inFlightCount();
  const failovers: Failover[] = [];
  let duringMailing = 0;
  for (let kill = 0; kill < plan.kills; kill += 1) {
    await cluster.whole();
    await mailed.messenger.received(Math.ceil((plan.recipients * (kill + Math.random())) / plan.kills));
    if (mailed.messenger.deliveries.length < plan.recipients) duringMailing += 1;
    const failover = await endPrimary(cluster, database, plan.death, kill);
    inFlight.add(failover.claims);
    failovers.push({ ...failover, claimed: new Set(failover.claims.map(({ id }) => id)) });
    say(`  death ${kill + 1}: promotion after ${Math.round(failover.promotedAt - failover.killedAt)} ms\n`);
  }
  await cluster.whole();
  await until(async () => {
    const { body } = await api.call('GET', `/api/partners/mailings/${mailing}/`, { headers: mailed.key });
    return body.state === 'completed';
  });
  const pushes = await pushing.stop();
  const writings = await writing.stop();
  await allDone(home);
  // The page's slow look is slower than all other sources.
  await Promise.race([until(() => writings.every(({ uuid }) => feed.heard.has(uuid))), pause(slowLookMs)]);

  const messages = await home.look((sql) => messagesOf(sql, mailing));
  const rows = await home.look((sql) => sql<{ id: string }[]>`select id from messages`);
  const stored = new Set(rows.map(({ id }) => id));
  const deliveries = [...mailed.messenger.deliveries, ...pushed.messenger.deliveries];
  const acknowledged = [...messages.map(({ id }) => id), ...pushes.map(({ uuid }) => uuid)];
  const unplanned = plan.recipients - new Set(messages.map(({ profile }) => profile)).size;
  const accounts = accountFor(acknowledged, stored, deliveries, inFlight.of);
  const again = (times: (number | undefined)[]) => times.map((time) => time ?? Number.POSITIVE_INFINITY);
  return {
    messages: acknowledged.length,
    kills: plan.kills,
    duringMailing,
    ...accounts,
    lost: accounts.lost + unplanned + writings.filter(({ uuid }) => !stored.has(uuid)).length,
    inFlight: inFlight.total(),
    electionMs: failovers.map(({ killedAt, promotedAt }) => promotedAt - killedAt),
    pushAgainMs: again(failovers.map(({ promotedAt }) => firstOf(promotedAt, pushes, arrivals[1]))),
    mailAgainMs: again(failovers.map((failover) => firstMail(failover, arrivals[0]))),
    feedAgainMs: again(failovers.map(({ promotedAt }) => firstOf(promotedAt, writings, feed.heard))),
    feedGaps: feed.gaps(),
    untold: writings.filter(({ uuid }) => !feed.heard.has(uuid)).length,
    refused: pushing.refusals.length + writing.refusals.length,
    longestRefusalMs: Math.max(0, ...pushing.refusals, ...writing.refusals),
    longestAnswerMs: Math.max(0, ...pushing.answers, ...writing.answers),
  };
}

const say = (line: string) => void process.stdout.write(line);

type Place = { database: string; environment: Environment };

/** A new database of the cluster, read directly and not through the proxies of the program. */
async function openHome(
  lifetime: Lifetime,
  cluster: Cluster,
  { database, environment }: Place,
): Promise<Home> {
  const client = await clientOf(await cluster.primary(), 'postgres');
  await client.query(`create database ${database}`);
  await client.end();
  const address = readDatabaseUrl(cluster.address(database));
  const sql = await createPool(address, { max: 2, statementTimeoutMs: 60_000 });
  lifetime.after(() => sql.end());
  return homeAt({ environment, look: (at) => untilThere(() => at(sql)) });
}

/** The first statement after a death may still fail because of it. */
async function untilThere<Result>(look: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await pause(againMs);
    }
  }
}

async function clientOf(
  { host, port }: { host: string; port: number },
  database: string,
): Promise<pg.Client> {
  const client = new pg.Client({ host, port, user: 'postgres', database });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function createMailing(call: Call, { key }: Partner): Promise<string> {
  const { status, body } = await call('POST', '/api/partners/mailings/', {
    headers: key,
    body: { name: 'To all', text: 'Hello', filter_chats: { all: [] } },
  });
  if (status !== 201) throw new Error(`the mailing was refused: ${status} ${JSON.stringify(body)}`);
  return body.uuid;
}

/** A message from the client of the chat. A repeated number is the same message. */
const clientWrites = (call: Call, { channel }: Partner, number: number): Promise<Answer> =>
  call('POST', `/channels/${channel.id}/messages/`, {
    headers: { authorization: `Bearer ${channel.secret}` },
    body: {
      chat: { external_id: 'ann' },
      message: { external_id: `message ${number}`, type: 'text', text: 'Hi' },
    },
  });

/** The time at which the provider first received each message. A call lasts at most this long. */
function noteArrivals({ messenger }: Partner, longestMs: number): Map<string, number> {
  const arrivals = new Map<string, number>();
  messenger.behave((delivery, response) => {
    const { uuid } = delivery.body.payload.message;
    if (!arrivals.has(uuid)) arrivals.set(uuid, performance.now());
    setTimeout(() => answerWith(200)(delivery, response), Math.random() * longestMs);
  });
  return arrivals;
}

async function endPrimary(cluster: Cluster, database: string, death: Death, number: number) {
  const dying = await cluster.primary();
  const killedAt = performance.now();
  const wake = death === 'kill' ? undefined : dying.sleep(death === 'sleep' ? 'both' : 'patroni');
  if (!wake) {
    // Every other time together with its Patroni, so that no process reports the death.
    await dying.kill(number % 2 === 0 ? 'postgres' : 'both');
    setTimeout(dying.revive, Math.random() * deadForMs);
  }
  const promoted = await cluster.primary(death === 'forgotten' ? dying : undefined);
  if (wake) setTimeout(wake, Math.random() * wakesAfterMs);
  const promotedAt = performance.now();
  // Messages claimed now were in flight at the death, or will be soon.
  const client = await clientOf(promoted, database);
  const { rows } = await client.query<{ id: string; lease: string }>(
    'select id, lease from messages where lease is not null',
  );
  await client.end();
  return { killedAt, promotedAt, claims: rows };
}

/** The time until the first message requested after the promotion was received. */
const firstOf = (
  promotedAt: number,
  accepted: readonly Accepted[],
  heard: ReadonlyMap<string, number> = new Map(),
): number | undefined =>
  soonest(
    promotedAt,
    accepted.filter(({ begunAt }) => begunAt >= promotedAt).map(({ uuid }) => heard.get(uuid)),
  );

/** The time until the first message of the mailing that was not claimed before was received. */
const firstMail = (
  { promotedAt, claimed }: Failover,
  heard: ReadonlyMap<string, number> = new Map(),
): number | undefined =>
  soonest(
    promotedAt,
    Array.from(heard, ([id, at]) => (claimed.has(id) ? undefined : at)),
  );

function soonest(after: number, times: (number | undefined)[]): number | undefined {
  const later = times.filter((time) => time !== undefined && time >= after) as number[];
  return later.length === 0 ? undefined : later.reduce((least, time) => Math.min(least, time)) - after;
}

function accountFor(
  acknowledged: readonly string[],
  stored: ReadonlySet<string>,
  deliveries: readonly Delivery[],
  cutShort: (id: string) => number,
) {
  const heard = heardBy(deliveries);
  const calls = (id: string) => heard.get(id)?.length ?? 0;
  return {
    lost: acknowledged.filter((id) => !stored.has(id) || calls(id) === 0).length,
    repeats: deliveries.length - heard.size,
    strangeRepeats: acknowledged.filter((id) => calls(id) > 1 + cutShort(id)).length,
    /** Calls for messages that the database does not know. */
    ghosts: [...heard.keys()].filter((id) => !stored.has(id)).length,
  };
}
