import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { manualClock } from '../../../test/clock.ts';
import { startPatchbay } from '../../../test/harness.ts';
import { type FormVisitor, formVisitor } from '../../../test/visitor.ts';
import { personIn } from '../auth/person.ts';
import { formTokenOf } from '../auth/session.ts';
import { createProject } from '../projects/projects.ts';
import { createUser } from './create-user.ts';
import { forgetOldSignIns } from './forget-sign-ins.ts';
import { inviteUser } from './invite-user.ts';
import { knownUser, resetPassword } from './reset-password.ts';

const clock = manualClock();
const { context, address } = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { id: projectId } = await createProject(context, { name: 'Shop' });
const shop = { projectId, projectName: 'Shop' };
const password = 'correct horse';
const second = 1000;
const day = 24 * 3600 * second;
let people = 0;

async function newPerson(role: 'admin' | 'operator' = 'admin'): Promise<string> {
  people += 1;
  const email = `person${people}@shop.test`;
  await createUser(context, { projectId, email, role, password });
  return email;
}

const cookieOf = (visitor: FormVisitor): string =>
  [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const sessionIn = (visitor: FormVisitor): string => visitor.cookies.get('__Host-patchbay-session') ?? '';
const personOf = (visitor: FormVisitor) => personIn(context, { cookie: cookieOf(visitor) });

/** Each visitor has a separate address, as a proxy on this machine reports it. */
let addresses = 0;
function newVisitor(from?: string): FormVisitor {
  addresses += 1;
  const own = `203.0.${Math.floor(addresses / 250)}.${addresses % 250}`;
  return formVisitor(address, { 'x-forwarded-for': from ?? own });
}

async function signIn(visitor: FormVisitor, fields: Record<string, string>, path = '/sign-in/') {
  await visitor.open(path);
  return visitor.submit(fields, { path: '/sign-in/' });
}

const signOut = (visitor: FormVisitor, fields: Record<string, string> = {}) =>
  visitor.submit({ token: formTokenOf(sessionIn(visitor)), ...fields }, { path: '/sign-out/' });

test('the right password signs in, under a new cookie', async () => {
  const email = await newPerson('operator');
  const visitor = newVisitor();
  await visitor.open('/sign-in/');
  const before = cookieOf(visitor);
  const answer = await visitor.submit({ email: email.toUpperCase(), password });
  assert.deepEqual([answer.status, answer.location], [303, '/console/']);
  assert.match(
    answer.headers.getSetCookie()[0] ?? '',
    /^__Host-patchbay-session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/,
  );
  assert.ok(!cookieOf(visitor).includes(before));
  const person = await personOf(visitor);
  assert.equal(person?.email, email);
  assert.deepEqual(
    person?.projects.map(({ id, title, role }) => ({ id, title, role })),
    [{ id: projectId, title: 'Shop', role: 'operator' }],
  );
  assert.equal(await personIn(context, { cookie: before }), null);
  const earlier = cookieOf(visitor);
  const again = await visitor.submit({ email, password, token: formTokenOf(sessionIn(visitor)) });
  assert.equal(again.status, 303);
  assert.equal(await personIn(context, { cookie: earlier }), null);
});

test('an unknown address, a wrong password and a missing password get the same answer, and the typed address stays', async () => {
  const email = await newPerson();
  await inviteUser(context, { ...shop, email: 'invited@shop.test', role: 'operator' });
  const texts = new Set<string>();
  for (const [typed, tried] of [
    [email, 'wrong password'],
    ['nobody@shop.test', 'wrong password'],
    ['invited@shop.test', ''],
    ['<no address>', ''],
  ] as const) {
    const visitor = newVisitor();
    const { status, text } = await signIn(visitor, { email: typed, password: tried });
    assert.equal(status, 400);
    const shown = typed.replace('<', '&lt;').replace('>', '&gt;');
    assert.ok(text.includes(`value="${shown}"`));
    texts.add(text.replaceAll(shown, '').replace(/[\w-]{43}/g, ''));
    assert.equal(await personOf(visitor), null);
  }
  assert.equal(texts.size, 1);
});

test('a session ends after a week unused and after a month in any case, and role changes apply at once', async () => {
  const email = await newPerson();
  const [idle, busy] = [newVisitor(), newVisitor()];
  for (const visitor of [idle, busy]) await signIn(visitor, { email, password });
  await context.sql`update operators set role = 'operator' where email = ${email}`;
  assert.equal((await personOf(busy))?.projects[0]?.role, 'operator');
  clock.advance(7 * day - 1);
  assert.ok(await personOf(busy));
  clock.advance(1);
  assert.equal(await personOf(idle), null);
  for (let days = 7; days < 29; days += 1) {
    clock.advance(day);
    assert.ok(await personOf(busy));
  }
  clock.advance(day);
  assert.equal(await personOf(busy), null);
  await forgetOldSignIns(context.sql, clock.now());
  const [left] = await context.sql`select count(*)::int as count from person_sessions`;
  assert.equal(left?.count, 0);
});

test('signing out ends the session here, or everywhere', async () => {
  const email = await newPerson();
  const [here, there, other] = [newVisitor(), newVisitor(), newVisitor()];
  for (const visitor of [here, there, other]) await signIn(visitor, { email, password });
  const stolen = cookieOf(here);
  assert.equal((await signOut(here)).status, 303);
  assert.equal(await personIn(context, { cookie: stolen }), null);
  assert.ok(await personOf(there));
  assert.equal((await signOut(there, { everywhere: 'true' })).status, 303);
  assert.equal(await personOf(other), null);
});

test('a form from elsewhere is refused without effect', async () => {
  const email = await newPerson();
  const visitor = newVisitor();
  const other = newVisitor();
  await visitor.open('/sign-in/');
  await other.open('/sign-in/');
  const fields = { email, password };
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'https://patchbay.test', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { cookie: '' },
    { cookie: cookieOf(other) },
  ];
  for (const headers of foreign) {
    const { status } = await visitor.submit(fields, { headers });
    assert.equal(status, 403, JSON.stringify(headers));
  }
  assert.equal((await visitor.submit({ ...fields, token: '' })).status, 403);
  assert.equal(await personOf(visitor), null);
  assert.equal((await visitor.submit(fields, { headers: { origin: 'https://patchbay.test' } })).status, 303);
  const stale = await visitor.submit({}, { path: '/sign-out/' });
  assert.equal(stale.status, 403);
  assert.ok(await personOf(visitor));
});

