import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedProfile, seedProject } from '../../../test/seed.ts';
import { watchUnderWay } from '../../../test/under-way.ts';
import { uuidv7 } from '../../platform/id.ts';
import { applyTagsAndAttrs } from './apply.ts';

const { sql } = await testDatabase({ after });
const later = new Date(noon.getTime() + 60_000);
const entry = () => ({ id: uuidv7(later), actor: { type: 'bot_key', name: 'CRM' } as const, now: later });
let projectId: string;
let profileId: string;

beforeEach(async () => {
  projectId = await seedProject(sql);
  profileId = await seedProfile(sql, projectId, { tags: ['vip'] });
  for (const name of ['vip', 'new', 'lost']) await sql`insert into tags values (${projectId}, ${name})`;
  for (const name of ['city', 'size']) await sql`insert into attributes values (${projectId}, ${name})`;
});

const apply = (given: Parameters<typeof applyTagsAndAttrs>[3]) =>
  applyTagsAndAttrs(sql, projectId, profileId, given, entry());

const profile = async () => {
  const [row] = await sql`select tags, attrs, updated_at from profiles where id = ${profileId}`;
  return row;
};

test('defined tags are added once and defined attributes are set; undefined ones are skipped', async () => {
  await apply({ tags: ['new', 'vip', 'unheard-of', 'new'], attrs: { city: 'Bergen', colour: 'red' } });
  assert.deepEqual(await profile(), { tags: ['vip', 'new'], attrs: { city: 'Bergen' }, updated_at: later });
});

test('a null clears an attribute and leaves the others', async () => {
  await apply({ attrs: { city: 'Bergen', size: { eu: 42 } } });
  await apply({ attrs: { city: null, size: { eu: 43 } } });
  assert.deepEqual((await profile())?.attrs, { size: { eu: 43 } });
});

test('an update without changes does not count as an update', async () => {
  await apply({ tags: ['vip', 'unheard-of'], attrs: { city: null } });
  assert.deepEqual((await profile())?.updated_at, noon);
});

test('concurrent tags and attributes add up', async () => {
  await Promise.all([
    apply({ tags: ['new'], attrs: { city: 'Bergen' } }),
    apply({ tags: ['lost'], attrs: { size: 4 } }),
  ]);
  const row = await profile();
  assert.deepEqual(row?.tags.toSorted(), ['lost', 'new', 'vip']);
  assert.deepEqual(row?.attrs, { city: 'Bergen', size: 4 });
});

test('of many changes of one profile one is under way at a time', async () => {
  const watched = watchUnderWay(sql, /with given as/);
  const each = Array.from({ length: 10 }, (_, place) => ({ attrs: { size: place } }));
  await Promise.all(
    each.map((given) => applyTagsAndAttrs(watched.sql, projectId, profileId, given, entry())),
  );
  assert.equal(watched.most(), 1);
});

test("another project's profile is untouched, and its definitions do not count", async () => {
  const other = await seedProject(sql);
  await sql`insert into tags values (${other}, 'theirs')`;
  await sql`insert into attributes values (${other}, 'theirs')`;
  await applyTagsAndAttrs(sql, other, profileId, { tags: ['theirs'] }, entry());
  await apply({ tags: ['theirs'], attrs: { theirs: 1 } });
  assert.deepEqual((await profile())?.tags, ['vip']);
  assert.deepEqual((await profile())?.attrs, {});
});
