import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { seedProfile, seedProject } from '../../../test/seed.ts';
import { twoSessions } from '../../../test/waiting.ts';
import { countRows } from './row-counts.ts';

const { sql } = await testDatabase({ after });

test('rows are counted per project as they come and go, and per tag', async () => {
  const [here, there] = [await seedProject(sql), await seedProject(sql)];
  assert.equal(await countRows(sql, here, 'profiles'), 0);
  await seedProfile(sql, here, { tags: ['a', 'b'] });
  await seedProfile(sql, here, { tags: ['b'] });
  await seedProfile(sql, there, { tags: ['b', 'b'] });
  assert.deepEqual(
    await Promise.all([
      countRows(sql, here, 'profiles'),
      countRows(sql, here, 'profile_tags', 'a'),
      countRows(sql, here, 'profile_tags', 'b'),
      countRows(sql, there, 'profile_tags', 'b'),
    ]),
    [2, 1, 2, 1],
  );
  await sql`delete from profiles where project_id = ${here} and tags @> array['a']`;
  assert.deepEqual(
    await Promise.all([
      countRows(sql, here, 'profiles'),
      countRows(sql, here, 'profile_tags', 'a'),
      countRows(sql, here, 'profile_tags', 'b'),
    ]),
    [1, 0, 1],
  );
});

test('a statement on several projects counts in each', async () => {
  const projects = [await seedProject(sql), await seedProject(sql)];
  await sql`
    insert into profiles (project_id, id, created_at, updated_at)
    select project_id, gen_random_uuid(), now(), now()
    from unnest(${projects}::uuid[]) as project_id, generate_series(1, 3)`;
  assert.deepEqual(await Promise.all(projects.map((project) => countRows(sql, project, 'profiles'))), [3, 3]);
});

test('rows of a failed transaction are not counted', async () => {
  const project = await seedProject(sql);
  await seedProfile(sql, project);
  await assert.rejects(
    sql.begin(async (transaction) => {
      await seedProfile(transaction, project);
      await transaction`select 1 / 0`;
    }),
  );
  assert.equal(await countRows(sql, project, 'profiles'), 1);
});

test('concurrent writers lose no row', async () => {
  const project = await seedProject(sql);
  await Promise.all(Array.from({ length: 60 }, () => seedProfile(sql, project)));
  assert.equal(await countRows(sql, project, 'profiles'), 60);
});

test('a writer does not wait for another transaction that has added rows', twoSessions, async () => {
  const project = await seedProject(sql);
  await seedProfile(sql, project);
  await sql.begin(async (transaction) => {
    await seedProfile(transaction, project);
    await seedProfile(sql, project);
    assert.equal(await countRows(sql, project, 'profiles'), 2);
  });
  assert.equal(await countRows(sql, project, 'profiles'), 3);
});
