import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { newSession, signIn } from '../../../../test/person.ts';
import { setOwner } from '../../../access/auth/operators-store.ts';
import { personIn } from '../../../access/auth/person.ts';
import { createUser } from '../../../access/operators/create-user.ts';
import { createProject } from '../../../access/projects/projects.ts';
import { countries } from '../../../platform/phone.ts';

const { call, context } = await startPatchbay({ after }, { config: { roles: ['api'] } });
const partner = await createPartner({ after }, { call, context });
const stranger = await createPartner({ after }, { call, context });
const { projectId } = partner;
const { headers } = await signIn(context, partner);
const operator = await signIn(context, { projectId, role: 'operator' });
const [keys, settings] = ['/console/api/bot-keys/', '/console/api/settings/'];

const works = async (key: string) =>
  (await call('GET', '/api/partners/profiles/', { headers: { 'bot-key': key } })).status === 200;

test('a bot key is shown when it is made, is listed by its name, and is refused after its revocation', async () => {
  const made = await call('POST', keys, { headers, body: { name: 'CRM' } });
  assert.equal(made.status, 201);
  const { uuid, key } = made.body;
  assert.ok(await works(key));
  const renamed = await call('PATCH', `${keys}${uuid}/`, { headers, body: { name: 'Shop' } });
  assert.equal(renamed.body.name, 'Shop');
  const { body } = await call('GET', keys, { headers });
  assert.deepEqual(
    body.results.map(({ name }: { name: string }) => name),
    ['Shop', 'default'],
  );
  assert.ok(!JSON.stringify(body).includes(key));
  const { headers: theirs } = await signIn(context, stranger);
  assert.equal((await call('DELETE', `${keys}${uuid}/`, { headers: theirs })).status, 404);
  assert.ok(await works(key));
  assert.equal((await call('DELETE', `${keys}${uuid}/`, { headers })).status, 204);
  assert.ok(!(await works(key)));
  assert.equal((await call('PATCH', `${keys}${uuid}/`, { headers, body: { name: 'Again' } })).status, 404);
  assert.deepEqual((await call('POST', keys, { headers, body: { name: '' } })).body, {
    name: ['This field may not be blank.'],
  });
});

test('only owners create projects, the first person being one, unless the installation allows everyone', async () => {
  const open = await startPatchbay({ after }, { config: { roles: ['api'], projectsBy: 'anyone' } });
  const make = async (
    there: typeof call,
    { headers: { cookie = '' } }: { headers: Record<string, string> },
  ) => {
    const headers = { cookie };
    const { body: account } = await there('GET', '/console/api/account/', { headers });
    const { status } = await there('POST', '/console/api/projects/', { headers, body: { name: 'Mine' } });
    assert.equal(account.may_make_projects, status === 201);
    return status;
  };
  const admin = await signIn(context, { projectId });
  assert.equal(await make(call, admin), 403);
  assert.equal(await make(call, operator), 403);
  assert.equal((await call('POST', '/console/api/projects/', { ...operator, body: {} })).status, 403);
  assert.ok(await setOwner(context.sql, admin.userId, true));
  assert.equal(await make(call, admin), 201);
  await setOwner(context.sql, admin.userId, false);
  assert.equal(await make(call, admin), 403);
  await context.sql`update users set address_proved = false where id = ${admin.userId}`;
  assert.equal(await setOwner(context.sql, admin.userId, true), false);

  const { id } = await createProject(open.context, { name: 'Shop' });
  const person = { projectId: id, role: 'admin' as const, password: 'correct horse' };
  await createUser(open.context, { ...person, email: 'first@shop.test' });
  await createUser(open.context, { ...person, email: 'second@shop.test' });
  assert.deepEqual(
    (await open.context.sql`select is_owner from users order by id`).map(({ is_owner }) => is_owner),
    [true, false],
  );
  assert.equal(await make(open.call, await signIn(open.context, { projectId: id })), 201);
});

test('the creator of a project is its administrator, and sees its key once', async () => {
  const { headers: person } = await signIn(context, { projectId, role: 'operator', owner: true });
  const cookie = person.cookie ?? '';
  const { status, body } = await call('POST', '/console/api/projects/', {
    headers: { cookie },
    body: { name: 'Second' },
  });
  assert.equal(status, 201);
  assert.ok(await works(body.bot_key));
  const project = (await personIn(context, { cookie }))?.projects.find(({ id }) => id === body.uuid);
  assert.deepEqual([project?.title, project?.role, project?.name], ['Second', 'admin', 'Olga']);
  const blank = await call('POST', '/console/api/projects/', { headers: { cookie }, body: { name: '' } });
  assert.deepEqual(blank.body, { name: ['This field may not be blank.'] });
});

test('a project’s name stays one line when it is changed', async () => {
  const { status, body } = await call('PATCH', settings, { headers, body: { name: 'Shop\nInvoice' } });
  assert.deepEqual([status, body], [400, { name: ['Enter one line, without control characters.'] }]);
});

