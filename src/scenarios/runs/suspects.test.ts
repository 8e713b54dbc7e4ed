import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { livesOf } from '../../../test/lives.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../../test/seed.ts';
import { answerWith, startMessenger } from '../../../test/stand-ins/messenger.ts';
import { queueMessages } from '../../messaging/messages/queue-store.ts';
import { uuidv7 } from '../../platform/id.ts';
import { mostInterruptions, suspectAfter } from '../../platform/pump/suspects.ts';
import { claimRuns, dueProjects } from '../claim-store.ts';
import { importScenario } from '../import.ts';
import { startScenarioRuns } from './engine.ts';

const database = await testDatabase({ after });
const leaseMs = 5_000;

test('a run that kills its process is given up in the end, without harm to concurrent runs', async (t) => {
  const clock = manualClock();
  const context = testContext(database, clock);
  const { sql, newId } = context;
  const partnerSystem = await startMessenger(t);
  const projectId = await seedProject(sql);
  const channelId = await seedChannel(sql, projectId);
  const steps = [
    { id: 'r', type: 'request', method: 'POST', url: partnerSystem.url },
    { id: 'm', type: 'message', text: 'Done' },
  ];
  await importScenario(context, { projectId, file: Buffer.from(JSON.stringify({ name: 'Asks', steps })) });
  const chats: string[] = [];
  for (let n = 0; n < 20; n += 1) chats.push(await seedChat(sql, projectId, { channelId }));
  await queueMessages(
    sql,
    chats.map((chat_id) => ({
      id: newId(),
      project_id: projectId,
      chat_id,
      channel_id: null,
      source: 'push',
      content_type: 'NODE',
      content: { node: { name: 'Asks' } },
      is_force: false,
      created_at: noon,
      lane: 0,
      due_at: noon,
      state: 'PENDING',
    })),
  );

  const lives = livesOf(context, clock, leaseMs, startScenarioRuns);
  const calls = new Map<string, number>();
  partnerSystem.behave((delivery, response) => {
    const run = String(delivery.headers['idempotency-key']).slice(0, 36);
    calls.set(run, (calls.get(run) ?? 0) + 1);
    const [guilty] = calls.keys();
    if (run === guilty) lives.die();
    answerWith(200)(delivery, response);
  });
  const runs = () =>
    sql<
      { id: string; status: string }[]
    >`select id, status from scenario_runs where project_id = ${projectId}`;
  await lives.until(async () => {
    const found = await runs();
    return found.length === chats.length && found.every(({ status }) => status !== 'running');
  });

  const [[guilty, deaths] = [], ...innocent] = calls;
  const failed = (await runs()).filter(({ status }) => status === 'failed').map(({ id }) => id);
  assert.deepEqual(failed, [guilty]);
  assert.equal(deaths, mostInterruptions);
  for (const [, count] of innocent) assert.ok(count <= suspectAfter + 1, `${count} calls`);
});

test('a run with many interruptions is claimed from the suspects’ lane, and from no other', async () => {
  const { sql } = database;
  const newId = () => uuidv7(noon);
  const projectId = await seedProject(sql);
  const channelId = await seedChannel(sql, projectId);
  const chats = [];
  for (let n = 0; n < 2; n += 1) chats.push(await seedChat(sql, projectId, { channelId }));
  const [suspect = '', other = ''] = chats;
  await sql`
    insert into scenario_runs (project_id, chat_id, id, params, lane, due_at, attempts, created_at)
    select ${projectId}, id, id, '{}', 0, ${noon}, case when id = ${suspect} then ${suspectAfter} else 0 end, ${noon}
    from unnest(${chats}::uuid[]) as id`;
  const due = (await dueProjects(sql)).filter(({ key }) => key === projectId);
  assert.deepEqual(new Set(due.map(({ areSuspects }) => areSuspects)), new Set([false, true]));
  for (const [areSuspects, chat] of [
    [false, other],
    [true, suspect],
  ] as const) {
    const lease = newId();
    const leaseUntil = new Date(noon.getTime() + leaseMs);
    await claimRuns(sql, { projectId, areSuspects, lease, now: noon, leaseUntil }, 10);
    const claimed = await sql`select chat_id from scenario_runs where lease = ${lease}`;
    assert.deepEqual(claimed, [{ chat_id: chat }]);
  }
});
