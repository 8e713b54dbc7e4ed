import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  claimOne,
  everybody,
  never,
  planAll,
  seedMailing,
  startScene,
  stateOf,
} from '../../../test/planning-scene.ts';
import { seedChannel, seedChat, seedProject } from '../../../test/seed.ts';
import { takeStep } from './run.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });

let project: string;

beforeEach(async () => {
  project = await seedProject(sql);
});

async function addChats(count: number, platform: 'API_Messenger' | 'Whatsapp' = 'API_Messenger') {
  const channelId = await seedChannel(sql, project, platform);
  for (let n = 0; n < count; n += 1) await seedChat(sql, project, { channelId, platform });
}

/** A group with this many codes. */
async function addCodes(count: number): Promise<void> {
  const group = context.newId();
  await sql`insert into promocode_groups values (${project}, ${group}, 'Spring', ${clock.now()})`;
  await sql`
    insert into promocodes (project_id, id, group_id, code, status, created_at, updated_at)
    select ${project}, gen_random_uuid(), ${group}, 'C' || n, 'AVAILABLE', ${clock.now()}, ${clock.now()}
    from generate_series(1, ${count}::integer) as n`;
}

const addMailing = (seed: Parameters<typeof seedMailing>[2] = {}) =>
  seedMailing(context, project, {
    filter_chats: everybody,
    text: 'Take {{promocode:Spring}}',
    ...seed,
  });

const issued = async () =>
  (await sql`select from promocodes where project_id = ${project} and status = 'ISSUED'`).length;

const messagesOf = async (id: string) => {
  const rows = await sql`
    select content_type, state, state_detail, content ? 'promocodes' as has_code from messages
    where mailing_id = ${id} order by state, content_type`;
  return rows.map((row) => [row.content_type, row.state, row.state_detail, row.has_code]);
};

test('recipients without a remaining code are undelivered, and no others', async () => {
  await addChats(3);
  await addCodes(3);
  const id = await addMailing();
  let held = await claimOne(context);
  while (held && (held.state === 'planned' || typeof held.progress.needed === 'number')) {
    held = await takeStep(context, held, never);
  }
  // The recipients were counted, and then another transaction takes a code.
  await sql`
    delete from promocodes where id = (select min(id::text)::uuid from promocodes where project_id = ${project})`;
  assert.ok(held && (await takeStep(context, held, never)));
  assert.deepEqual(await messagesOf(id), [
    ['TEXT', 'PENDING', '', true],
    ['TEXT', 'PENDING', '', true],
    ['TEXT', 'UNDELIVERED', 'There was no promo code left.', false],
  ]);
});

test('a recipient of a template needs no code', async () => {
  await addChats(1);
  await addChats(2, 'Whatsapp');
  await addCodes(1);
  const id = await addMailing({ content_type: 'MIXED' });
  await planAll(context);
  assert.deepEqual(await messagesOf(id), [
    ['TEXT', 'PENDING', '', true],
    ['WHATSAPP_TEMPLATE', 'PENDING', '', false],
    ['WHATSAPP_TEMPLATE', 'PENDING', '', false],
  ]);
  assert.equal(await issued(), 1);
});

test('planned recipients take no second code, and leave the last one to a new recipient', async () => {
  await addChats(8);
  await addCodes(9);
  const id = await addMailing();
  await planAll(context);
  assert.equal(await issued(), 8);
  await addChats(1);
  await sql`
    update mailings set stage = 'planning', progress = progress || '{"cursor": null}', due_at = ${clock.now()}
    where id = ${id}`;
  await planAll(context);
  assert.equal((await stateOf(context, id)).stage, 'sending');
  assert.equal(await issued(), 9);
  assert.deepEqual(await messagesOf(id), Array(9).fill(['TEXT', 'PENDING', '', true]));
  const platforms = await sql`select planned from mailing_platforms where mailing_id = ${id}`;
  assert.deepEqual([...platforms], [{ planned: 9 }]);
});
