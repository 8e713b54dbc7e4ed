import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { seedMailing, seedMailingMessages } from '../../test/mailing.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../test/seed.ts';
import { somebodyWaits, twoSessions } from '../../test/waiting.ts';
import { claimMessages } from '../messaging/sending/claim.ts';
import type { Sql } from '../platform/database/database.ts';
import { uuidv7 } from '../platform/id.ts';
import { stopMailing } from './store.ts';

const { sql } = await testDatabase({ after });
const later = new Date(noon.getTime() + 60_000);

async function scene(state = 'in_process') {
  const projectId = await seedProject(sql);
  const channelId = await seedChannel(sql, projectId);
  await sql`
    insert into channel_pace (project_id, channel_id, tokens_at, resume_at, window_at)
    values (${projectId}, ${channelId}, ${noon}, ${noon}, ${noon})`;
  const chat = await seedChat(sql, projectId, { channelId });
  const mailing = await seedMailing(sql, projectId, { state });
  await seedMailingMessages(sql, projectId, mailing, [{ chat }, { chat }, { chat }]);
  const claim = async (on: Sql, free: number): Promise<number> => {
    const claimed = await claimMessages(on, [{ channelId, free }], {
      lease: uuidv7(noon),
      now: noon,
      leaseUntil: later,
    });
    return claimed.length;
  };
  const stop = () => stopMailing(sql, projectId, mailing, later);
  const row = async () => {
    const [found] = await sql`
      select state, stage, lease, due_at, completed_at, progress from mailings where id = ${mailing}`;
    return found;
  };
  return { projectId, mailing, claim, stop, row };
}

const moments: [state: string, change: object, expected: object][] = [
  [
    'in_process',
    { stage: 'planning', lease: uuidv7(noon), due_at: noon },
    { state: 'stopped', stage: 'stopping', due_at: later, completed_at: later },
  ],
  [
    'planned',
    { stage: null, lease: null, due_at: later },
    { state: 'stopped', stage: null, due_at: null, completed_at: null },
  ],
  [
    'planned',
    { completed_at: noon, due_at: later },
    { state: 'stopped', stage: null, due_at: null, completed_at: noon },
  ],
];

for (const [state, change, expected] of moments) {
  test(`a stop of a mailing that is ${state} takes it from its planner: ${JSON.stringify(expected)}`, async () => {
    const { mailing, stop, row } = await scene(state);
    await sql`
      update mailings set progress = '{"cursor": "x", "prepared": 3}', (stage, lease, due_at, completed_at) = (
        select stage, lease, due_at, completed_at from jsonb_populate_record(mailings, ${sql.json(change)}))
      where id = ${mailing}`;
    assert.equal(await stop(), true);
    assert.deepEqual({ ...(await row()) }, { ...expected, lease: null, progress: { prepared: 3 } });
    assert.equal(await stop(), false);
  });
}

for (const state of ['completed', 'stopped', 'error']) {
  test(`a mailing that is ${state} stays unchanged`, async () => {
    const { mailing, stop, row } = await scene(state);
    await sql`update mailings set due_at = ${noon}, completed_at = ${noon} where id = ${mailing}`;
    const before = await row();
    assert.equal(await stop(), false);
    assert.deepEqual(await row(), before);
  });
}

test('a stop waits for the running claim, and the next claim takes nothing', twoSessions, async () => {
  const { mailing, claim, stop } = await scene();
  let stopping: Promise<boolean> | undefined;
  let stopped = false;
  await sql.begin(async (claiming) => {
    assert.equal(await claim(claiming, 1), 1);
    stopping = stop().finally(() => {
      stopped = true;
    });
    await somebodyWaits(sql);
    assert.equal(stopped, false);
  });
  assert.equal(await stopping, true);
  assert.equal(await claim(sql, 1), 0);
  assert.equal(await claim(sql, 5), 0);
  const states =
    await sql`select state, count(*)::int as n from messages where mailing_id = ${mailing} group by state`;
  assert.deepEqual(Object.fromEntries(states.map(({ state, n }) => [state, n])), {
    IN_PROCESS: 1,
    CANCELLED: 2,
  });
});

test('a claim waits for the running stop, and takes none of the stopped messages', twoSessions, async () => {
  const { projectId, mailing, claim } = await scene();
  let claiming: ReturnType<typeof claim> | undefined;
  await sql.begin(async (stopping) => {
    assert.equal(await stopMailing(stopping, projectId, mailing, later), true);
    claiming = claim(sql, 3);
    await somebodyWaits(sql);
  });
  assert.equal(await claiming, 0);
});

test('a planner that records progress, or renews its lease, delays no claim', twoSessions, async () => {
  const { mailing, claim } = await scene();
  await sql.begin(async (planning) => {
    await planning`
      update mailings set progress = '{"cursor": "x"}', lease = ${uuidv7(noon)}, due_at = ${later} where id = ${mailing}`;
    assert.equal(await claim(sql, 3), 3);
  });
});
