import { Agent } from 'undici';
import type { Sql } from '../src/platform/database/database.ts';
import { middle } from './accept.ts';
import { bareLoop } from './bare-loop.ts';
import { openStorage, type Receiver, type Storage } from './processes.ts';

/** As the engine: calls at once, messages claimed at once, and results written at once. */
const concurrency = 96;
const claimed = 2 * concurrency;
const written = concurrency / 2;
const rounds = 3;

type Waiting = { id: string; chat: string; content: { text: string } };

/**
 * The least that a delivery from PostgreSQL does: a queue in a narrow table, a message with its primary key and the
 * history of its chat, and one result each. It has no leases, limits, receipts, events or repeated calls. `ours` is
 * the messages per second of this floor, in turns with a bare loop of the same calls.
 */
export async function floor(
  storage: Storage,
  receiver: Receiver,
  count: number,
): Promise<{ ours: number; bare: number }> {
  const database = await openStorage(storage);
  const { sql } = database;
  await sql`create table floor_queue (due_at timestamptz, id uuid)`;
  await sql`create index on floor_queue (due_at)`;
  await sql`
    create table floor_messages (
      id uuid primary key, chat text not null, content jsonb not null, state text not null, sent_at timestamptz
    ) with (fillfactor = 50)`;
  await sql`create index on floor_messages (chat, id)`;
  const agent = new Agent({ connections: concurrency });
  const figures: { ours: number; bare: number }[] = [];
  const bare = () => bareLoop({ url: receiver.url, ...callOf(sample), calls: count, concurrency });
  await bare();
  for (let round = 0; round < rounds; round += 1) {
    await fill(sql, count);
    const bareRate = await bare();
    const start = performance.now();
    await drain(sql, agent, receiver, count);
    figures.push({ bare: bareRate, ours: count / ((performance.now() - start) / 1000) });
  }
  await agent.close();
  await database.close();
  return middle(figures, ({ ours, bare }) => ours / bare);
}

async function fill(sql: Sql, count: number): Promise<void> {
  await sql`truncate floor_queue, floor_messages`;
  await sql`
    with made as (
      insert into floor_messages (id, chat, content, state)
      select gen_random_uuid(), 'chat ' || number, '{"text": "Your order has been shipped."}', 'PENDING'
      from generate_series(1, ${count}::int) as number
      returning id
    )
    insert into floor_queue select now(), id from made`;
  await sql`analyze floor_queue, floor_messages`;
}

/** Claims ahead of the calls, and writes while other calls run. */
async function drain(sql: Sql, agent: Agent, receiver: Receiver, count: number): Promise<void> {
  const { origin, pathname: path } = new URL(receiver.url);
  const waiting: Waiting[] = [];
  const writes: Promise<void>[] = [];
  let results: string[] = [];
  let taken = 0;
  let claiming: Promise<void> | null = null;

  const claim = async (): Promise<void> => {
    const rows = await claimNext(sql);
    taken += rows.length;
    waiting.push(...rows);
    claiming = null;
  };
  const next = async (): Promise<Waiting | undefined> => {
    for (;;) {
      if (waiting.length <= concurrency && taken < count) claiming ??= claim();
      const one = waiting.shift();
      if (one || !claiming) return one;
      await claiming;
    }
  };
  const call = async (): Promise<void> => {
    for (let one = await next(); one; one = await next()) {
      const answer = await agent.request({ origin, path, method: 'POST', ...callOf(one) });
      await answer.body.dump();
      results.push(one.id);
      if (results.length < written) continue;
      writes.push(record(sql, results));
      results = [];
    }
  };
  await Promise.all(Array.from({ length: concurrency }, call));
  writes.push(record(sql, results));
  await Promise.all(writes);
}

const claimNext = (sql: Sql): Promise<Waiting[]> => sql<Waiting[]>`
  with taken as (
    delete from floor_queue where ctid = any (array(
      select ctid from floor_queue where due_at <= now() order by due_at limit ${claimed} for update skip locked
    ))
    returning id
  )
  select id, chat, content from taken join floor_messages using (id)`;

async function record(sql: Sql, ids: string[]): Promise<void> {
  await sql`
    update floor_messages messages set state = 'SENT', sent_at = now()
    from unnest(${ids}::uuid[]) as sent (id) where messages.id = sent.id`;
}

const nobody = '00000000-0000-0000-0000-000000000000';
const sample: Waiting = { id: nobody, chat: 'chat 1', content: { text: 'Your order has been shipped.' } };

const callOf = ({ id, chat, content }: Waiting) => ({
  headers: { 'content-type': 'application/json', 'idempotency-key': id },
  body: JSON.stringify({
    event_type: 'message',
    payload: {
      message: { uuid: id, type: 'text', text: content.text, url: null, buttons: [] },
      chat: { external_id: chat },
    },
    timestamp: 1_795_147_200_000,
  }),
});
