import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Lifetime, Partner } from '../harness.ts';
import type { Behaviour, Delivery } from '../stand-ins/messenger.ts';
import { answerWith } from '../stand-ins/messenger.ts';
import { type Home, lapseClaims, makeHome } from './home.ts';
import { type Supervisor, supervise } from './supervisor.ts';
import { until } from './until.ts';

type Plan = {
  messages: number;
  crashes: number;
  signal: 'SIGKILL' | 'SIGTERM';
  /** Whether claims of the dead are lapsed by hand; else the next program waits for their end. */
  lapse: boolean;
};

export type Figures = {
  messages: number;
  calls: number;
  /** Messages that were under way at an end of the program, summed over all ends. */
  inFlight: number;
  repeats: number;
  /** Requests whose connection broke, and which were made again with the same key. */
  brokenRequests: number;
};

/** Requests under way at once. */
const partners = 8;
/** Accepting goes on through all of the crashes: it is so far ahead of the sending and no further. */
const ahead = 100;
/** A provider takes up to so long for a call, so that a crash finds some under way. */
const callMs = 40;

/**
 * Sends messages while the program is ended again and again, at moments that are left to chance, and checks that each
 * was accepted once, sent, and sent twice only if it was under way at an end.
 */
export async function sendThroughCrashes(lifetime: Lifetime, plan: Plan): Promise<Figures> {
  const home = await makeHome(lifetime);
  const calls = Promise.withResolvers<Supervisor>();
  const partner = await home.addPartner(lifetime, async (...request) =>
    (await calls.promise).call(...request),
  );
  const supervisor = await supervise(lifetime, home.environment);
  calls.resolve(supervisor);
  const chats: string[] = [];
  for (const name of ['ann', 'bob', 'cid']) chats.push((await partner.client(name)).chat);
  partner.messenger.behave(slowly(answerWith(200)));

  const posting = postAll(supervisor, partner, chats, plan.messages);
  const timesInFlight = await crashAll(home, supervisor, partner, plan);
  const { uuids, brokenRequests } = await posting;
  await until(() =>
    home.look(async (sql) => {
      const [row] = await sql`select count(*) from messages where state in ('PENDING', 'IN_PROCESS')`;
      return row?.count === 0;
    }),
  );

  const rows = await home.look(
    (sql) => sql<{ id: string; state: string }[]>`
    select id, state from messages where direction = 'out'`,
  );
  assert.deepEqual(
    rows.map(({ id }) => id).sort(),
    uuids.sort(),
    'every accepted message is there, and none twice',
  );
  assert.deepEqual([...new Set(rows.map(({ state }) => state))], ['SENT']);
  const received = countById(partner.messenger.deliveries);
  for (const uuid of uuids) {
    const times = received.get(uuid) ?? 0;
    assert.ok(times >= 1, `${uuid} was lost`);
    assert.ok(times <= 1 + (timesInFlight.get(uuid) ?? 0), `${uuid} was repeated, and was not under way`);
  }
  assert.equal(received.size, uuids.length);
  return {
    messages: uuids.length,
    calls: partner.messenger.deliveries.length,
    inFlight: [...timesInFlight.values()].reduce((sum, times) => sum + times, 0),
    repeats: partner.messenger.deliveries.length - uuids.length,
    brokenRequests,
  };
}

const slowly =
  (behaviour: Behaviour): Behaviour =>
  (delivery, response) =>
    void setTimeout(() => behaviour(delivery, response), Math.random() * callMs);

async function postAll(supervisor: Supervisor, partner: Partner, chats: string[], count: number) {
  const uuids: string[] = [];
  let next = 0;
  let brokenRequests = 0;
  const post = async (): Promise<void> => {
    while (next < count) {
      const number = next;
      next += 1;
      await partner.messenger.received(number - ahead);
      const { uuid, broken } = await postOne(supervisor, partner, chats[number % chats.length] ?? '', number);
      uuids.push(uuid);
      brokenRequests += broken;
    }
  };
  await Promise.all(Array.from({ length: partners }, post));
  return { uuids, brokenRequests };
}

/** As a careful partner does it: with a key, and again when the connection breaks. */
async function postOne(supervisor: Supervisor, partner: Partner, chat: string, number: number) {
  for (let broken = 0; ; broken += 1) {
    const program = await supervisor.current();
    try {
      const { status, body } = await program.call('POST', '/api/partners/push-messages/', {
        headers: { ...partner.key, 'idempotency-key': `message ${number}` },
        body: { chat: { uuid: chat }, content: { type: 'TEXT', text: `Message ${number}` } },
      });
      assert.equal(status, 201, JSON.stringify(body));
      return { uuid: String(body.uuid), broken };
    } catch (error) {
      if (program === (await supervisor.current())) throw error;
    }
  }
}

/** How often each message was under way when the program ended. */
async function crashAll(home: Home, supervisor: Supervisor, { messenger }: Partner, plan: Plan) {
  const timesInFlight = new Map<string, number>();
  for (let crash = 0; crash < plan.crashes; crash += 1) {
    const share = (plan.messages - 1) / plan.crashes;
    await messenger.received(Math.ceil(share * (crash + Math.random())));
    await pause(Math.random() * callMs);
    const { complaints } = await supervisor.current();
    const code = await supervisor.restart(plan.signal, () =>
      home.look(async (sql) => {
        for (const id of await claimed(sql)) timesInFlight.set(id, (timesInFlight.get(id) ?? 0) + 1);
        if (plan.lapse) await lapseClaims(sql);
      }),
    );
    assert.equal(code, plan.signal === 'SIGKILL' ? null : 0);
    assert.deepEqual(complaints, []);
  }
  return timesInFlight;
}

async function claimed(sql: Parameters<Parameters<Home['look']>[0]>[0]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from messages where state = 'IN_PROCESS'`;
  return rows.map(({ id }) => id);
}

function countById(deliveries: Delivery[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { body, headers } of deliveries) {
    const { uuid } = body.payload.message;
    assert.equal(headers['idempotency-key'], uuid);
    counts.set(uuid, (counts.get(uuid) ?? 0) + 1);
  }
  return counts;
}