test('a visitor from one of our pages goes back there, signed in before or not, and nowhere else', async () => {
  const email = await newPerson();
  const way = '/integrations/oauth/?client_id=1&state=a%2Bb%20c%ff';
  for (const [next, location] of [
    [way, way],
    ['//evil.test/console/', '/console/'],
  ] as const) {
    const visitor = newVisitor();
    const path = `/sign-in/?next=${encodeURIComponent(next)}`;
    const answer = await signIn(visitor, { email, password }, path);
    assert.deepEqual([answer.status, answer.location], [303, location]);
    assert.equal((await visitor.open(path)).location, location);
    const forged = await signIn(newVisitor(), { email, password, next });
    assert.equal(forged.location, location);
  }
});

test('guesses are delayed longer and longer, across processes and concurrent attempts; the owner is not', async () => {
  const email = await newPerson();
  const [owner, stranger] = [newVisitor(), newVisitor()];
  await signIn(owner, { email, password });
  const guesses = await Promise.all(
    Array.from({ length: 12 }, () => signIn(newVisitor(), { email, password: 'a wrong guess' })),
  );
  assert.deepEqual(guesses.map(({ status }) => status).sort(), [
    ...Array(5).fill(400),
    ...Array(7).fill(429),
  ]);
  const paused = await signIn(stranger, { email, password });
  assert.deepEqual([paused.status, paused.headers.get('retry-after')], [429, '1']);
  assert.match(paused.text, /Wait 1 second,/);
  assert.equal((await signIn(newVisitor(), { email: email.toUpperCase(), password })).status, 429);
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
    clock.advance(seconds * second);
    assert.equal((await signIn(stranger, { email, password: 'a wrong guess' })).status, 400);
    assert.equal((await signIn(newVisitor(), { email, password })).status, 429);
  }
  await signOut(owner);
  assert.equal((await signIn(owner, { email, password })).status, 303);
  assert.equal((await signIn(newVisitor(), { email, password })).status, 429);
  clock.advance(300 * second);
  assert.equal((await signIn(newVisitor(), { email, password })).status, 303);
  assert.equal((await signIn(newVisitor(), { email, password: 'a wrong guess' })).status, 400);
});

