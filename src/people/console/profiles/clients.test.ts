import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { planOf } from '../../../../test/plan.ts';
import { seedProfile } from '../../../../test/seed.ts';
import { addAttribute, addTag } from '../../../clients/profiles/dictionary.ts';
import { knownBy } from '../../../clients/profiles/search-store.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context, longSql } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const { projectId } = partner;
const { headers } = await signIn(context, { projectId, role: 'operator', name: 'Olga' });
const theirs = await signIn(context, { projectId: stranger.projectId });
for (const name of ['vip', 'new']) await addTag(context, { projectId, name });
for (const name of ['city', 'size']) await addAttribute(context, { projectId, name });

const path = '/console/api/profiles/';

const list = async (query: Record<string, string>) => {
  const { status, body } = await call('GET', `${path}?${new URLSearchParams(query)}`, { headers });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

async function person(fields: {
  name?: string;
  email?: string;
  phone_number?: string;
  external_id?: string;
}) {
  const id = await seedProfile(sql, projectId, fields);
  await sql`update profiles set name = ${fields.name ?? null}, email = ${fields.email ?? null} where id = ${id}`;
  return id;
}

test('people are found by the beginning of a name, number or address, or by their whole external id', async () => {
  const anna = await person({
    name: 'Анна Сергеевна Белова',
    email: 'Belova@shop.test',
    phone_number: '+79161234567',
    external_id: 'crm_7',
  });
  await seedProfile(sql, stranger.projectId, { external_id: 'crm_7', phone_number: '+79161234567' });
  const searches = [
    'анна',
    'АННА с',
    'сергеевна',
    '+7916',
    '7 (916) 123-45-67',
    'bELOVA@',
    'crm_7',
    ' Анна ',
  ];
  for (const search of searches) {
    const { results, count, is_partial } = await list({ search });
    assert.deepEqual([results.map(({ uuid }: { uuid: string }) => uuid), count], [[anna], 1], search);
    assert.equal(is_partial, false);
  }
  for (const search of ['нна', 'crm_', 'CRM_7', 'shop.test', '916', '79', '+7', '%', 'а_', '\u0000']) {
    assert.deepEqual((await list({ search })).results, [], search);
  }
});

test('a search within a tag finds only profiles with the tag', async () => {
  const [one, two] = [await person({ name: 'Tag One' }), await person({ name: 'Tag Two' })];
  await call('PUT', `${path}${two}/`, { headers, body: { tags: ['vip'], seen: {} } });
  const named = async (query: Record<string, string>) =>
    (await list(query)).results.map(({ uuid }: { uuid: string }) => uuid);
  assert.deepEqual(await named({ search: 'tag' }), [two, one]);
  assert.deepEqual(await named({ search: 'tag', tag: 'vip' }), [two]);
  assert.deepEqual(await named({ tag: 'vip' }), [two]);
});

test('a client without a name is shown by other data, with the time of the last activity', async () => {
  const { profile } = await partner.client('someone', { username: 'some.one' });
  await sql`update profiles set name = null where id = ${profile}`;
  await sql`update chats set name = null where profile_id = ${profile}`;
  const client = (await list({})).results.find(({ uuid }: { uuid: string }) => uuid === profile);
  assert.deepEqual([client.title, client.last_active_at], ['@some.one', clock.now().toISOString()]);
  const nobody = await person({});
  const unknown = (await list({})).results.find(({ uuid }: { uuid: string }) => uuid === nobody);
  assert.deepEqual([unknown.title, unknown.last_active_at], [null, null]);
});

test('a search reads only indexes, and no more rows than it shows, among many profiles', async () => {
  const crowd = stranger.projectId;
  await longSql`
    insert into profiles (project_id, id, name, phone_number, email, created_at, updated_at)
    select ${crowd}, gen_random_uuid(), 'Client ' || n, '+1202' || (1000000 + n), 'c' || n || '@mail.test', now(), now()
    from generate_series(1, 1200) as n`;
  for (const search of ['client 199', 'client', '+12021', 'c77']) {
    const plan = await planOf(sql, knownBy(sql, crowd, { text: search, country: null }));
    assert.doesNotMatch(plan, /Seq Scan|Sort/);
    for (const index of ['profiles_name', 'profiles_later_names', 'profiles_email']) {
      assert.ok(plan.includes(index), `${index}: ${plan}`);
    }
  }
  const answer = await call('GET', `${path}?search=client`, { headers: theirs.headers });
  assert.deepEqual([answer.body.count, answer.body.is_partial], [1000, true]);
});

test('a change is recorded under the operator who made it', async () => {
  const id = await person({ name: 'Ann' });
  const body = { name: 'Ann Lee', attrs: { city: 'Oslo' }, seen: { name: 'Ann', attrs: { city: null } } };
  const { status, body: changed } = await call('PUT', `${path}${id}/`, { headers, body });
  assert.deepEqual([status, changed.name, changed.attrs], [200, 'Ann Lee', { city: 'Oslo' }]);
  const { body: audit } = await call('GET', `${path}audit/?profile=${id}`, { headers });
  const [{ actor, changes }] = audit.results;
  assert.deepEqual(actor, { type: 'operator', name: 'Olga' });
  assert.deepEqual(changes, { name: ['Ann', 'Ann Lee'], attrs: [{}, { city: 'Oslo' }] });
});

test('an attribute that was cleared concurrently is not overwritten unseen', async () => {
  const id = await person({ name: 'Ann' });
  const put = (body: object) => call('PUT', `${path}${id}/`, { headers, body });
  await put({ attrs: { city: 'Bergen' }, seen: {} });
  await put({ attrs: { city: null }, seen: { attrs: { city: 'Bergen' } } });
  const stale = await put({ attrs: { city: 'Oslo' }, seen: { attrs: { city: 'Bergen' } } });
  assert.deepEqual([stale.status, stale.body.profile.attrs], [409, {}]);
});

test('a concurrent change is not overwritten unseen, and other fields are no conflict', async () => {
  const id = await person({ name: 'Bob', email: 'bob@mail.test' });
  const put = (body: object) => call('PUT', `${path}${id}/`, { headers, body });
  await put({ name: 'Robert', attrs: { city: 'Bergen' }, tags: ['new'], seen: {} });
  const stale: object[] = [
    { name: 'Bobby', seen: { name: 'Bob' } },
    { tags: ['vip'], seen: { tags: [] } },
    { attrs: { city: 'Oslo' }, seen: { attrs: { city: null } } },
    { name: null, email: null, seen: { name: 'Bob', email: 'bob@mail.test' } },
  ];
  for (const body of stale) {
    const answer = await put(body);
    assert.equal(answer.status, 409, JSON.stringify(body));
    const { name, email, tags, attrs } = answer.body.profile;
    assert.deepEqual(
      { name, email, tags, attrs },
      { name: 'Robert', email: 'bob@mail.test', tags: ['new'], attrs: { city: 'Bergen' } },
    );
  }
  const fresh: object[] = [
    { email: 'b@mail.test', seen: { email: 'bob@mail.test' } },
    { email: 'b@mail.test', seen: { email: 'b@mail.test' } },
    { attrs: { size: 'M' }, seen: { attrs: { size: null } } },
    { tags: [], attrs: { city: null }, seen: { tags: ['new'], attrs: { city: 'Bergen' } } },
  ];
  for (const body of fresh) assert.equal((await put(body)).status, 200, JSON.stringify(body));
});

test('of many concurrent changes of one field one wins, and the others get a conflict', async () => {
  const id = await person({ name: 'Eve' });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      call('PUT', `${path}${id}/`, { headers, body: { name: `Eve ${index}`, seen: { name: 'Eve' } } }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
});

test('the timeline has the events of all chats, newest first, and its pages have no gap', async () => {
  const { profile, chat } = await partner.client('timely');
  const event = (rest: object) => ({
    chat: { uuid: chat },
    sender: { name: 'Max', uuid: context.newId() },
    timestamp: clock.now().getTime(),
    ...rest,
  });
  const connector = async (rest: object) => {
    clock.advance(1_000);
    const { status } = await call('POST', '/api/partners/connector/', {
      headers: partner.token,
      body: event(rest),
    });
    assert.equal(status, 200);
  };
  await connector({ event: 'message_created', message: { type: 'text', text: 'Hello', external_id: 'm-1' } });
  await connector({ event: 'note_created', note: { text: 'Be kind' } });
  await connector({ event: 'session_closed', session: { category_name: 'Sales', theme_name: 'Price' } });
  clock.advance(1_000);
  const group = await call('POST', '/api/partners/promocode-groups/', {
    headers: partner.key,
    body: { name: 'Spring' },
  });
  await call('POST', '/api/partners/promocodes/', {
    headers: partner.key,
    body: { code: 'SALE', group: group.body.uuid, issued_chat: chat },
  });
  const read = async (query = '') =>
    (await call('GET', `${path}${profile}/timeline/${query}`, { headers })).body;
  const { results, next } = await read();
  assert.equal(next, null);
  assert.deepEqual(
    results.map(({ kind, text }: { kind: string; text: string }) => [kind, text]),
    [
      ['promocode', 'SALE'],
      ['session_closed', 'Sales · Price'],
      ['note', 'Be kind'],
      ...results.slice(3).map(({ kind, text }: { kind: string; text: string }) => [kind, text]),
    ],
  );
  assert.deepEqual(
    new Set(results.slice(3, 5).map(({ kind }: { kind: string }) => kind)),
    new Set(['message', 'session_opened']),
  );
  const moments = results.map(({ at }: { at: string }) => at);
  assert.deepEqual(moments, [...moments].sort().reverse());
  for (let index = 0; index < results.length; index += 1) {
    const rest = await read(`?before=${results[index].id}`);
    assert.deepEqual(rest.results, results.slice(index + 1), results[index].kind);
  }
  const foreign = await call('GET', `${path}${profile}/timeline/`, { headers: theirs.headers });
  assert.equal(foreign.status, 404);
});
