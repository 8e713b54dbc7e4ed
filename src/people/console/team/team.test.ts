import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { newSession, signIn } from '../../../../test/person.ts';
import { formVisitor } from '../../../../test/visitor.ts';
import { somebodyWaits, twoSessions } from '../../../../test/waiting.ts';
import { readEmail } from '../../../access/auth/email.ts';
import { type InsertedOperator, insertOperator, type NewUser } from '../../../access/auth/operators-store.ts';
import { insertShownLink } from '../../../access/auth/sign-in-store.ts';
import { changeMember, deleteMember } from '../../../access/auth/team-store.ts';
import { createUser } from '../../../access/operators/create-user.ts';
import { inviteUser } from '../../../access/operators/invite-user.ts';
import { knownUser, resetPassword } from '../../../access/operators/reset-password.ts';
import { createProject } from '../../../access/projects/projects.ts';
import { sha256 } from '../../../platform/secrets/secret.ts';

const { call, context, address } = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { sql } = context;
const password = 'correct horse';
const team = '/console/api/team/';

type Place = { projectId: string; operatorId: string; headers: Record<string, string> };

/** A project with a signed-in administrator who has a password. */
async function newProject(email = `${randomUUID()}@shop.test`): Promise<Place & { email: string }> {
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  return { email, ...(await member(projectId, 'admin', email)) };
}

async function member(
  projectId: string,
  role: 'admin' | 'operator',
  email = `${randomUUID()}@shop.test`,
): Promise<Place> {
  const { id } = await createUser(context, { projectId, email, role, password });
  const token = await newSession(context, id);
  const cookie = `__Host-patchbay-session=${token}`;
  return { projectId, operatorId: id, headers: { cookie, 'patchbay-project': projectId } };
}

const self = ({ operatorId }: Place) => ({ by: operatorId, id: operatorId });

const invite = (place: Place, email: string, role = 'operator') =>
  call('POST', team, { headers: place.headers, body: { email, role } });

const listed = async (place: Place) => (await call('GET', team, { headers: place.headers })).body.results;

const uuidOf = async (place: Place, email: string): Promise<string> =>
  (await listed(place)).find((row: { email: string }) => row.email === email).uuid;

async function choosePassword(link: string) {
  const visitor = formVisitor(address, { 'x-forwarded-for': '203.0.113.9' });
  await visitor.open(new URL(link).pathname);
  const { status } = await visitor.submit({ password, again: password });
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { status, cookie, projects: await projectsIn(cookie) };
}

const join = (cookie: string, { projectId }: Place) =>
  call('POST', `/console/api/account/invitations/${projectId}/`, { headers: { cookie } });

const projectsIn = async (cookie: string): Promise<string[]> =>
  (await call('GET', '/console/api/account/', { headers: { cookie } })).body.projects?.map(
    ({ uuid }: { uuid: string }) => uuid,
  );

test('an administrator invites a new person by a link that is shown once, and sees the progress', async () => {
  const shop = await newProject();
  const { status, body } = await invite(shop, 'new@shop.test');
  assert.deepEqual([status, body.way, body.mail_failed], [201, 'link', false]);
  const state = async () =>
    (await listed(shop)).map(({ email, state }: { email: string; state: string }) => [email, state]);
  assert.deepEqual(
    new Map(await state()),
    new Map([
      [shop.email, 'active'],
      ['new@shop.test', 'invited'],
    ]),
  );
  assert.ok(!JSON.stringify(await listed(shop)).includes('/password/'));
  const chosen = await choosePassword(body.link);
  assert.deepEqual([chosen.status, chosen.projects], [303, [shop.projectId]]);
  assert.equal(new Map(await state()).get('new@shop.test'), 'active');
  const again = await invite(shop, 'NEW@shop.test');
  assert.deepEqual(
    [again.status, again.body],
    [400, { detail: 'new@shop.test is already in this project.' }],
  );
  assert.deepEqual((await invite(shop, 'no address')).body, { email: ['Enter a valid email address.'] });
});

/** An administrator's answer, without the parts that differ each time. */
const told = ({ status, body }: { status: number; body: { link: string } }, email: string) => ({
  status,
  body: { ...body, link: body.link.replace(/[\w-]{43}/, 'token') },
  email: email.replace(/.*@/, 'x@'),
});