test('an address that tries many accounts is delayed, even after a success', async () => {
  const email = await newPerson();
  const from = '2001:db8:1:2::';
  const known = newVisitor(`${from}1`);
  await signIn(known, { email, password });
  await signOut(known);
  for (let tried = 0; tried < 20; tried += 1) {
    if (tried % 5 === 0)
      assert.equal((await signIn(newVisitor(`${from}f`), { email, password })).status, 303);
    const { status } = await signIn(newVisitor(`${from}${tried}`), {
      email: `guess${tried}@shop.test`,
      password,
    });
    assert.equal(status, 400);
  }
  const [before] = await context.sql`select count(*)::int as count from sign_in_attempts`;
  for (const other of [email, 'somebody@shop.test']) {
    assert.equal((await signIn(newVisitor(`${from}99`), { email: other, password })).status, 429);
  }
  const [rows] = await context.sql`select count(*)::int as count from sign_in_attempts`;
  assert.deepEqual(rows, before);
  assert.equal((await signIn(known, { email, password })).status, 303);
  assert.equal((await signIn(newVisitor('2001:db8:1:3::1'), { email, password })).status, 303);
  clock.advance(second);
  assert.equal((await signIn(newVisitor(`${from}99`), { email, password })).status, 303);
});

test('an invitation lets a person choose a password, once, and ends sessions in other browsers', async () => {
  const email = await newPerson();
  const earlier = newVisitor();
  await signIn(earlier, { email, password });
  const first = new URL((await resetPassword(context, await knownUser(context, email))).link).pathname;
  const path = new URL((await resetPassword(context, await knownUser(context, email))).link).pathname;
  const visitor = newVisitor();
  assert.match((await visitor.open(path)).text, new RegExp(email));
  for (const [fields, complaint] of [
    [{ password: '123456789', again: '123456789' }, /at least 10 characters/],
    [{ password: 'another password', again: 'another passwort' }, /The passwords do not match/],
    [{}, /at least 10 characters/],
  ] as const) {
    const { status, text } = await visitor.submit(fields);
    assert.equal(status, 400);
    assert.match(text, complaint);
  }
  assert.ok(await personOf(earlier));
  const fields = { password: 'another password', again: 'another password' };
  const answers = await Promise.all([visitor.submit(fields), visitor.submit(fields)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404]);
  assert.equal(await personOf(earlier), null);
  for (const spent of [path, first]) assert.equal((await newVisitor().open(spent)).status, 404);
  assert.equal((await signIn(newVisitor(), { email, password })).status, 400);
  assert.equal((await signIn(newVisitor(), { email, ...fields })).status, 303);
});

test('links to choose a password lapse, resets in an hour and invitations in a day, and open no session', async () => {
  const email = await newPerson();
  const reset = new URL((await resetPassword(context, await knownUser(context, email))).link).pathname;
  const { link } = await inviteUser(context, { ...shop, email: 'late@shop.test', role: 'operator' });
  const invitation = new URL(link ?? '').pathname;
  clock.advance(3600 * second - 1);
  assert.equal((await newVisitor().open(reset)).status, 200);
  assert.equal((await newVisitor().open(reset.replace('password', 'sign-in'))).status, 404);
  clock.advance(1);
  assert.equal((await newVisitor().open(reset)).status, 404);
  assert.equal((await newVisitor().open(invitation)).status, 200);
  clock.advance(day);
  assert.equal((await newVisitor().open(invitation)).status, 404);
});

test('a person with a password is invited without a link', async () => {
  const email = await newPerson();
  const { id: elsewhere } = await createProject(context, { name: 'Elsewhere' });
  const place = { projectId: elsewhere, projectName: 'Elsewhere', email, role: 'operator' as const };
  const invited = await inviteUser(context, place);
  assert.equal(invited.link, null);
  await assert.rejects(inviteUser(context, place), /already in/);
  await assert.rejects(knownUser(context, 'nobody@shop.test'), /no user/);
});

test('the log has sign-ins, refusals and pauses, but neither addresses nor passwords', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const own = await startPatchbay({ after }, { clock, log, config: { roles: ['api'] } });
  const { id } = await createProject(own.context, { name: 'Shop' });
  const email = 'logged@shop.test';
  await createUser(own.context, { projectId: id, email, role: 'admin', password });
  const tryOnce = async (tried: string) => {
    const visitor = formVisitor(own.address, { 'x-forwarded-for': '203.0.113.77' });
    await visitor.open('/sign-in/');
    return (await visitor.submit({ email, password: tried })).status;
  };
  assert.equal(await tryOnce(password), 303);
  for (let guess = 0; guess < 6; guess += 1) await tryOnce('a wrong guess');
  const told = lines.map((line) => JSON.parse(line)).filter(({ account }) => account !== undefined);
  assert.deepEqual(
    told.map(({ msg }) => msg),
    ['somebody signed in', ...Array(5).fill('a sign-in was refused'), 'a sign-in was paused'],
  );
  assert.equal(new Set(told.map(({ account, address }) => `${account} ${address}`)).size, 1);
  assert.doesNotMatch(lines.join(''), /logged@|203\.0\.113\.77|wrong guess|correct horse/);
});
