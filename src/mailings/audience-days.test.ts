import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { lookAtAll } from '../../test/audience-looks.ts';
import { seedClients, startScene } from '../../test/planning-scene.ts';
import { seedProject } from '../../test/seed.ts';
import { forgetMembers } from '../clients/audiences/members-store.ts';
import { deleteAudience, insertAudience, updateAudience } from '../clients/audiences/store.ts';
import { beginLook, daysOf, dueLooks, lookAtNext } from './audience-days-store.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });
const { project, profiles, channel } = await seedClients(sql, 75);
const dayMs = 86_400_000;

async function addAudience(filter: Parameters<typeof insertAudience>[2]['filter'], projectId = project) {
  const id = context.newId();
  const audience = { id, name: `A ${id}`, filter, authorId: id, authorName: null, now: clock.now() };
  assert.equal(await insertAudience(sql, projectId, audience), true);
  return id;
}

const vip = { all: [{ type: 'profile_tag', tag: 'vip' }] };
const tag = (from: number, to: number, tags: string[]) =>
  sql`update profiles set tags = ${tags} where project_id = ${project} and id = any (${profiles.slice(from, to)}::uuid[])`;
const numbers = async (id: string, projectId = project) =>
  (await daysOf(sql, projectId, id, 90)).map(({ size, came, gone }) => [size, came, gone]);

async function nextDay(): Promise<void> {
  clock.advance(dayMs);
  await lookAtAll(context);
}

test('each day keeps the size, and who came and went since the day before', async () => {
  const id = await addAudience(vip);
  await tag(0, 10, ['vip']);
  await tag(74, 75, ['vip']);
  await lookAtAll(context);
  assert.deepEqual(await numbers(id), [[11, null, null]]);
  await tag(0, 3, []);
  await tag(20, 45, ['vip']);
  await lookAtAll(context);
  assert.deepEqual(await numbers(id), [[11, null, null]], 'one look a day');
  await nextDay();
  await nextDay();
  assert.deepEqual(await numbers(id), [
    [11, null, null],
    [33, 25, 3],
    [33, 0, 0],
  ]);
  const leaving = [profiles[30] ?? '', profiles[74] ?? ''];
  await sql`
    update chats set stopped_at = ${clock.now()} where project_id = ${project} and profile_id = any (${leaving}::uuid[])`;
  await nextDay();
  assert.deepEqual((await numbers(id)).at(-1), [31, 0, 2]);
  await deleteAudience(sql, project, id);
});

test('a look that was interrupted continues where it was, and counts nobody twice', async () => {
  const id = await addAudience({ all: [] });
  const choice = {
    projectId: project,
    list: null,
    filter: null,
    topicId: null,
    platforms: ['API_Messenger', 'Telegram'],
    contentTypes: { asTemplate: 'TEXT', elsewhere: 'TEXT' },
    chats: null,
    besides: null,
    quiet: null,
  } as const;
  /** Two processes look at the first few at once, and then both end. */
  async function lookAndStop(): Promise<void> {
    const day = clock.now().toISOString().slice(0, 10);
    const look = await beginLook(sql, { project_id: project, audience_id: id }, day);
    assert.ok(look);
    const part = { choice, atOnce: 7, now: clock.now() };
    const outcomes = await Promise.all([lookAtNext(sql, look, part), lookAtNext(sql, look, part)]);
    assert.equal(outcomes.filter((one) => one !== undefined).length, 1, 'of two at once one goes on');
  }
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int from chats where project_id = ${project} and channel_id = ${channel} and stopped_at is null`;
  await lookAndStop();
  await lookAtAll(context);
  assert.deepEqual(await numbers(id), [[count, null, null]]);

  clock.advance(dayMs);
  await lookAndStop();
  clock.advance(dayMs);
  await lookAtAll(context);
  await lookAtAll(context);
  assert.deepEqual(await numbers(id), [
    [count, null, null],
    [count, 0, 0],
    [count, 0, 0],
  ]);
  await deleteAudience(sql, project, id);
});

test('a filter that cannot be read ends its look with the reason, and the others are looked at', async () => {
  const other = await seedProject(sql);
  const id = await addAudience({ all: [{ type: 'forgotten', x: 1 }] }, other);
  const sound = await addAudience({ all: [] }, other);
  await lookAtAll(context);
  const [day] = await daysOf(sql, other, id, 90);
  assert.match(day?.problem ?? '', /^The filter cannot be read: all\.0: /);
  assert.deepEqual(await numbers(sound, other), [[0, null, null]]);
  const now = clock.now();
  await updateAudience(sql, other, { id, name: 'Mended', filter: { all: [] }, now });
  await nextDay();
  assert.deepEqual((await numbers(id, other)).at(-1), [0, null, null], 'nothing to compare with');
});

test('the clients of a deleted audience are forgotten, and no others', async () => {
  const [gone, kept] = [await addAudience({ all: [] }), await addAudience({ all: [] })];
  await lookAtAll(context);
  await deleteAudience(sql, project, gone);
  await lookAtAll(context);
  const rows = await sql<{ audience_id: string }[]>`
    select distinct audience_id from audience_members where project_id = ${project}`;
  assert.deepEqual(
    rows.map(({ audience_id }) => audience_id),
    [kept],
  );
  assert.equal(await forgetMembers(sql, 5), 0);
});

test('a project with many audiences delays those of others by one each', async () => {
  const [many, few] = [await seedProject(sql), await seedProject(sql)];
  const made: [string, string][] = [];
  for (const owner of [many, many, many, few, few]) {
    made.push([owner, await addAudience({ all: [] }, owner)]);
  }
  const due = await dueLooks(sql, '2099-01-01', 1_000);
  const owners = due.filter(({ audience_id }) => made.some(([, id]) => id === audience_id));
  const places = owners.map(({ project_id }) => project_id);
  assert.deepEqual(new Set(places.slice(0, 2)), new Set([many, few]));
  assert.deepEqual(new Set(places.slice(2, 4)), new Set([many, few]));
  for (const [owner, id] of made) await deleteAudience(sql, owner, id);
});