test('invitations of people with and without an account are answered and listed alike', async () => {
  const [shop, other] = [await newProject(), await newProject()];
  const third = await newProject();
  await invite(third, 'elsewhere@shop.test');
  const stranger = `${randomUUID()}@shop.test`;
  const first = told(await invite(shop, stranger), stranger);
  for (const known of [other.email, 'elsewhere@shop.test']) {
    assert.deepEqual(told(await invite(shop, known), known), first);
  }
  const rows = (await listed(shop)).filter(({ is_you }: { is_you: boolean }) => !is_you);
  const alike = rows.map(({ state, last_seen_at, role }: Record<string, unknown>) => [
    state,
    last_seen_at,
    role,
  ]);
  assert.deepEqual(alike, Array(3).fill(['invited', null, 'operator']));
  for (const { uuid, email } of rows) {
    const again = await call('POST', `${team}${uuid}/link/`, { headers: shop.headers });
    assert.deepEqual(told(again, email), { ...first, status: 200 });
  }
});

test('the uuid of a member is that of the membership, and tells nothing of an account elsewhere', async () => {
  const [shop, other] = [await newProject(), await newProject()];
  const uuids: string[] = [];
  for (const email of [other.email, `${randomUUID()}@shop.test`]) {
    for (let round = 0; round < 2; round += 1) {
      await invite(shop, email);
      const uuid = await uuidOf(shop, email);
      uuids.push(uuid);
      const { body } = await call('GET', '/chat-center/api/account/', { headers: shop.headers });
      assert.ok(body.operators.some((operator: { uuid: string }) => operator.uuid === uuid));
      const path = `${team}${uuid}/`;
      const renamed = await call('PATCH', path, { headers: shop.headers, body: { name: 'Olga' } });
      assert.deepEqual([renamed.body.uuid, renamed.body.name], [uuid, 'Olga']);
      assert.equal((await call('POST', `${path}link/`, { headers: shop.headers })).status, 200);
      assert.equal((await call('DELETE', path, { headers: shop.headers })).status, 204);
    }
  }
  assert.equal(new Set([...uuids, other.operatorId]).size, 5);
  assert.deepEqual(uuids, uuids.toSorted(), 'each is as new as its invitation');
});

test('a member keeps the uuid of the invitation after they accept', async () => {
  const [shop, other] = [await newProject(), await newProject()];
  await invite(shop, other.email, 'admin');
  const invited = await uuidOf(shop, other.email);
  await join(other.headers.cookie ?? '', shop);
  const own = { ...other.headers, 'patchbay-project': shop.projectId };
  const { body } = await call('GET', team, { headers: own });
  const yours = body.results.filter(({ is_you }: { is_you: boolean }) => is_you);
  assert.deepEqual(
    yours.map(({ uuid, state }: Record<string, unknown>) => [uuid, state]),
    [[invited, 'active']],
  );
});

test('a person with two spellings of one address is in a project once', async () => {
  const [shop, other] = [await newProject(), await newProject()];
  await invite(shop, other.email);
  await sql`
    update operators set email = ${`old-${other.email}`} where project_id = ${shop.projectId} and email = ${other.email}`;
  assert.equal((await invite(shop, other.email)).status, 400);
});

test('an invited person belongs to no project before they accept', async () => {
  const [shop, other] = [await newProject(), await newProject()];
  const inShop = { ...other.headers, 'patchbay-project': shop.projectId };
  const account = async () => (await call('GET', '/console/api/account/', { headers: other.headers })).body;
  const answer = (method: string) =>
    call(method, `/console/api/account/invitations/${shop.projectId}/`, { headers: other.headers });
  assert.equal((await answer('POST')).status, 404);
  await invite(shop, other.email, 'admin');
  assert.equal((await call('GET', team, { headers: inShop })).status, 403);
  assert.deepEqual((await account()).invitations, [{ uuid: shop.projectId, title: 'Shop', role: 'admin' }]);

  assert.equal((await answer('DELETE')).status, 204);
  assert.deepEqual([(await account()).invitations, (await listed(shop)).length], [[], 1]);

  await invite(shop, other.email, 'admin');
  assert.equal((await answer('POST')).status, 204);
  assert.equal((await call('GET', team, { headers: inShop })).status, 200);
  assert.deepEqual((await account()).invitations, []);
  assert.equal((await answer('DELETE')).status, 404);
});

test('the link of a person with an account opens nothing, and asks them to sign in', async () => {
  const [shop, other] = [await newProject(), await newProject()];
  const { link } = (await invite(shop, other.email)).body;
  const visitor = formVisitor(address);
  const page = await visitor.open(new URL(link).pathname);
  assert.deepEqual([page.status, visitor.cookies.size], [200, 0]);
  assert.match(page.text, /Sign in with your password/);
  assert.ok(!page.text.includes('<form'));
});

