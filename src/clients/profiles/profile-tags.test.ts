import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedProject } from '../../../test/seed.ts';

const { sql, longSql } = await testDatabase({ after });

const add = (projectId: string, count: number) => longSql`
  insert into profiles (project_id, id, name, tags, created_at, updated_at)
  select ${projectId}, gen_random_uuid(), 'Ann ' || n, array['all', 'third ' || n % 3], ${noon}, ${noon}
  from generate_series(1, ${count}::int) as n`;

const tags = async (projectId: string) => {
  const rows = await sql<{ tag: string; kept: number; counted: number }[]>`
    select tag, count(*)::int as kept, (
      select sum(row_count)::int from row_counts
      where row_counts.project_id = profile_tags.project_id and table_name = 'profile_tags' and part = tag
    ) as counted
    from profile_tags where project_id = ${projectId} group by project_id, tag order by tag`;
  return rows.map(({ tag, kept, counted }) => [tag, kept, counted]);
};

test('each tag lists exactly its profiles, even after one statement on many', async () => {
  const projectId = await seedProject(sql);
  await add(projectId, 30);
  const thirds = ['third 0', 'third 1', 'third 2'].map((tag) => [tag, 10, 10]);
  assert.deepEqual(await tags(projectId), [['all', 30, 30], ...thirds]);
  await sql`update profiles set name = name || '!' where project_id = ${projectId}`;
  assert.deepEqual(await tags(projectId), [['all', 30, 30], ...thirds]);
  await sql`update profiles set tags = array['new', 'new', tags[2]] where project_id = ${projectId} and tags[2] <> 'third 0'`;
  assert.deepEqual(await tags(projectId), [['all', 10, 10], ['new', 20, 20], ...thirds]);
  await sql`update profiles set tags = '{}' where project_id = ${projectId} and 'third 1' = any (tags)`;
  await sql`delete from profiles where project_id = ${projectId} and 'third 2' = any (tags)`;
  assert.deepEqual(await tags(projectId), [
    ['all', 10, 10],
    ['third 0', 10, 10],
  ]);
});

test('one statement that changes thousands of profiles costs no more than a few that added them', async () => {
  const projectId = await seedProject(sql);
  // The trigger's plan is cached from a statement of one row.
  await add(projectId, 1);
  await sql`update profiles set name = 'one' where project_id = ${projectId}`;
  const timed = async (statement: PromiseLike<unknown>) => {
    const begun = performance.now();
    await statement;
    return performance.now() - begun;
  };
  const [adding, changing]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    const large = await seedProject(sql);
    adding.push(await timed(add(large, 3_000)));
    changing.push(await timed(sql`update profiles set name = name || '!' where project_id = ${large}`));
  }
  assert.ok(Math.min(...changing) < 5 * Math.min(...adding), JSON.stringify({ adding, changing }));
});
