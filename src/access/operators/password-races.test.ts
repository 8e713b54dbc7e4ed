import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startPatchbay } from '../../../test/harness.ts';
import { newSession } from '../../../test/person.ts';
import { formVisitor } from '../../../test/visitor.ts';
import { isSomebodyWaiting, twoSessions } from '../../../test/waiting.ts';
import type { Sql } from '../../platform/database/database.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { insertSession } from '../auth/session-store.ts';
import { findPasswordHash } from '../auth/sign-in-store.ts';
import { createProject } from '../projects/projects.ts';
import { changePassword } from './change-password.ts';
import { createUser } from './create-user.ts';
import { knownUser, resetPassword } from './reset-password.ts';
import { createSignInLink } from './sign-in-link.ts';

const { context, address } = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { sql } = context;
const { id: projectId } = await createProject(context, { name: 'Shop' });
const password = 'correct horse';
const chosen = { password: 'another password', again: 'another password' };
let people = 0;

async function newPerson(): Promise<{ id: string; email: string }> {
  people += 1;
  const email = `person${people}@shop.test`;
  const { id } = await createUser(context, { projectId, email, role: 'admin', password });
  return { id, email };
}

async function sessionsOf(userId: string): Promise<number> {
  const rows = await sql`select from person_sessions where user_id = ${userId}`;
  return rows.length;
}

/** Runs `work` while a transaction is open in which `before` ran, and `meanwhile` runs once the work waits for it. */
async function overlap<Result>(
  work: () => Promise<Result>,
  before: (transaction: Sql) => Promise<unknown>,
  meanwhile: (transaction: Sql) => Promise<unknown> = async () => {},
): Promise<PromiseSettledResult<Result>> {
  const running = Promise.withResolvers<PromiseSettledResult<Result>[]>();
  await sql.begin(async (transaction) => {
    await before(transaction);
    let isOver = false;
    const settled = Promise.allSettled([work()]).finally(() => {
      isOver = true;
    });
    running.resolve(settled);
    while (!(isOver || (await isSomebodyWaiting(sql))));
    await meanwhile(transaction);
  });
  const [end] = await running.promise;
  assert.ok(end);
  return end;
}

const hold = (userId: string) => (transaction: Sql) =>
  transaction`select from users where id = ${userId} for update`;

const renew = (userId: string) => (transaction: Sql) =>
  transaction`update users set password_hash = password_hash || '.' where id = ${userId}`;

/** A session that a sign-in on another process is about to commit. */
const join = (userId: string) => async (transaction: Sql) => {
  const passwordHash = await findPasswordHash(transaction, userId);
  const session = { tokenHash: sha256(`late ${userId}`), userId, passwordHash, now: context.clock.now() };
  assert.ok(await insertSession(transaction, session));
};

test('a password that was changed since it was verified opens no session', async () => {
  const { id: userId } = await newPerson();
  const session = { tokenHash: sha256('old'), userId, now: context.clock.now() };
  assert.equal(await insertSession(sql, { ...session, passwordHash: 'an older one' }), false);
  assert.equal(await sessionsOf(userId), 0);
});

test(
  'a sign-in by the old password that is under way during its change is refused',
  twoSessions,
  async () => {
    const { id, email } = await newPerson();
    const visitor = formVisitor(address);
    await visitor.open('/sign-in/');
    const end = await overlap(
      () => visitor.submit({ email, password }, { path: '/sign-in/' }),
      hold(id),
      renew(id),
    );
    assert.equal(end.status === 'fulfilled' && end.value.status, 400);
    assert.equal(await sessionsOf(id), 0);
  },
);

test('a reset ends a session that is being opened by the old password', twoSessions, async () => {
  const { id, email } = await newPerson();
  const visitor = formVisitor(address);
  await visitor.open(new URL((await resetPassword(context, await knownUser(context, email))).link).pathname);
  const end = await overlap(() => visitor.submit(chosen), join(id));
  assert.equal(end.status === 'fulfilled' && end.value.status, 303);
  assert.equal(await sessionsOf(id), 1);
});

test('a change ends a session that is being opened by the old password', twoSessions, async () => {
  const { id: userId } = await newPerson();
  const session = await newSession(context, userId);
  const change = { userId, session, address: '203.0.113.1', current: password, password: 'another password' };
  const end = await overlap(() => changePassword(context, change), join(userId));
  assert.equal(end.status, 'fulfilled');
  assert.equal(await sessionsOf(userId), 1);
});

test('a change that is under way during a reset does not replace the new password', twoSessions, async () => {
  const { id: userId } = await newPerson();
  const session = await newSession(context, userId);
  const change = { userId, session, address: '203.0.113.2', current: password, password: 'another password' };
  const end = await overlap(() => changePassword(context, change), hold(userId), renew(userId));
  assert.equal(end.status, 'rejected');
  assert.match((await findPasswordHash(sql, userId)) ?? '', /\.$/);
});

test('a change by a session that ends meanwhile has no effect', twoSessions, async () => {
  const { id: userId } = await newPerson();
  const session = await newSession(context, userId);
  await newSession(context, userId);
  const before = await findPasswordHash(sql, userId);
  const change = { userId, session, address: '203.0.113.3', current: password, password: 'another password' };
  const end = await overlap(
    () => changePassword(context, change),
    (transaction) => transaction`delete from person_sessions where token_hash = ${sha256(session)}`,
  );
  assert.equal(end.status, 'rejected');
  assert.equal(await findPasswordHash(sql, userId), before);
});

test(
  'a sign-in link that is being followed opens no session after a change of the password',
  twoSessions,
  async () => {
    const { id } = await newPerson();
    const visitor = formVisitor(address);
    await visitor.open(new URL(await createSignInLink(context, id)).pathname);
    const end = await overlap(
      () => visitor.submit(),
      hold(id),
      (transaction) => transaction`delete from sign_in_links where user_id = ${id}`,
    );
    assert.equal(end.status === 'fulfilled' && end.value.status, 404);
    assert.equal(await sessionsOf(id), 0);
  },
);