test('invitations per hour are limited for an address and for a person', async () => {
  const [shop, other] = [await newProject(), await newProject()];
  const { uuid } = {
    uuid: (await invite(shop, 'often@shop.test')) && (await uuidOf(shop, 'often@shop.test')),
  };
  const again = () => call('POST', `${team}${uuid}/link/`, { headers: shop.headers });
  for (let n = 2; n <= 4; n += 1) assert.equal((await again()).status, 200);
  assert.equal((await again()).status, 429);
  assert.equal((await invite(other, 'OFTEN@shop.test')).status, 429);
  for (let n = 1; n <= 15; n += 1)
    assert.equal((await invite(other, `n${n}-${randomUUID()}@shop.test`)).status, 201);
  const members = await listed(other);
  assert.equal((await invite(other, `${randomUUID()}@shop.test`)).status, 429);
  assert.deepEqual(await listed(other), members);
});

test('a person’s name is one line', async () => {
  const shop = await newProject();
  const rename = (name: string) =>
    call('PATCH', `${team}${shop.operatorId}/`, { headers: shop.headers, body: { name } });
  for (const name of ['Olga\r\nBcc: a@b.test', 'Olga\n', 'Ol\tga', 'Olga\u2028', 'Olga\u0085', '\u007f']) {
    const { status, body } = await rename(name);
    assert.deepEqual(
      [status, body],
      [400, { name: ['Enter one line, without control characters.'] }],
      JSON.stringify(name),
    );
  }
  assert.equal((await rename('Ольга O’Neil-Müller 😀')).status, 200);
});

test('an invitation that was refused does not count', async () => {
  const shop = await newProject();
  const email = `${randomUUID()}@shop.test`;
  assert.equal((await invite(shop, email)).status, 201);
  for (let n = 0; n < 20; n += 1) {
    assert.equal((await invite(shop, `mistyped${n}`)).status, 400);
    assert.equal((await invite(shop, email)).status, 400);
  }
  assert.equal((await invite(shop, `${randomUUID()}@shop.test`)).status, 201);
});

test('a working link is never shown for a person who has a password, or who is known to another project', async () => {
  const [shop, other] = [await newProject(), await newProject()];
  const both = { email: 'both@shop.test', role: 'operator' } as const;
  await inviteUser(context, { ...both, projectId: other.projectId, projectName: 'Other' });
  await invite(shop, both.email);
  for (const place of [shop, other]) {
    const path = `${team}${await uuidOf(place, both.email)}/link/`;
    const { body } = await call('POST', path, { headers: place.headers });
    assert.ok(!(await formVisitor(address).open(new URL(body.link).pathname)).text.includes('<form'));
  }

  // Nor for a person who has chosen a password since the check that they had none.
  const { projectId, operatorId } = await newProject();
  const link = { tokenHash: sha256('token'), projectId, operatorId, expiresAt: context.clock.now() };
  assert.equal(await insertShownLink(sql, link), false);
});

const opensForm = async (link: string): Promise<boolean> =>
  (await formVisitor(address).open(new URL(link).pathname)).text.includes('<form');

test('of two projects that invite a new person at once, one is shown the link to choose a password', async () => {
  for (let round = 0; round < 5; round += 1) {
    const places = [await newProject(), await newProject()];
    const email = `${randomUUID()}@shop.test`;
    const answers = await Promise.all(places.map((place) => invite(place, email, 'admin')));
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.way]),
      [
        [201, 'link'],
        [201, 'link'],
      ],
    );
    const accounts = await sql`select from users where email = ${email}`;
    assert.equal(accounts.length, 1);
    const opening = await Promise.all(answers.map(({ body }) => opensForm(body.link)));
    assert.deepEqual(opening.toSorted(), [false, true]);
    const first = opening.indexOf(true);
    const { projects } = await choosePassword(answers[first]?.body.link);
    assert.deepEqual(projects, [places[first]?.projectId]);
  }
});

test('of two administrators who invite a person at once, one is refused: the person is there already', async () => {
  const shop = await newProject();
  const colleague = await member(shop.projectId, 'admin');
  const email = `${randomUUID()}@shop.test`;
  const answers = await Promise.all([shop, colleague].map((place) => invite(place, email)));
  const [refused] = answers.filter(({ status }) => status === 400);
  assert.deepEqual(refused?.body, { detail: `${email} is already in this project.` });
  const [invited] = answers.filter(({ status }) => status === 201);
  assert.deepEqual((await choosePassword(invited?.body.link)).projects, [shop.projectId]);
});

