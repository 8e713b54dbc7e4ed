import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import {
  claimOne,
  never,
  planAll,
  recipientsOf,
  retireMailings,
  stateOf,
} from '../../../../test/planning-scene.ts';
import { seedChat, seedProfile } from '../../../../test/seed.ts';
import { somebodyWaits, twoSessions } from '../../../../test/waiting.ts';
import { deleteAudience } from '../../../clients/audiences/store.ts';
import { workOn } from '../../../mailings/planning/engine.ts';
import { bounds } from '../../../platform/limits/room-store.ts';
import { importScenario } from '../../../scenarios/import.ts';

const clock = manualClock();
// Without workers: the test plans itself, and nothing is sent.
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;
const { projectId, key, channel } = await createPartner({ after }, patchbay);
const { headers } = await signIn(context, { projectId });
const root = '/console/api/audiences/';
const day = 86_400_000;

beforeEach(() => retireMailings(context));

const clients: Record<string, string> = {};
for (const [name, tags] of [
  ['ann', ['vip']],
  ['bob', ['vip', 'new']],
  ['cid', ['new']],
  ['dan', []],
] as const) {
  clients[name] = await seedProfile(sql, projectId, { external_id: name, tags: [...tags] });
  await seedChat(sql, projectId, { channelId: channel.id, profileId: clients[name] });
}

const tagged = (tag: string) => ({ all: [{ type: 'profile_tag', tag }] });
const save = (name: string, filter: object = tagged('vip')) =>
  call('POST', root, { headers, body: { name, filter_chats: filter } });
const change = (uuid: string, body: object) => call('PUT', `${root}${uuid}/`, { headers, body });
const read = async (uuid: string) => (await call('GET', `${root}${uuid}/`, { headers })).body;
const remove = (uuid: string) => call('DELETE', `${root}${uuid}/`, { headers });
const mail = (filter_chats: object, more: object = {}) =>
  call('POST', '/api/partners/mailings/', {
    headers: key,
    body: { name: 'News', text: 'Hi', filter_chats, ...more },
  });
const mailing = async (uuid: string) =>
  (await call('GET', `/api/partners/mailings/${uuid}/`, { headers: key })).body;
const names = async (uuid: string) => {
  const ids = (await recipientsOf(context, uuid)) as string[];
  return Object.keys(clients).filter((name) => ids.includes(clients[name] ?? ''));
};
const later = { planned_at: '2099-01-01T00:00:00Z' };

test('an audience is saved, listed, changed and deleted, and has one name', async () => {
  const { status, body } = await save('Kept');
  assert.equal(status, 201);
  assert.deepEqual([body.name, body.filter_chats], ['Kept', tagged('vip')]);
  assert.deepEqual((await save('Kept')).body, { name: ['This field must be unique.'] });
  assert.deepEqual((await save('Bad', { all: [{ type: 'x' }] })).status, 400);
  assert.deepEqual((await save('Nested', { audience: 'Kept' })).body, {
    filter_chats: ['A filter is {"all": […]} or {"any": […]}.'],
  });
  const { body: other } = await save('Other');
  assert.equal((await change(other.uuid, { name: 'Kept', filter_chats: tagged('new') })).status, 400);
  assert.equal((await change(other.uuid, { name: 'Another', filter_chats: tagged('new') })).status, 204);
  const { body: list } = await call('GET', root, { headers });
  assert.deepEqual(
    list.results.map((one: { name: string; filter_chats: object }) => [one.name, one.filter_chats]),
    [
      ['Another', tagged('new')],
      ['Kept', tagged('vip')],
    ],
  );
  for (const uuid of [body.uuid, other.uuid]) assert.equal((await remove(uuid)).status, 204);
  assert.equal((await remove(body.uuid)).status, 404);
});

test('an audience that starts a scenario is renamed, and deleted only after that start', async () => {
  const { body } = await save('Starts');
  const steps = [{ id: 'a', type: 'message', text: 'Welcome' }];
  const file = Buffer.from(JSON.stringify({ name: 'Entered', steps }));
  const { id } = await importScenario(context, { projectId, file });
  const starters = `/console/api/scenarios/${id}/starters/`;
  const wanted = { kind: 'audience', value: body.uuid };
  const added = await call('POST', starters, { headers, body: wanted });
  assert.ok(added.status < 300, JSON.stringify(added.body));
  assert.deepEqual((await read(body.uuid)).scenarios, ['Entered']);
  const { status } = await change(body.uuid, { name: 'Renamed', filter_chats: tagged('vip') });
  assert.equal(status, 204);
  const [starter] = (await call('GET', starters, { headers })).body.starters;
  assert.equal(starter.label, 'Renamed');
  assert.deepEqual((await remove(body.uuid)).body, {
    detail: 'The scenario "Entered" starts with this audience.',
  });
  await call('DELETE', `${starters}${starter.uuid}/`, { headers });
  assert.equal((await remove(body.uuid)).status, 204);
});

test('the size of an audience is the size of a mailing to it', async () => {
  const { body } = await save('Sized');
  const ask = (filter_chats: object) =>
    call('POST', '/console/api/mailings/audience/', { headers, body: { text: 'Hi', filter_chats } });
  assert.equal((await ask({ audience: 'Sized' })).body.count, 2);
  assert.deepEqual((await ask({ audience: 'Sized' })).body, (await ask(tagged('vip'))).body);
  await remove(body.uuid);
});

