import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../../test/database.ts';
import { seedApplication, seedChannel, seedChat, seedEndpoint, seedProject } from '../../../../test/seed.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { ensurePartitions } from '../../../platform/database/partitions.ts';
import { uuidv7 } from '../../../platform/id.ts';
import { findEvents } from './log-store.ts';

const { sql } = await testDatabase({ after });
const projectId = await seedProject(sql);
const chatId = await seedChat(sql, projectId, {
  channelId: await seedChannel(sql, projectId),
  external_id: 'ann',
});
const endpointId = await seedEndpoint(sql, projectId, await seedApplication(sql));
const months = 12;
await ensurePartitions(sql, new Date('2020-01-01'), months);

async function addEvent(createdAt: Date, finishedAt: Date | null, attempts: [at: Date, status: number][]) {
  const id = uuidv7(createdAt);
  await sql`
    insert into events (project_id, id, endpoint_id, chat_id, event_type, body, state, attempts, created_at, finished_at)
    values (${projectId}, ${id}, ${endpointId}, ${chatId}, 'message_updated', '{}',
      ${finishedAt ? 'DELIVERED' : 'PENDING'}, ${attempts.length}, ${createdAt}, ${finishedAt})`;
  for (const [at, status] of attempts) {
    await sql`
      insert into attempts (project_id, id, endpoint_id, event_id, started_at, duration_ms, status, answer)
      values (${projectId}, ${uuidv7(at)}, ${endpointId}, ${id}, ${at}, 5, ${status}, '')`;
  }
  return id;
}

/** How often each month of attempts has been looked at. Counts of earlier transactions may be among these. */
async function looksIn(transaction: Sql): Promise<Map<string, number>> {
  const rows = await transaction<{ name: string; looks: number }[]>`
    select relname as name, (seq_scan + coalesce(idx_scan, 0))::int as looks from pg_stat_xact_user_tables
    where relname like 'attempts\\_%' order by relname`;
  return new Map(rows.map(({ name, looks }) => [name, looks]));
}

test('the last attempt of an event is looked up in the months in which it can be', async () => {
  const [march, may] = [new Date('2020-03-10'), new Date('2020-05-10')];
  const quick = await addEvent(march, march, [[march, 200]]);
  const slow = await addEvent(march, may, [
    [march, 500],
    [may, 201],
  ]);
  const wanted = {
    projectId,
    endpointId,
    from: new Date('2020-01-01'),
    to: new Date('2021-01-01'),
    type: null,
    state: null,
  };
  const look = { before: null, atMost: 10, among: 100 };
  await sql.begin(async (transaction) => {
    const before = await looksIn(transaction);
    const { rows } = await findEvents(transaction, wanted, look);
    const found = rows.map(({ id, last_status }) => [id, last_status]);
    assert.deepEqual(found.sort(), [
      [quick, 200],
      [slow, 201],
    ]);
    const lookedAt = [...(await looksIn(transaction))].filter(
      ([name, looks]) => looks > (before.get(name) ?? 0),
    );
    assert.deepEqual(
      lookedAt.map(([name]) => name),
      ['attempts_202003', 'attempts_202004', 'attempts_202005'],
    );
  });
  const waiting = await addEvent(march, null, [[may, 503]]);
  const { rows } = await findEvents(sql, wanted, look);
  assert.equal(rows.find(({ id }) => id === waiting)?.last_status, 503);
});