test(
  'an account that another project creates concurrently must prove its address first, too',
  twoSessions,
  async () => {
    const [thief, shop] = [await newProject(), await newProject()];
    const email = readEmail(`${randomUUID()}@shop.test`);
    assert.ok(email);
    const person = (id: string, projectId: string): NewUser => ({
      ...{ id, projectId, email, name: 'Boss', role: 'admin', passwordHash: null },
      ...{ createdAt: context.clock.now(), isProved: false, isAsked: true },
    });
    let later: Promise<InsertedOperator | null> | undefined;
    await sql.begin(async (transaction) => {
      await insertOperator(transaction, person(context.newId(), thief.projectId));
      later = insertOperator(sql, person(context.newId(), shop.projectId));
      await somebodyWaits(sql);
    });
    assert.equal((await later)?.awaitsProof, true);
  },
);

test('the creator of an account for another person gets into no other project through it', async () => {
  const [thief, shop] = [await newProject(), await newProject()];
  const boss = `${randomUUID()}@shop.test`;
  const { link } = (await invite(thief, boss, 'admin')).body;
  await invite(shop, boss, 'admin');
  assert.deepEqual((await choosePassword(link)).projects, [thief.projectId]);
  assert.equal((await listed(shop)).find(({ email }: { email: string }) => email === boss).state, 'invited');

  const later = await newProject();
  await invite(later, boss);
  const { link: proof } = await resetPassword(context, await knownUser(context, boss));
  const { projects, cookie } = await choosePassword(proof);
  assert.deepEqual(projects, [thief.projectId]);
  for (const place of [shop, later]) assert.equal((await join(cookie, place)).status, 204);
  assert.deepEqual(
    (await projectsIn(cookie)).sort(),
    [thief.projectId, shop.projectId, later.projectId].sort(),
  );
});

test('a role, a name and a removal take effect at the next call, in this project alone', async () => {
  const shop = await newProject();
  const other = await newProject();
  await invite(shop, other.email, 'admin');
  await join(other.headers.cookie ?? '', shop);
  const headers = { ...other.headers, 'patchbay-project': shop.projectId };
  assert.equal((await call('GET', team, { headers })).status, 200);
  const path = `${team}${await uuidOf(shop, other.email)}/`;
  const changed = await call('PATCH', path, {
    headers: shop.headers,
    body: { role: 'operator', name: 'Olga' },
  });
  assert.deepEqual([changed.body.role, changed.body.name], ['operator', 'Olga']);
  assert.equal((await call('GET', team, { headers })).status, 403);
  const removals = [1, 2, 3].map(() => call('DELETE', path, { headers: shop.headers }));
  assert.deepEqual((await Promise.all(removals)).map(({ status }) => status).sort(), [204, 404, 404]);
  assert.equal((await call('GET', '/console/api/profiles/', { headers })).status, 403);
  assert.equal((await call('GET', team, { headers: other.headers })).status, 200);
  assert.equal((await call('DELETE', path, { headers: shop.headers })).status, 404);
});

test('a person who is being removed is changed, or not found', async () => {
  const shop = await newProject();
  for (let round = 0; round < 5; round += 1) {
    const { operatorId } = await member(shop.projectId, 'operator');
    const path = `${team}${operatorId}/`;
    const [removed, ...changed] = await Promise.all([
      call('DELETE', path, { headers: shop.headers }),
      ...['Olga', 'Anna'].map((name) => call('PATCH', path, { headers: shop.headers, body: { name } })),
    ]);
    assert.equal(removed.status, 204);
    const others = changed.filter(({ status }) => status !== 200 && status !== 404);
    assert.deepEqual(others, []);
  }
});

test('the last activity of a person is that in this project alone', async () => {
  const [shop, other] = [await newProject(), await newProject()];
  await invite(shop, other.email);
  await join(other.headers.cookie ?? '', shop);
  await call('GET', team, { headers: other.headers });
  const seen = async () =>
    (await listed(shop)).find(({ email }: { email: string }) => email === other.email).last_seen_at;
  assert.equal(await seen(), null);
  await call('GET', '/console/api/profiles/', {
    headers: { ...other.headers, 'patchbay-project': shop.projectId },
  });
  assert.notEqual(await seen(), null);
});

test('a withdrawn invitation opens nothing', async () => {
  const shop = await newProject();
  const { link } = (await invite(shop, 'mistake@shop.test')).body;
  const path = `${team}${await uuidOf(shop, 'mistake@shop.test')}/`;
  assert.equal((await call('DELETE', path, { headers: shop.headers })).status, 204);
  assert.equal((await formVisitor(address).open(new URL(link).pathname)).status, 404);
});

