import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { lookAtAll } from '../../test/audience-looks.ts';
import { seedClients, startScene } from '../../test/planning-scene.ts';
import { insertAudience, updateAudience } from '../clients/audiences/store.ts';
import { addTag } from '../clients/profiles/dictionary.ts';
import { learnPhone } from '../messaging/chats/learn-phone.ts';
import { findChat } from '../messaging/chats/store.ts';
import { addStarter } from '../scenarios/starters.ts';
import { daysOf } from './audience-days-store.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });
const dayMs = 86_400_000;
const tagged = (tag: string) => ({ all: [{ type: 'profile_tag', tag }] });

/** A project with clients, and an audience that starts a scenario. */
async function scene(count = 8) {
  const { project, profiles, chats } = await seedClients(sql, count);
  const id = context.newId();
  const about = { id, name: 'VIP', authorId: id, authorName: null };
  await insertAudience(sql, project, { ...about, filter: tagged('vip'), now: clock.now() });
  await sql`insert into scenarios (project_id, id, name, created_at) values (${project}, 1, 'Hello', ${clock.now()})`;
  const starter = await addStarter(context, project, 1, { kind: 'audience', value: id });
  const tag = (who: readonly string[], ...tags: string[]) =>
    sql`update profiles set tags = ${tags} where project_id = ${project} and id = any (${[...who]}::uuid[])`;
  const change = (filter: object) =>
    updateAudience(sql, project, { id, name: 'VIP', filter: { ...filter }, now: clock.now() });
  /** The clients whose starts were queued since the last time, and when they are due. */
  async function started() {
    const rows = await sql<{ profile_id: string; due_at: Date; params: object }[]>`
      delete from scenario_event_starts where project_id = ${project} returning profile_id, due_at, params`;
    for (const { params } of rows) assert.deepEqual(params, { audience: 'VIP' });
    return rows
      .toSorted((one, other) => (one.profile_id < other.profile_id ? -1 : 1))
      .map(({ profile_id, due_at }) => [profiles.indexOf(profile_id), due_at.toISOString()]);
  }
  return { project, profiles, chats, id, starter, tag, change, started };
}

async function nextDay(): Promise<void> {
  clock.advance(dayMs);
  await lookAtAll(context);
}

const nowText = (): string => clock.now().toISOString();

test('the first look starts nothing, and each client who enters later starts the scenario once', async () => {
  const { profiles, tag, started } = await scene();
  await tag(profiles.slice(0, 3), 'vip');
  await lookAtAll(context);
  assert.deepEqual(await started(), []);
  await tag(profiles.slice(0, 1));
  await tag(profiles.slice(5, 7), 'vip');
  await nextDay();
  assert.deepEqual(await started(), [
    [5, nowText()],
    [6, nowText()],
  ]);
  await lookAtAll(context);
  await nextDay();
  assert.deepEqual(await started(), []);
  await tag(profiles.slice(0, 1), 'vip');
  await nextDay();
  assert.deepEqual(await started(), [[0, nowText()]], 'a client who left may enter again');
});

test('clients who come by a change of the audience start nothing, and later ones do', async () => {
  const { profiles, tag, change, started } = await scene();
  await tag(profiles.slice(0, 4), 'new');
  await lookAtAll(context);
  clock.advance(60_000);
  await change(tagged('new'));
  await nextDay();
  assert.deepEqual(await started(), []);
  await tag(profiles.slice(4, 5), 'new');
  await nextDay();
  assert.deepEqual(await started(), [[4, nowText()]]);
});

test('a start waits for the end of the quiet hours where the client is', async () => {
  const { project, profiles, tag, started } = await scene();
  await sql`
    update projects set quiet_from = '21:00', quiet_until = '09:00', timezone = 'UTC' where id = ${project}`;
  await sql`update profiles set timezone = 'UTC' where id = ${profiles[0] ?? ''}`;
  await sql`update profiles set timezone = 'Asia/Tokyo' where id = ${profiles[1] ?? ''}`;
  await lookAtAll(context);
  await tag(profiles.slice(0, 2), 'vip');
  await nextDay();
  const morning = `${new Date(clock.now().getTime() + dayMs).toISOString().slice(0, 10)}T00:00:00.000Z`;
  assert.deepEqual(await started(), [
    [0, nowText()],
    [1, morning],
  ]);
});

test('a start that is off, or of another audience, queues nothing', async () => {
  const { project, profiles, starter, tag, started } = await scene();
  await sql`update scenario_event_starters set is_enabled = false where id = ${starter}`;
  const other = context.newId();
  const about = { id: other, name: 'All', authorId: other, authorName: null, filter: { all: [] } };
  await insertAudience(sql, project, { ...about, now: clock.now() });
  await lookAtAll(context);
  await tag(profiles, 'vip');
  await nextDay();
  assert.deepEqual(await started(), []);
});

test('a client does not enter again by a merge into another profile, and the numbers add up', async () => {
  const { project, profiles, chats, id, tag, started } = await scene();
  await addTag(context, { projectId: project, name: 'vip' });
  await tag(profiles.slice(0, 2), 'vip');
  await sql`
    update profiles set phone_number = null, external_id = null
    where project_id = ${project} and id = any (${profiles.slice(0, 2)}::uuid[])`;
  await lookAtAll(context);
  await tag(profiles.slice(3, 4), 'vip');
  await nextDay();
  assert.deepEqual(await started(), [[3, nowText()]]);
  // The first goes to a client outside of the audience, the second to one in it.
  for (const [from, to] of [
    [0, 2],
    [1, 3],
  ] as const) {
    const chat = await findChat(sql, project, chats[from] ?? '');
    assert.ok(chat);
    await learnPhone(context, chat, `+1555000${1000 + to}`, { type: 'channel', name: 'Test' });
  }
  await nextDay();
  assert.deepEqual(await started(), []);
  assert.deepEqual(
    (await daysOf(sql, project, id, 90)).map(({ size, came, gone }) => [size, came, gone]),
    [
      [2, null, null],
      [3, 1, 0],
      [2, 0, 1],
    ],
  );
});