test('administrators read and change settings, and absent fields stay', async () => {
  const read = async () => (await call('GET', settings, { headers })).body;
  assert.deepEqual(await read(), {
    name: 'Test project',
    tracks_links: true,
    open_session_on_message: false,
    default_country: null,
    quiet_from: null,
    quiet_until: null,
    timezone: 'UTC',
    cap_messages: null,
    cap_days: null,
    leave_words: ['stop', 'unsubscribe', 'стоп', 'отписаться'],
    return_words: ['start', 'subscribe', 'старт', 'подписаться'],
    taken_words: [],
    leave_answer: null,
    return_answer: null,
    test_above: null,
    needs_approval: false,
    conversion_days: 7,
    countries: [...countries],
  });
  const patch = async (body: object) => call('PATCH', settings, { headers, body });
  await patch({ name: 'Shop', open_session_on_message: true });
  const { body } = await patch({ tracks_links: false });
  assert.deepEqual(body, await read());
  assert.partialDeepStrictEqual(body, {
    name: 'Shop',
    tracks_links: false,
    open_session_on_message: true,
  });
  const quiet = { quiet_from: '21:00', quiet_until: '09:00', timezone: 'Asia/Tokyo' };
  assert.partialDeepStrictEqual((await patch(quiet)).body, quiet);
  assert.partialDeepStrictEqual((await patch({ name: 'Shop' })).body, quiet);
  const cap = { cap_messages: 2, cap_days: 7 };
  assert.partialDeepStrictEqual((await patch(cap)).body, cap);
  for (const [half, other] of [
    ['quiet_from', 'quiet_until'],
    ['cap_messages', 'cap_days'],
  ] as const) {
    assert.deepEqual((await patch({ [half]: null })).body, { [other]: ['This field is required.'] });
    assert.deepEqual((await patch({ [other]: null })).body, { [half]: ['This field is required.'] });
  }
  const none = { quiet_from: null, quiet_until: null, cap_messages: null, cap_days: null };
  assert.partialDeepStrictEqual((await patch(none)).body, { ...quiet, ...none });

  for (const [wrong, answer] of [
    [{ quiet_from: '21:00' }, { quiet_until: ['This field is required.'] }],
    [{ quiet_from: '21:00', quiet_until: null }, { quiet_until: ['This field is required.'] }],
    [{ quiet_from: null, quiet_until: '21:00' }, { quiet_from: ['This field is required.'] }],
    [{ quiet_from: '20:59', quiet_until: '09:00' }, { quiet_until: ['Quiet hours last at most 12 hours.'] }],
    [{ quiet_from: '09:00', quiet_until: '09:00' }, { quiet_until: ['Quiet hours last at most 12 hours.'] }],
    [{ quiet_from: '24:00', quiet_until: '09:00' }, { quiet_from: ['Enter a valid value.'] }],
    [{ cap_messages: 2 }, { cap_days: ['This field is required.'] }],
    [{ cap_messages: null, cap_days: 7 }, { cap_messages: ['This field is required.'] }],
    [
      { cap_messages: 0, cap_days: 7 },
      { cap_messages: ['Ensure this value is greater than or equal to 1.'] },
    ],
    [{ timezone: 'Nowhere/Town' }, { timezone: ['"Nowhere/Town" is not a valid choice.'] }],
  ] as const) {
    assert.deepEqual((await patch(wrong)).body, answer);
  }
  assert.deepEqual((await patch({ name: '' })).body, { name: ['This field may not be blank.'] });
  assert.equal((await call('GET', settings, { headers: operator.headers })).status, 403);
});

test('people change their own password with the current one, and their other browsers are signed out', async () => {
  const email = `${randomUUID()}@shop.test`;
  const password = 'correct horse';
  const { id: userId } = await createUser(context, { projectId, email, role: 'operator', password });
  const browser = async () => {
    const token = await newSession(context, userId);
    return { cookie: `__Host-patchbay-session=${token}` };
  };
  const [here, there] = [await browser(), await browser()];
  const change = (body: object) => call('POST', '/console/api/account/password/', { headers: here, body });
  const account = async (as: Record<string, string>) =>
    (await call('GET', '/console/api/account/', { headers: as })).status;

  assert.deepEqual((await change({ current: 'wrong horse', password: 'another horse' })).body, {
    current: ['The password is wrong.'],
  });
  assert.equal((await change({ current: password, password: 'short' })).status, 400);
  assert.equal(await account(there), 200);
  assert.equal((await change({ current: password, password: 'another horse' })).status, 204);
  assert.deepEqual([await account(here), await account(there)], [200, 401]);
  for (let guess = 0; guess < 5; guess += 1)
    assert.equal((await change({ current: password, password: 'one more horse' })).status, 400);
  assert.equal((await change({ current: 'another horse', password: 'one more horse' })).status, 429);
});
