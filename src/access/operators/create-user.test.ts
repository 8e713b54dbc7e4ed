import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedProject } from '../../../test/seed.ts';
import { createUser } from './create-user.ts';
import { verifyPassword } from './password.ts';

const database = await testDatabase({ after });
const context = testContext(database, manualClock());
const { sql } = context;
let projectId: string;
let email: string;

beforeEach(async () => {
  projectId = await seedProject(sql);
  email = `ann-${context.newId()}@shop.example`;
});

const create = (options: { projectId?: string; email?: string; password?: string } = {}) =>
  createUser(context, { projectId, email, role: 'admin', password: 'a good password', ...options });

test('a new user is an operator of the project under the same id, with the password hashed', async () => {
  const user = await create();
  assert.deepEqual(user, { id: user.id, userId: user.id, email, isNew: true, awaitsProof: false });
  const [row] = await sql<{ role: string; user_id: string; name: string; password_hash: string }[]>`
    select role, user_id, name, password_hash from operators join users on users.id = user_id
    where operators.id = ${user.id} and project_id = ${projectId}`;
  assert.deepEqual([row?.role, row?.user_id, row?.name], ['admin', user.id, email.split('@')[0]]);
  assert.ok(await verifyPassword('a good password', row?.password_hash ?? ''));
});

test('the same person in another project is one user, whose password stays', async () => {
  const first = await create();
  const second = await create({
    projectId: await seedProject(sql),
    email: email.toUpperCase(),
    password: 'a later password',
  });
  assert.deepEqual([second.userId, second.isNew], [first.userId, false]);
  assert.notEqual(second.id, first.id, 'a membership has an id of its own');
  const users = await sql<
    { password_hash: string }[]
  >`select password_hash from users where email = ${email}`;
  assert.equal(users.length, 1);
  assert.ok(await verifyPassword('a good password', users[0]?.password_hash ?? ''));
});

test('a person is in a project once, even if several callers add them at once', async () => {
  const added = await Promise.allSettled(Array.from({ length: 5 }, () => create()));
  assert.equal(added.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const attempt of added) {
    if (attempt.status === 'rejected')
      assert.equal(attempt.reason.message, `${email} is already in this project.`);
  }
});

test('an operator who came by temporary links keeps the id and may sign in from now on', async () => {
  const operatorId = context.newId();
  await sql`
    insert into operators (project_id, id, role, email, name, created_at)
    values (${projectId}, ${operatorId}, 'operator', ${email}, 'Ann', now())`;
  const user = await create();
  assert.equal(user.id, operatorId);
  const [row] = await sql<{ role: string; name: string; user_id: string | null }[]>`
    select role, name, user_id from operators where project_id = ${projectId} and id = ${operatorId}`;
  assert.deepEqual([row?.role, row?.name], ['admin', 'Ann']);
  assert.ok(row?.user_id);
});

test('invalid addresses and short passwords are refused', async () => {
  for (const wrong of ['ann', '@', 'ann@', '@shop.example', 'ann @shop.example', 'a@b@c']) {
    await assert.rejects(
      create({ email: wrong }),
      { fields: { email: ['Enter a valid email address.'] } },
      wrong,
    );
  }
  await assert.rejects(create({ password: '123456789' }), {
    fields: { password: ['Ensure this field has at least 10 characters.'] },
  });
});
