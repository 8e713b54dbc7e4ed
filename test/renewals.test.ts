import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { renewQueues } from '../src/events/queue-store.ts';
import { renewMailings } from '../src/mailings/planner-store.ts';
import { renewLeases } from '../src/messaging/sending/store.ts';
import type { Sql } from '../src/platform/database/database.ts';
import { uuidv7 } from '../src/platform/id.ts';
import type { Renewed } from '../src/platform/pump/leases.ts';
import { renewRuns } from '../src/scenarios/claim-store.ts';
import { holdRuns } from '../src/scenarios/runs-store.ts';
import { testDatabase } from './database.ts';
import { noon, seedApplication, seedChannel, seedChat, seedEndpoint, seedProject } from './seed.ts';

const { sql, longSql } = await testDatabase({ after });

/** As many as a new installation has. The planner would rather scan them. */
const ids = Array.from({ length: 2_000 }, () => uuidv7(noon));
/** Rows of event queues are short, so the planner scans a larger number of them. */
const more = Array.from({ length: 8_000 }, () => uuidv7(noon));
const [lease, other] = [uuidv7(noon), uuidv7(noon)];
const later = new Date(noon.getTime() + 5_000);

const projectId = await seedProject(sql);
const channelId = await seedChannel(sql, projectId);
const chatId = await seedChat(sql, projectId, { channelId });
const endpointId = await seedEndpoint(sql, projectId, await seedApplication(sql));
await longSql`
  insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state, lane,
    due_at, lease, leased_until)
  select ${projectId}, id, ${chatId}, ${channelId}, 'out', 'push', 'TEXT', '{"text": "Hello"}', ${noon}, 'IN_PROCESS', 1,
    ${noon}, ${lease}, ${noon}
  from unnest(${ids}::uuid[]) as id`;
await longSql`
  insert into event_queues (project_id, endpoint_id, chat_id, waiting, due_at, lease)
  select ${projectId}, ${endpointId}, id, 1, ${noon}, ${lease} from unnest(${[...ids, ...more]}::uuid[]) as id`;
await longSql`
  with made as (
    insert into profiles (project_id, id, created_at, updated_at)
    select ${projectId}, id, ${noon}, ${noon} from unnest(${ids}::uuid[]) as id returning id
  ), chats as (
    insert into chats (project_id, id, channel_id, profile_id, platform, external_id, created_at, last_active_at)
    select ${projectId}, id, ${channelId}, id, 'API_Messenger', id::text, ${noon}, ${noon} from made returning id
  )
  insert into scenario_runs (project_id, chat_id, id, params, lane, due_at, lease, created_at)
  select ${projectId}, id, id, '{}', 0, ${noon}, ${lease}, ${noon} from chats`;
await longSql`
  insert into mailings (project_id, id, name, content_type, text, links, node_get_params, template_variables,
    has_identifiers, origin, created_at, state, lease)
  select ${projectId}, id, 'Sale', 'TEXT', 'Hello', '{}', '[]', '{}', false, 'system', ${noon}, 'in_process', ${lease}
  from unnest(${ids}::uuid[]) as id`;
await longSql`analyze messages, event_queues, scenario_runs, mailings`;

const leased = ids.slice(0, 3).map((id, index) => ({ id, lease: index === 1 ? other : lease }));
const ofProject = leased.map((one) => ({ project_id: projectId, ...one }));
const runs = leased.map(({ id, lease }) => ({ project_id: projectId, chat_id: id, lease }));
const queues = leased.map(({ id, lease }) => ({ endpoint_id: endpointId, chat_id: id, lease }));

const positions = async (renewed: Promise<readonly Renewed[]>): Promise<number[]> =>
  (await renewed).map(({ position }) => position).toSorted();

const renewals: [table: string, renew: (on: Sql) => Promise<number[]>][] = [
  ['messages', (on) => positions(renewLeases(on, ofProject, later))],
  ['event_queues', (on) => positions(renewQueues(on, queues, later))],
  ['scenario_runs', (on) => positions(renewRuns(on, runs, later))],
  ['mailings', (on) => positions(renewMailings(on, ofProject, later))],
];

/** The number of rows of a table that sequential scans have read. */
async function readInFull(sql: Sql, table: string): Promise<number> {
  const [row] = await sql<[{ rows: number }]>`
    select sum(seq_tup_read)::int as rows from pg_stat_xact_user_tables where relname like ${`${table}%`}`;
  return row.rows;
}

for (const [table, renew] of renewals) {
  test(`renewing the leases of many ${table} does not read the others`, () =>
    sql.begin(async (transaction) => {
      const before = await readInFull(transaction, table);
      assert.deepEqual(await renew(transaction), [0, 2]);
      assert.equal(await readInFull(transaction, table), before);
    }));
}

test('locking runs for their results does not read the others', () =>
  sql.begin(async (transaction) => {
    const before = await readInFull(transaction, 'scenario_runs');
    assert.deepEqual([...(await holdRuns(transaction, runs)).keys()], [ids[0], ids[2]]);
    assert.equal(await readInFull(transaction, 'scenario_runs'), before);
  }));
