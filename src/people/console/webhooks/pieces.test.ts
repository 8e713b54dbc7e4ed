import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { testContext } from '../../../../test/context.ts';
import { testDatabase } from '../../../../test/database.ts';
import { partsOf } from '../../../../test/parts-of.ts';
import { readsOfEach } from '../../../../test/reads.ts';
import {
  noon,
  seedApplication,
  seedChannel,
  seedChat,
  seedEndpoint,
  seedProject,
} from '../../../../test/seed.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { deliverWaiting } from './deliver-waiting.ts';
import { searchEvents } from './list-events.ts';
import type { Wanted } from './log-store.ts';
import { countPart, replayPart } from './replay.ts';
import type { RangePart } from './schema.ts';

const { sql, longSql } = await testDatabase({ after });
const context = testContext({ sql }, manualClock(noon));
after(() => context.outbound.close());
const projectId = await seedProject(sql);
const chatId = await seedChat(sql, projectId, { channelId: await seedChannel(sql, projectId) });
const endpointId = await seedEndpoint(sql, projectId, await seedApplication(sql));
const events = 12_000;
const range: Wanted = {
  projectId,
  endpointId,
  from: new Date(noon.getTime() - 60_000),
  to: new Date(noon.getTime() + 60_000),
  type: null,
  state: null,
};

before(() =>
  longSql`
    insert into events (project_id, id, endpoint_id, chat_id, event_type, body, state, attempts, created_at,
      finished_at)
    select ${projectId}, uuid_floor(at), ${endpointId}, ${chatId}, 'message_updated', '{}', 'DELIVERED', 1, at, at
    from (
      select ${noon}::timestamptz + n * interval '1 ms' as at from generate_series(1, ${events}::int) as n
    ) as moments`.execute(),
);

/** The reads of the statements of all parts, and the sum of the parts. */
async function inParts(part: (sql: Sql, after: string | null) => Promise<RangePart>) {
  let count = 0;
  const reads = await readsOfEach(sql, ['events'], async (on) => {
    let after: string | null = null;
    do {
      const done: RangePart = await part(on, after);
      count += done.count;
      after = done.after;
    } while (after !== null);
  });
  return { count, most: Math.max(...reads) };
}

/** The same with transactions of their own. */
const contextOn = (on: Sql) => ({ ...context, sql: Object.assign(on, partsOf(sql)) });

test('the events of a range are counted in small pieces', async () => {
  const { count, most } = await inParts((on, after) => countPart(contextOn(on), range, after));
  assert.equal(count, events);
  assert.ok(most > 0 && most <= 5_000, `${most} reads`);
});

test('the events of a range are replayed in small pieces', async () => {
  const { count, most } = await inParts((on, after) => replayPart(contextOn(on), range, after));
  assert.equal(count, events);
  // Each is read to find it, and to change it.
  assert.ok(most > 0 && most <= 2 * 500, `${most} reads`);
});

test('the waiting events of a webhook are hurried in small pieces', async () => {
  await longSql`
    insert into event_queues (project_id, endpoint_id, chat_id, waiting, due_at)
    select ${projectId}, ${endpointId}, uuid_floor(${noon}::timestamptz + n * interval '1 ms'), 1,
      ${noon}::timestamptz + interval '1 hour'
    from generate_series(1, 1200) as n`;
  const reads = await readsOfEach(sql, ['event_queues'], (on) => deliverWaiting(contextOn(on), endpointId));
  assert.equal(reads.length, 3);
});

test('events are searched in small pieces', async () => {
  const reads = await readsOfEach(sql, ['events'], async (on) => {
    const found = await searchEvents(on, { ...range, type: 'session_updated' }, null, 50);
    assert.deepEqual(found, { rows: [], next: null });
  });
  assert.ok(Math.max(...reads) > 0 && Math.max(...reads) <= 5_000, reads.join());
});