test('a name that no audience has is refused beside its field, and so is a name with something else', async () => {
  const { status, body } = await mail({ audience: 'Nobody' });
  assert.deepEqual([status, body], [400, { filter_chats: ['There is no audience called "Nobody".'] }]);
  for (const name of ['a\0b', 'a\ud800b']) {
    const refused = await mail({ audience: name });
    assert.deepEqual([refused.status, Object.keys(refused.body)], [400, ['filter_chats']], name);
  }
  const { body: audience } = await save('Beside');
  for (const given of [{ audience: 'Beside', all: [] }, { audience: 'Beside', x: 1 }, { audience: 7 }]) {
    assert.equal((await mail(given)).status, 400, JSON.stringify(given));
  }
  await remove(audience.uuid);
});

test('a run reads the audience as it is when it starts, and keeps the filter that it used', async () => {
  const { body: audience } = await save('Changing');
  const { body: made } = await mail({ audience: 'Changing' }, { regular_cron: '0 12 * * *' });
  assert.deepEqual([made.filter_chats, made.filter_used], [{ audience: 'Changing' }, tagged('vip')]);
  clock.advance(day);
  await planAll(context);
  assert.deepEqual(await names(made.uuid), ['ann', 'bob']);

  await change(audience.uuid, { name: 'Changed', filter_chats: tagged('new') });
  const shown = await mailing(made.uuid);
  assert.deepEqual([shown.filter_chats, shown.filter_used], [{ audience: 'Changed' }, tagged('vip')]);
  assert.deepEqual((await read(audience.uuid)).mailings, ['News']);

  await sql`update mailings set state = 'planned', due_at = ${clock.now()}, stage = null where id = ${made.uuid}`;
  await planAll(context);
  assert.deepEqual(await names(made.uuid), ['ann', 'bob', 'cid']);
  assert.deepEqual((await mailing(made.uuid)).filter_used, tagged('new'));
  await call('POST', `/api/partners/mailings/${made.uuid}/stop/`, { headers: key });
  await remove(audience.uuid);
});

test('a mailing that was approved keeps the filter that was approved', async () => {
  const { body: audience } = await save('Approved');
  const { body: made } = await mail({ audience: 'Approved' }, { regular_cron: '0 12 * * *' });
  await sql`update mailings set approval = 'given' where id = ${made.uuid}`;
  await change(audience.uuid, { name: 'Approved', filter_chats: { all: [] } });
  clock.advance(day);
  await planAll(context);
  assert.deepEqual(await names(made.uuid), ['ann', 'bob']);
  assert.deepEqual((await mailing(made.uuid)).filter_used, tagged('vip'));
  await call('POST', `/api/partners/mailings/${made.uuid}/stop/`, { headers: key });
  await remove(audience.uuid);
});

test('an audience stays while a planned mailing names it; an ended mailing then shows the filter alone', async () => {
  const { body: audience } = await save('Named');
  const { body: made } = await mail({ audience: 'Named' }, later);
  const refused = await remove(audience.uuid);
  assert.deepEqual(refused.body, { detail: 'A planned or running mailing uses this audience.' });
  assert.equal(refused.status, 400);
  await call('POST', `/api/partners/mailings/${made.uuid}/stop/`, { headers: key });
  assert.equal((await remove(audience.uuid)).status, 204);
  assert.deepEqual((await mailing(made.uuid)).filter_chats, tagged('vip'));
});

test('a deletion waits for a mailing that is being stored, and is then refused', twoSessions, async () => {
  const { body: audience } = await save('Contested');
  const { body: made } = await mail(tagged('vip'), later);
  let deletion: Promise<string> | null = null;
  await sql.begin(async (transaction) => {
    await transaction`update mailings set audience_id = ${audience.uuid} where id = ${made.uuid}`;
    deletion = deleteAudience(sql, projectId, audience.uuid);
    await somebodyWaits(sql);
  });
  assert.equal(await deletion, 'awaited');
  await call('POST', `/api/partners/mailings/${made.uuid}/stop/`, { headers: key });
  await remove(audience.uuid);
});

test('deletions and mailings at the same time leave no mailing without its audience', async () => {
  const { body: audience } = await save('Raced');
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => mail({ audience: 'Raced' }, later)),
    remove(audience.uuid),
  ]);
  const deletion = answers.at(-1)?.status;
  const made = answers.slice(0, -1).filter(({ status }) => status === 201);
  for (const { status } of answers.slice(0, -1)) assert.ok([201, 400].includes(status), String(status));
  for (const { body } of made) {
    const { filter_chats } = await mailing(body.uuid);
    assert.deepEqual(filter_chats, { audience: 'Raced' });
    await call('POST', `/api/partners/mailings/${body.uuid}/stop/`, { headers: key });
  }
  assert.equal(deletion, made.length > 0 ? 400 : 204);
  await remove(audience.uuid);
});

test('a stored filter that cannot be read stops its mailings with the reason, and nothing else', async () => {
  const { body: audience } = await save('Old');
  const { body: made } = await mail(
    { audience: 'Old' },
    { planned_at: new Date(clock.now().getTime() + day).toISOString() },
  );
  await sql`update audiences set filter = '{"all": [{"type": "forgotten", "x": 1}]}' where id = ${audience.uuid}`;
  assert.equal((await mail({ audience: 'Old' })).status, 400);
  assert.equal((await call('GET', root, { headers })).status, 200);
  clock.advance(day);
  const held = await claimOne(context);
  assert.ok(held);
  await workOn(context, held, never);
  const { state, state_detail } = await stateOf(context, made.uuid);
  assert.equal(state, 'error');
  assert.match(String(state_detail), /^The filter cannot be read: /);
  assert.equal((await remove(audience.uuid)).status, 204);
});

test('a project has a limited number of audiences', async () => {
  for (let n = 0; n < bounds.audiences.most; n += 1) assert.equal((await save(`Audience ${n}`)).status, 201);
  const { status, body } = await save('One more');
  assert.deepEqual(
    [status, body],
    [400, { detail: `A project has at most ${bounds.audiences.most} audiences.` }],
  );
});
