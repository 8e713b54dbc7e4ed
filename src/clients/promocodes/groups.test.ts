import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';

const path = '/api/partners/promocode-groups/';
const unknown = '018f0000-0000-7000-8000-000000000000';
const patchbay = await startPatchbay({ after }, { clock: manualClock(), config: { roles: ['api'] } });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);

const create = (body: unknown, headers: Record<string, string> = partner.key) =>
  call('POST', path, { headers, body });
const at = (uuid: string) => `${path}${uuid}/`;
const notFound = { detail: 'Not found.' };

test('a group is created, read, renamed and deleted', async () => {
  const made = await create({ name: 'Spring', uuid: unknown });
  assert.deepEqual([made.status, made.body], [201, { uuid: made.body.uuid, name: 'Spring' }]);
  assert.notEqual(made.body.uuid, unknown);
  const group = at(made.body.uuid);

  const read = await call('GET', group, { headers: partner.token });
  assert.deepEqual([read.status, read.body], [200, made.body]);

  const renamed = await call('PATCH', group, { headers: partner.key, body: { name: 'Summer' } });
  assert.deepEqual([renamed.status, renamed.body], [200, { ...made.body, name: 'Summer' }]);
  const unchanged = await call('PATCH', group, { headers: partner.key, body: {} });
  assert.deepEqual([unchanged.status, unchanged.body], [200, renamed.body]);

  assert.equal((await call('DELETE', group, { headers: partner.key })).status, 204);
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const gone = await call(method, group, {
      headers: partner.key,
      body: method === 'PATCH' ? {} : undefined,
    });
    assert.deepEqual([gone.status, gone.body], [404, notFound], method);
  }
});

test('a deletion that waits for another one finds no group', twoSessions, async () => {
  const { uuid } = (await create({ name: 'Short-lived' })).body;
  const [late] = await context.sql.begin(async (deletion) => {
    await deletion`delete from promocode_groups where id = ${uuid}`;
    const second = call('DELETE', at(uuid), { headers: partner.key });
    await somebodyWaits(deletion);
    // In an array, because the transaction would wait for a promise.
    return [second];
  });
  const answer = await late;
  assert.deepEqual([answer?.status, answer?.body], [404, notFound]);
});

const names: [promise: string, body: unknown, complaint: unknown][] = [
  ['is required', {}, { name: ['This field is required.'] }],
  ['may not be null', { name: null }, { name: ['This field may not be null.'] }],
  ['may not be blank', { name: '' }, { name: ['This field may not be blank.'] }],
  ['is a text', { name: 5 }, { name: ['Not a valid string.'] }],
  [
    'has at most 1024 characters',
    { name: '😀'.repeat(1025) },
    { name: ['Ensure this field has no more than 1024 characters.'] },
  ],
];

for (const [promise, body, complaint] of names) {
  test(`a name ${promise}`, async () => {
    const { status, body: answer } = await create(body);
    assert.deepEqual([status, answer], [400, complaint]);
  });
}

test('a name may have 1024 characters of any kind, and equal another group’s', async () => {
  const name = '😀'.repeat(1024);
  const [first, second] = [await create({ name }), await create({ name })];
  assert.deepEqual([first.status, second.status, first.body.name], [201, 201, name]);
  assert.notEqual(first.body.uuid, second.body.uuid);
});

test('a new name follows the same rules, and null changes nothing', async () => {
  const { body: group } = await create({ name: 'Autumn' });
  const unchanged = await call('PATCH', at(group.uuid), { headers: partner.key, body: { name: null } });
  assert.deepEqual([unchanged.status, unchanged.body], [200, group]);
  for (const [, body, complaint] of names.slice(2)) {
    const answer = await call('PATCH', at(group.uuid), { headers: partner.key, body });
    assert.deepEqual([answer.status, answer.body], [400, complaint]);
  }
});

test('another project’s group is as unknown as one that never existed', async () => {
  const { body: group } = await create({ name: 'Ours' });
  for (const uuid of [group.uuid, unknown, 'spring']) {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 5 } : undefined;
      const answer = await call(method, at(uuid), { headers: stranger.key, body });
      assert.deepEqual([answer.status, answer.body], [404, notFound], `${method} ${uuid}`);
    }
  }
  assert.deepEqual((await call('GET', at(group.uuid), { headers: partner.key })).body, group);
});

test('the list has the project’s own groups, newest first, with their count', async (t) => {
  const { token } = await createPartner(t, patchbay);
  const made = [];
  for (const name of ['a', 'b', 'c']) made.push((await create({ name }, token)).body);
  await call('DELETE', at(made[1].uuid), { headers: token });

  const list = (query: string) => call('GET', path + query, { headers: token });
  const link = `https://patchbay.test${path}?limit=1`;
  const whole = await list('');
  assert.equal(whole.status, 200);
  assert.deepEqual(whole.body, { count: 2, next: null, previous: null, results: [made[2], made[0]] });
  assert.deepEqual((await list('?limit=1')).body, {
    count: 2,
    next: `${link}&offset=1`,
    previous: null,
    results: [made[2]],
  });
  assert.deepEqual((await list('?limit=1&offset=1')).body, {
    count: 2,
    next: null,
    previous: link,
    results: [made[0]],
  });
  assert.deepEqual((await list('?offset=7')).body.results, []);
});

test('a repeated key creates one group', async () => {
  const headers = { ...partner.key, 'idempotency-key': 'group-1' };
  const [first, second] = [await create({ name: 'Once' }, headers), await create({ name: 'Once' }, headers)];
  assert.deepEqual([second.status, second.body], [first.status, first.body]);
  assert.equal(second.headers.get('idempotent-replay'), 'true');
});

test('a request without credentials learns nothing', async () => {
  const requests = [
    ['GET', path],
    ['POST', path],
    ['GET', at(unknown)],
    ['PATCH', at(unknown)],
    ['DELETE', at(unknown)],
  ] as const;
  for (const [method, where] of requests) {
    const { status, body } = await call(method, where);
    const missing = { detail: 'Authentication credentials were not provided.' };
    assert.deepEqual([status, body], [401, missing], `${method} ${where}`);
  }
});