test('the last administrator who can sign in stays one under concurrent resignations', async () => {
  const shop = await newProject();
  await invite(shop, 'never@shop.test', 'admin');
  const alone = await call('DELETE', `${team}${shop.operatorId}/`, { headers: shop.headers });
  assert.equal(alone.status, 400);
  assert.match(alone.body.detail, /The project would have no administrator/);

  const admins = [shop, ...(await Promise.all([1, 2, 3].map(() => member(shop.projectId, 'admin'))))];
  const answers = await Promise.all(
    admins.map((place, index) =>
      call(index % 2 ? 'DELETE' : 'PATCH', `${team}${place.operatorId}/`, {
        headers: place.headers,
        ...(index % 2 === 0 && { body: { role: 'operator' } }),
      }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status < 300).length, 3);
  const [left] = await sql`
    select count(*)::int as count from operators join users on users.id = user_id
    where project_id = ${shop.projectId} and role = 'admin' and password_hash is not null`;
  assert.equal(left?.count, 1);
});

test(
  "of two administrators who resign concurrently, the later one sees the earlier one's resignation",
  twoSessions,
  async () => {
    const shop = await newProject();
    const other = await member(shop.projectId, 'admin');
    let later: Promise<boolean> | undefined;
    await sql.begin(async (transaction) => {
      assert.ok(await changeMember(transaction, shop.projectId, self(shop), { role: 'operator' }));
      later = deleteMember(sql, shop.projectId, self(other));
      await somebodyWaits(sql);
    });
    assert.equal(await later, false);
  },
);

test('of two administrators who remove each other at once, one stays', async () => {
  for (const how of ['DELETE', 'PATCH']) {
    const shop = await newProject();
    const pair = [await member(shop.projectId, 'admin'), await member(shop.projectId, 'admin')];
    const answers = await Promise.all(
      pair.map(({ headers }, index) =>
        call(how, `${team}${pair[1 - index]?.operatorId}/`, {
          headers,
          ...(how === 'PATCH' && { body: { role: 'operator' } }),
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [how === 'PATCH' ? 200 : 204, 403], how);
  }
});

test('an administrator who was removed meanwhile changes and removes nobody', async () => {
  const shop = await newProject();
  const [gone, target] = [await member(shop.projectId, 'admin'), await member(shop.projectId, 'operator')];
  await call('DELETE', `${team}${gone.operatorId}/`, { headers: shop.headers });
  const { projectId } = shop;
  const move = { by: gone.operatorId, id: target.operatorId };
  assert.equal(await deleteMember(sql, projectId, move), false);
  assert.equal(await changeMember(sql, projectId, move, { role: 'admin' }), false);
  const row = (await listed(shop)).find(({ uuid }: { uuid: string }) => uuid === target.operatorId);
  assert.equal(row.role, 'operator');
});

test('the open chats of a removed person become unassigned', async () => {
  const partner = await createPartner({ after }, { call, context });
  const { projectId } = partner;
  const shop = await member(projectId, 'admin');
  const { operatorId } = await member(projectId, 'operator');
  const { chat } = await partner.client('ann');
  await sql`
    insert into sessions (project_id, id, chat_id, operator_id, operator_name, opened_at)
    values (${projectId}, ${context.newId()}, ${chat}, ${operatorId}, 'Olga', ${context.clock.now()})`;
  const row = (await listed(shop)).find(({ uuid }: { uuid: string }) => uuid === operatorId);
  assert.equal(row.open_chats, 1);
  await call('DELETE', `${team}${operatorId}/`, { headers: shop.headers });
  const sessions = await sql`select operator_id, closed_at from sessions where project_id = ${projectId}`;
  assert.deepEqual([...sessions], [{ operator_id: null, closed_at: null }]);
});

test('operators see nothing of the team, nor administrators anything of another project', async () => {
  const [shop, other] = [await newProject(), await newProject()];
  const operator = await signIn(context, { projectId: shop.projectId, role: 'operator' });
  assert.equal((await call('GET', team, { headers: operator.headers })).status, 403);
  assert.equal((await invite({ ...shop, headers: operator.headers }, 'x@shop.test')).status, 403);
  for (const uuid of [other.operatorId, randomUUID()]) {
    const headers = shop.headers;
    assert.equal(
      (await call('PATCH', `${team}${uuid}/`, { headers, body: { role: 'operator' } })).status,
      404,
    );
    assert.equal((await call('DELETE', `${team}${uuid}/`, { headers })).status, 404);
    assert.equal((await call('POST', `${team}${uuid}/link/`, { headers })).status, 404);
  }
});
