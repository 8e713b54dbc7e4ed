import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { seedProfile } from '../../../../test/seed.ts';
import { namesAttribute, namesTag } from './rules.ts';

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { call, context, longSql } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const { projectId } = partner;
const admin = await signIn(context, { projectId, name: 'Ada' });
const operator = await signIn(context, { projectId, role: 'operator' });
const theirs = await signIn(context, { projectId: stranger.projectId });

const ask = (method: string, path: string, body?: object, { headers } = admin) =>
  call(method, `/console/api/${path}`, { headers, body });

/** Deletes a tag or an attribute, and returns the number of steps. */
async function removed(kind: 'tags' | 'attributes', name: string): Promise<number> {
  let next: string | null = '00000000-0000-0000-0000-000000000000';
  let steps = 0;
  for (; next !== null; steps += 1) {
    const { status, body } = await ask('DELETE', `${kind}/?name=${name}&after=${next}`);
    assert.equal(status, 200, JSON.stringify(body));
    next = body.next;
  }
  return steps;
}

const awkward = '../a b/?&#%';

test('definitions are listed by name, with the number of their profiles', async () => {
  for (const name of ['b', awkward]) assert.equal((await ask('POST', 'tags/', { name })).status, 204);
  for (const name of ['size', 'city']) assert.equal((await ask('POST', 'attributes/', { name })).status, 204);
  const id = await seedProfile(sql, projectId, { tags: ['b'] });
  await seedProfile(sql, projectId, { tags: ['b', awkward] });
  await sql`update profiles set attrs = '{"city": "Oslo"}' where id = ${id}`;
  const tags = (await ask('GET', 'tags/', undefined, operator)).body;
  assert.deepEqual(tags.results, [
    { name: awkward, profiles: 1 },
    { name: 'b', profiles: 2 },
  ]);
  const attributes = (await ask('GET', 'attributes/', undefined, operator)).body;
  assert.deepEqual(attributes, {
    results: [
      { name: 'city', profiles: 1 },
      { name: 'size', profiles: 0 },
    ],
    counted_among: 2,
    total: 2,
  });
  assert.deepEqual((await ask('GET', 'tags/', undefined, theirs)).body.results, []);
});

test('a name has 1 to 100 characters, and only administrators change definitions', async () => {
  for (const path of ['tags/', 'attributes/']) {
    assert.deepEqual((await ask('POST', path, { name: 'x'.repeat(101) })).body, {
      name: ['Ensure this field has no more than 100 characters.'],
    });
    assert.equal((await ask('POST', path, { name: '' })).status, 400);
    assert.equal((await ask('POST', path, { name: 'mine' }, operator)).status, 403);
    assert.equal((await ask('DELETE', `${path}?name=b`, undefined, operator)).status, 403);
  }
});

test('a deleted tag is removed from all profiles, in several steps, on behalf of the person who deleted it', async () => {
  await ask('POST', 'tags/', { name: 'gone' });
  await longSql`
    insert into profiles (project_id, id, tags, attrs, created_at, updated_at)
    select ${projectId}, gen_random_uuid(), '{b, gone}', '{"city": "Bergen", "size": 7}', now(), now()
    from generate_series(1, 2100)`;
  const other = await seedProfile(sql, stranger.projectId, { tags: ['gone'] });
  assert.equal(await removed('tags', 'gone'), 2);
  const [left] = await sql<[{ mine: number; b: number; records: number; theirs: number }]>`
    select
      (select count(*)::int from profiles where project_id = ${projectId} and 'gone' = any (tags)) as mine,
      (select count(*)::int from profiles where project_id = ${projectId} and 'b' = any (tags)) as b,
      (
        select count(*)::int from profile_audit
        where project_id = ${projectId} and actor_type = 'operator' and actor_name = 'Ada'
          and changes = '{"tags": [["b", "gone"], ["b"]]}'
      ) as records,
      (select count(*)::int from profiles where id = ${other} and tags = '{gone}') as theirs`;
  assert.deepEqual(left, { mine: 0, b: 2_102, records: 2_100, theirs: 1 });
  assert.equal((await ask('DELETE', 'tags/?name=gone')).status, 404);
});

test('a deleted attribute leaves no values behind, and others stay unchanged', async () => {
  assert.equal(await removed('attributes', 'city'), 2);
  const [left] = await sql<[{ cities: number; sizes: number; records: number }]>`
    select
      (select count(*)::int from profiles where project_id = ${projectId} and attrs ? 'city') as cities,
      (select count(*)::int from profiles where project_id = ${projectId} and attrs ->> 'size' = '7') as sizes,
      (
        select count(*)::int from profile_audit
        where project_id = ${projectId} and changes = '{"attrs": [{"city": "Bergen", "size": 7}, {"size": 7}]}'
      ) as records`;
  assert.deepEqual(left, { cities: 0, sizes: 2_100, records: 2_100 });
  assert.equal((await ask('DELETE', 'attributes/?name=city')).status, 404);
});

test('the uses of a tag or an attribute are listed before it is deleted', async () => {
  const mailing = (name: string, filter: object, rest = {}) =>
    call('POST', '/api/partners/mailings/', {
      headers: partner.key,
      body: {
        name,
        content_type: 'TEXT',
        text: 'Hi',
        planned_at: '2099-01-01T00:00:00Z',
        filter_chats: filter,
        ...rest,
      },
    });
  const one = await mailing('By tag', { any: [{ type: 'profile_tag', tag__in: ['b', 'c'] }] });
  const two = await mailing('By attribute', { all: [{ type: 'profile_attribute', size__gt: '5' }] });
  const three = await mailing('By text', { all: [] }, { text: 'You wear {{ attrs.size }}' });
  assert.deepEqual([one.status, two.status, three.status], [201, 201, 201], JSON.stringify(one.body));
  assert.deepEqual((await ask('GET', 'tags/uses/?name=b')).body, { mailings: ['By tag'], scenarios: [] });
  assert.deepEqual((await ask('GET', 'tags/uses/?name=size')).body, { mailings: [], scenarios: [] });
  assert.deepEqual((await ask('GET', 'attributes/uses/?name=size')).body, {
    mailings: ['By text', 'By attribute'],
    scenarios: [],
  });
  assert.deepEqual((await ask('GET', 'tags/uses/?name=b', undefined, theirs)).body.mailings, []);
});

test('a scenario names tags and attributes in its steps, its branches and its texts', () => {
  const steps = [
    { type: 'set', add_tags: ['vip'], attributes: { city: 'Oslo' } },
    { type: 'ask', keep: { attribute: 'size' } },
    { type: 'branch', cases: [{ when: { type: 'profile_tag', name: 'old' } }] },
    { type: 'message', text: 'Hi {{attrs.pet}}' },
  ];
  assert.deepEqual(
    ['vip', 'old', 'city', 'profile_tag'].map((name) => namesTag(name, { steps })),
    [true, true, false, false],
  );
  assert.deepEqual(
    ['city', 'size', 'pet', 'vip', 'siz'].map((name) => namesAttribute(name, { steps })),
    [true, true, true, false, false],
  );
});
