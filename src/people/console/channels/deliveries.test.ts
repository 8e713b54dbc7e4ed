import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase } from '../../../../test/database.ts';
import { readsOfEach } from '../../../../test/reads.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../../../test/seed.ts';
import { countDay } from './count-day.ts';
import type { OutcomeCount } from './deliveries-store.ts';

const { sql, longSql } = await testDatabase({ after });
const hourMs = 3_600_000;
const projectId = await seedProject(sql);
const [channelId, other] = [await seedChannel(sql, projectId), await seedChannel(sql, projectId)];
const chatId = await seedChat(sql, projectId, { channelId });
const day = { projectId, channelId, from: noon };
const each = 6_000;

/** Messages of a channel that were made from this hour on, one each millisecond. */
const addMessages = (channel: string, hour: number, state: string) => longSql`
  insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at,
    state, sent_at, due_at)
  select ${projectId}, uuid_floor(at), ${chatId}, ${channel}, 'out', 'push', 'TEXT', '{}', at, ${state},
    case when ${state} = 'SENT' then at end, case when ${state} <> 'SENT' then at end
  from (
    select ${new Date(noon.getTime() + hour * hourMs)}::timestamptz + n * interval '1 ms' as at
    from generate_series(1, ${each}::int) as n
  ) as moments`;

before(async () => {
  await addMessages(channelId, -1, 'SENT');
  await addMessages(channelId, 1, 'SENT');
  await addMessages(channelId, 2, 'UNDELIVERED');
  await addMessages(other, 3, 'CANCELLED');
});

function sumOf(counts: readonly OutcomeCount[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { hour, state, count } of counts) {
    const name = `${hour} ${state}`;
    sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

test('the results of a day are counted in small pieces', async (t) => {
  let counted: Awaited<ReturnType<typeof countDay>> | undefined;
  const reads = await readsOfEach(sql, ['messages'], async (each) => {
    counted = await countDay(each, day);
  });
  t.diagnostic(reads.join());
  assert.ok(reads.length > 0 && Math.max(...reads) <= 5_000, reads.join());
  assert.deepEqual(sumOf(counted?.counts ?? []), { '1 SENT': each, '2 UNDELIVERED': each });
  assert.equal(counted?.completeFrom, null);
});

test('messages that are not counted, because others of the project are newer, are not left out silently', async () => {
  const first = await countDay(sql, day, each);
  assert.deepEqual(sumOf(first.counts), {});
  // Others may have been made in the millisecond of the oldest one that was read.
  const begun = (hour: number) => new Date(noon.getTime() + hour * hourMs + 2);
  assert.deepEqual(first.completeFrom, begun(3));
  const second = await countDay(sql, day, 2 * each);
  assert.deepEqual(sumOf(second.counts), { '2 UNDELIVERED': each });
  assert.deepEqual(second.completeFrom, begun(2));
});
