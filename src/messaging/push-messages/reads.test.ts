import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../../test/seed.ts';
import type { Sql } from '../../platform/database/database.ts';
import { uuidv7 } from '../../platform/id.ts';
import type { PushMessageFilters } from './schema.ts';
import { countPushMessages, pushMessagesPage } from './store.ts';

/** Of another chat, kind, time, tag, campaign or state. */
const history = 3_000;
const few = 20;
const { sql, longSql } = await testDatabase({ after });
const projectId = await seedProject(sql);
const channelId = await seedChannel(sql, projectId);
const ann = await seedChat(sql, projectId, { channelId, external_id: 'ann' });
const bob = await seedChat(sql, projectId, { channelId, external_id: 'bob' });

type Campaign = { id: string | null; name: string };
const usual: Campaign = { id: uuidv7(noon), name: 'Weekly' };
const winter: Campaign = { id: uuidv7(noon), name: 'Winter' };
const summer: Campaign = { id: null, name: 'Summer'.repeat(200) };

const add = (
  source: string,
  chat: string,
  end: Date,
  count: number,
  state = 'SENT',
  { tag = 'autumn', campaign = usual }: { tag?: string; campaign?: Campaign } = {},
) => longSql`
  insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state,
    tag, campaign_id, campaign_name)
  select ${projectId}, uuid_floor(${end}::timestamptz - n * interval '1 second'), ${chat}, ${channelId}, 'out', ${source},
    'TEXT', '{"text": "Hi"}', ${end}::timestamptz - n * interval '1 second', ${state}, ${tag},
    ${campaign.id}, ${campaign.name}
  from generate_series(1, ${count}::int) as n`;

const daysAgo = (days: number) => new Date(noon.getTime() - days * 24 * 3_600_000);
await sql`select ensure_partitions(${daysAgo(70)}, 5)`;
await add('push', bob, daysAgo(40), history);
await add('push', bob, daysAgo(5), history);
await add('operator', ann, daysAgo(4), history);
await add('push', ann, noon, few);
await add('push', bob, daysAgo(39), few, 'ERROR');
await add('push', bob, daysAgo(38), few, 'SENT', { tag: 'spring' });
await add('push', bob, daysAgo(36), few, 'SENT', { campaign: winter });
await add('push', bob, daysAgo(35), few, 'SENT', { campaign: summer });
await add('push', bob, daysAgo(37), few, 'PENDING');
await longSql`vacuum analyze messages`;

/** The messages and index entries that the database reads for a page and its number. */
async function readsFor(
  filters: PushMessageFilters,
): Promise<{ count: number; shown: number; reads: number }> {
  return sql.begin(async (transaction) => {
    // It would rather read all of a table as small as this one.
    await transaction`select set_config('enable_seqscan', 'off', true)`;
    const before = await readsIn(transaction);
    const count = await countPushMessages(transaction, projectId, filters);
    const rows = await pushMessagesPage(transaction, projectId, filters, count, { limit: few, offset: 0 });
    return { count, shown: rows.length, reads: (await readsIn(transaction)) - before };
  });
}

async function readsIn(sql: Sql): Promise<number> {
  const [row] = await sql<[{ reads: number }]>`
    select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int as reads
    from pg_class where relname like 'messages%'`;
  return row.reads;
}

for (const [name, filters] of [
  ['of a time', { created_at__gte: daysAgo(1).toISOString() }],
  ['of a chat', { chat: ann }],
  ['with a tag', { tag: 'spring' }],
  ['of a campaign', { campaign: winter.id ?? '' }],
  ['of a campaign with this name', { campaign: summer.name }],
  ['that failed', { state: 'ERROR' }],
  ['that wait', { state: 'PENDING' }],
] as const) {
  test(`a list of push messages ${name} reads about what it shows, however long the history is`, async () => {
    const { count, shown, reads } = await readsFor(filters);
    assert.deepEqual([count, shown], [few, few]);
    assert.ok(reads < 10 * few, `${reads} reads`);
  });
}
