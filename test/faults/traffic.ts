import assert from 'node:assert/strict';
import type { Answer, Call, Partner } from '../harness.ts';
import { answerWith, type Behaviour, type Delivery, type Messenger } from '../stand-ins/messenger.ts';
import type { Home } from './home.ts';
import { until } from './until.ts';

/** Concurrent requests. */
const requesters = 8;
/** Accepting continues through all events. It stays this far ahead of the sending, and no further. */
const ahead = 50;
/** The maximum duration of a provider's call, so that events find some in flight. */
export const callMs = 40;

/** A provider that takes a random time for each call. */
export const slowProvider: Behaviour = (delivery, response) =>
  void setTimeout(() => answerWith(200)(delivery, response), Math.random() * callMs);

/** Posts messages by `post`, which returns the uuid of each. Resolves with all of them. */
export async function postAll(
  count: number,
  { received }: Messenger,
  post: (number: number) => Promise<string>,
): Promise<string[]> {
  const uuids: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const number = next;
      next += 1;
      await received(number - ahead);
      uuids.push(await post(number));
    }
  };
  await Promise.all(Array.from({ length: requesters }, work));
  return uuids;
}

/** Posts like a careful partner: with a key, so that a request with an unknown end can be repeated. */
export const postMessage = (call: Call, { key }: Partner, chat: string, number: number): Promise<Answer> =>
  call('POST', '/api/partners/push-messages/', {
    headers: { ...key, 'idempotency-key': `message ${number}` },
    body: { chat: { uuid: chat }, content: { type: 'TEXT', text: `Message ${number}` } },
  });

/** Counts for each message the claims without a result at an event. */
export function inFlightCount() {
  const counted = new Set<string>();
  const times = new Map<string, number>();
  return {
    add(claims: { id: string; lease: string }[]): void {
      for (const { id, lease } of claims) {
        if (counted.has(lease + id)) continue;
        counted.add(lease + id);
        times.set(id, (times.get(id) ?? 0) + 1);
      }
    },
    of: (id: string): number => times.get(id) ?? 0,
    total: () => counted.size,
  };
}

/** Waits until nothing is queued. No program ends meanwhile. */
export const allDone = (home: Home): Promise<void> =>
  home.look((sql) =>
    until(async () => {
      const [row] = await sql`select count(*) from messages where state in ('PENDING', 'IN_PROCESS')`;
      return row?.count === 0;
    }),
  );

/**
 * Checks that every accepted message exists once and was sent. A repeat needs an interrupted claim of the message.
 * Returns the figures.
 */
export async function checkAccounts(
  home: Home,
  uuids: string[],
  deliveries: Delivery[],
  inFlight: ReturnType<typeof inFlightCount>,
) {
  const rows = await home.look(
    (sql) => sql<{ id: string; state: string }[]>`
      select id, state from messages where direction = 'out'`,
  );
  assert.deepEqual(rows.map(({ id }) => id).sort(), uuids.toSorted());
  assert.deepEqual([...new Set(rows.map(({ state }) => state))], ['SENT']);
  const received = countById(deliveries);
  for (const uuid of uuids) {
    const times = received.get(uuid) ?? 0;
    assert.ok(times >= 1, `${uuid} was lost`);
    assert.ok(times <= 1 + inFlight.of(uuid), `${uuid} was repeated, and was not under way`);
  }
  assert.equal(received.size, uuids.length);
  return {
    messages: uuids.length,
    calls: deliveries.length,
    inFlight: inFlight.total(),
    repeats: deliveries.length - uuids.length,
  };
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
