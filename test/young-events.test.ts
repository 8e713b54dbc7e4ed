import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { claimedEvents, claimQueues, recordAttempts } from '../src/events/queue-store.ts';
import type { Sql } from '../src/platform/database/database.ts';
import { uuidv7 } from '../src/platform/id.ts';
import { testDatabase } from './database.ts';
import { noon, seedApplication, seedEndpoint, seedProject } from './seed.ts';

/** The first burst of events of an installation, whose statistics come from a few that were delivered. */

const waiting = 3_000;
const claimed = 40;

const { sql, longSql } = await testDatabase({ after });
const projectId = await seedProject(sql);
const endpointId = await seedEndpoint(sql, projectId, await seedApplication(sql));

before(async () => {
  const fill = (from: number, to: number, state: string) => longSql`
    with chats as (
      select uuid_floor(${noon}::timestamptz + n * interval '1 ms') as id from generate_series(${from}::int, ${to}::int) as n
    ),
    queues as (
      insert into event_queues (project_id, endpoint_id, chat_id, waiting, due_at)
      select ${projectId}, ${endpointId}, id, ${state === 'PENDING' ? 1 : 0}, ${noon} from chats
    )
    insert into events (project_id, id, endpoint_id, chat_id, event_type, body, state, created_at)
    select ${projectId}, id, ${endpointId}, id, 'message', '{}', ${state}, ${noon} from chats`;
  await fill(1, 10, 'DELIVERED');
  await longSql`analyze events, event_queues`;
  await fill(11, 10 + waiting, 'PENDING');
});

async function readsIn(transaction: Sql): Promise<number> {
  const [row] = await transaction<[{ reads: number }]>`
    select sum(seq_tup_read + idx_tup_fetch)::int as reads from pg_stat_xact_user_tables
    where relname like 'events%' or relname = 'event_queues'`;
  return row.reads;
}

test('of a first burst events are claimed and delivered: the reads do not grow with those that wait', async (t) => {
  const lease = uuidv7(noon);
  const leaseUntil = new Date(noon.getTime() + 5_000);
  await sql.begin(async (transaction) => {
    const before = await readsIn(transaction);
    assert.equal(await claimQueues(transaction, { endpointId, lease, leaseUntil }, claimed, noon), claimed);
    const events = await claimedEvents(transaction, { endpointId, lease, leaseUntil }, 1);
    const delivered = events.map(({ chat_id, id }) => ({
      endpoint_id: endpointId,
      chat_id,
      lease,
      next_lease: null,
      due_at: noon,
      project_id: projectId,
      event_id: id,
      state: 'DELIVERED' as const,
      attempt_id: uuidv7(noon),
      started_at: noon,
      duration_ms: 1,
      status: 200,
      error: null,
      answer: '',
    }));
    assert.equal((await recordAttempts(transaction, delivered, noon)).size, claimed);
    const reads = (await readsIn(transaction)) - before;
    t.diagnostic(`${reads} reads`);
    assert.ok(reads <= 10 * claimed, `${reads} reads`);
  });
});
