import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { testContext } from '../../test/context.ts';
import { testDatabase } from '../../test/database.ts';
import { atRest } from '../../test/scenario-harness.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../test/seed.ts';
import { somebodyWaits, twoSessions } from '../../test/waiting.ts';
import { addAttribute } from '../clients/profiles/dictionary.ts';
import { learnPhone } from '../messaging/chats/learn-phone.ts';
import { findChat } from '../messaging/chats/store.ts';
import type { Sql } from '../platform/database/database.ts';
import { takeEventStarts } from './event-starts-store.ts';
import { importScenario } from './import.ts';
import { addStarter } from './starters.ts';

const { sql } = await testDatabase({ after });
const context = testContext({ sql }, manualClock(noon));
after(() => context.outbound.close());
const { newId } = context;
const projectId = await seedProject(sql);
const channelId = await seedChannel(sql, projectId);
const file = Buffer.from(JSON.stringify({ name: 'Hello', steps: [{ id: 'e', type: 'end' }] }));
const { id: scenarioId } = await importScenario(context, { projectId, file });
let ann = '';
let bob = '';

beforeEach(async () => {
  await sql`delete from scenario_event_starts`;
  ann = await seedChat(sql, projectId, { channelId });
  bob = await seedChat(sql, projectId, { channelId });
});

const happens = (chat: string, number: number) => sql`
  insert into scenario_event_starts (project_id, chat_id, scenario_id, params, due_at)
  values (${projectId}, ${chat}, ${scenarioId}, ${sql.json({ number })}, ${noon})`;

const take = (on: Sql, free: number) =>
  takeEventStarts(
    on,
    { projectId, lease: newId(), now: noon, leaseUntil: new Date(noon.getTime() + 5_000) },
    { free, platforms: ['API_Messenger'] },
    newId,
  );

const runOf = async (chat: string): Promise<number | undefined> => {
  const [run] = await sql<{ number: number }[]>`
    select (params ->> 'number')::int as number from scenario_runs where chat_id = ${chat}`;
  return run?.number;
};

test('a start that waits follows the client into another profile, and once', async () => {
  await sql`update profiles set phone_number = '+12025550177' where id = (select profile_id from chats where id = ${bob})`;
  const profileOf = async (chat: string) => (await findChat(sql, projectId, chat))?.profile_id ?? '';
  const waits = async (chat: string, number: number) => sql`
    insert into scenario_event_starts (project_id, profile_id, scenario_id, params, due_at)
    values (${projectId}, ${await profileOf(chat)}, ${scenarioId}, ${sql.json({ number })}, ${noon})`;
  await waits(bob, 1);
  for (const number of [1, 2]) await waits(ann, number);
  const chat = await findChat(sql, projectId, ann);
  assert.ok(chat);
  await learnPhone(context, chat, '+12025550177', { type: 'channel', name: 'Test' });
  assert.equal(await profileOf(ann), await profileOf(bob));
  assert.equal(await take(sql, 5), 1);
  await sql`update scenario_runs set status = 'ended'`;
  assert.equal(await take(sql, 5), 1);
  await sql`update scenario_runs set status = 'ended'`;
  assert.equal(await take(sql, 5), 0);
});

test('a start that waits ends with its starter', async () => {
  await addAttribute(context, { projectId, name: 'birthday' });
  const starter = await addStarter(context, projectId, scenarioId, {
    kind: 'date',
    value: 'birthday',
    to: '9',
  });
  const waits = (chat: string, starterId: string) => sql`
    insert into scenario_event_starts (project_id, chat_id, scenario_id, params, due_at, starter_id)
    values (${projectId}, ${chat}, ${scenarioId}, '{}', ${noon}, ${starterId})`;
  await waits(ann, starter);
  assert.equal(await take(sql, 1), 1);
  await sql`update scenario_runs set state = ${sql.json(atRest)}`;
  await waits(ann, starter);
  await sql`update scenario_event_starters set is_enabled = false where id = ${starter}`;
  assert.equal(await take(sql, 1), 0);
  await waits(ann, newId());
  assert.equal(await take(sql, 1), 0);
  assert.equal((await sql`select from scenario_event_starts`).length, 0);
});

test('an event waits for the first step of the run before it, and keeps no other chat waiting', async () => {
  await happens(ann, 1);
  await happens(ann, 2);
  assert.equal(await take(sql, 1), 1);
  await happens(bob, 3);
  assert.equal(await take(sql, 1), 1);
  assert.deepEqual([await runOf(ann), await runOf(bob)], [1, 3]);
  assert.equal(await take(sql, 1), 0);
  await sql`update scenario_runs set state = ${sql.json(atRest)}`;
  assert.equal(await take(sql, 1), 1);
  assert.equal(await runOf(ann), 2);
});

test(
  'of two events of a chat that two workers take at once, one begins and the other one stays',
  twoSessions,
  async () => {
    await happens(ann, 1);
    await happens(ann, 2);
    let late: Promise<number> | undefined;
    await sql.begin(async (first) => {
      assert.equal(await take(first, 1), 1);
      late = take(sql, 1);
      await somebodyWaits(sql);
    });
    assert.equal(await late, 0);
    assert.equal(await runOf(ann), 1);
    const left = await sql`select params from scenario_event_starts`;
    assert.deepEqual(left, [{ params: { number: 2 } }]);
  },
);
