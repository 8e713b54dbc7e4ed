import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { startPatchbay } from '../../../../test/harness.ts';
import { newSession } from '../../../../test/person.ts';
import { startMailServer } from '../../../../test/stand-ins/mail-server.ts';
import { formVisitor } from '../../../../test/visitor.ts';
import { createUser } from '../../../access/operators/create-user.ts';
import { createProject } from '../../../access/projects/projects.ts';

const server = await startMailServer({ after });
const clock = manualClock();
const { call, context, address } = await startPatchbay(
  { after },
  { clock, config: { roles: ['api'], smtp: { url: server.url, from: 'Patchbay <patchbay@shop.test>' } } },
);
const { sql } = context;
const password = 'correct horse';

async function newProject(name: string) {
  const email = `${randomUUID()}@shop.test`;
  const { id: projectId } = await createProject(context, { name });
  const { id: userId } = await createUser(context, { projectId, email, role: 'admin', password });
  const token = await newSession(context, userId);
  const headers = { cookie: `__Host-patchbay-session=${token}`, 'patchbay-project': projectId };
  const invite = (invited: string) =>
    call('POST', '/console/api/team/', { headers, body: { email: invited, role: 'operator' } });
  return { projectId, email, headers, invite };
}

const linkIn = (text: string): string =>
  /https:\/\/patchbay\.test(\/password\/[\w-]+\/)/.exec(text)?.[1] ?? '';

const shop = await newProject('Shop «Ёж»');

test('an invitation is mailed, and not shown', async () => {
  const { body } = await shop.invite('new@shop.test');
  assert.deepEqual(body, { way: 'mailed', link: null, mail_failed: false });
  const { to, text } = await server.next();
  assert.equal(to, 'new@shop.test');
  assert.match(text, /invited to Shop «Ёж»/);
  assert.equal((await formVisitor(address).open(linkIn(text))).status, 200);
});

test('a name in a mail is one line, whatever it contains', async () => {
  const bad = await newProject('Shop');
  // Names were once stored as they came.
  const name = 'Shop\r\n\r\nYour account is closed:\u2028https://evil.test\u0085Bye';
  await sql`update projects set name = ${name} where id = ${bad.projectId}`;
  const line = 'Shop Your account is closed: https://evil.test Bye';
  await bad.invite('lines@shop.test');
  assert.ok((await server.next()).text.startsWith(`You are invited to ${line}, a project`));
  await bad.invite(shop.email);
  assert.ok((await server.next()).text.startsWith(`You are invited to ${line}, a project`));
});

test('a person with a password is mailed the sign-in address, and their administrator sees no link', async () => {
  const other = await newProject('Elsewhere');
  assert.deepEqual((await other.invite(shop.email)).body, { way: 'mailed', link: null, mail_failed: false });
  const { text } = await server.next();
  assert.match(text, /invited to Elsewhere.*https:\/\/patchbay\.test\/console\//s);
  assert.equal(linkIn(text), '');
});

test('a failed mail is reported, and the invitation stays: the link is shown instead', async () => {
  server.refuse(true);
  const { body } = await shop.invite('refused@shop.test');
  server.refuse(false);
  assert.deepEqual([body.way, body.mail_failed], ['link', true]);
  assert.equal((await formVisitor(address).open(new URL(body.link).pathname)).status, 200);
});

test('a person who forgot the password gets a link by mail, and the page answers everybody alike', async () => {
  const visitor = formVisitor(address, { 'x-forwarded-for': '203.0.113.7' });
  assert.match((await visitor.open('/sign-in/')).text, /href="\/forgotten-password\/"/);
  const ask = async (email: string) => {
    await visitor.open('/forgotten-password/');
    const { status, text } = await visitor.submit({ email });
    return { status, text: text.replaceAll(email, 'them') };
  };
  const unknown = await ask('nobody@shop.test');
  assert.equal(unknown.status, 200);
  assert.deepEqual(await ask(shop.email.toUpperCase()), unknown);
  const { to, text } = await server.next();
  assert.equal(to, shop.email);
  const other = formVisitor(address);
  await other.open(linkIn(text));
  assert.equal((await other.submit({ password: 'another horse', again: 'another horse' })).status, 303);
  assert.equal((await call('GET', '/console/api/team/', { headers: shop.headers })).status, 401);

  assert.equal((await ask('no address')).status, 400);
  for (let asked = 1; asked < 5; asked += 1) assert.equal((await ask('nobody@shop.test')).status, 200);
  assert.equal((await ask('nobody@shop.test')).status, 429);
  await visitor.open('/sign-in/');
  const signedIn = await visitor.submit({ email: shop.email, password: 'another horse' });
  assert.equal(signedIn.status, 303);
});

test("invitations by others do not block a person's link to choose a password", async () => {
  const [victim, stranger] = [await newProject('Victim'), await newProject('Stranger')];
  for (let count = 0; count < 5; count += 1) await stranger.invite(victim.email);
  assert.equal((await server.next()).to, victim.email);
  const visitor = formVisitor(address, { 'x-forwarded-for': '203.0.113.8' });
  await visitor.open('/forgotten-password/');
  assert.equal((await visitor.submit({ email: victim.email })).status, 200);
  assert.match((await server.next()).text, /choose a new password/);
});

test('a form for a link from another site is refused', async () => {
  const visitor = formVisitor(address);
  await visitor.open('/forgotten-password/');
  const headers = { 'sec-fetch-site': 'cross-site' };
  assert.equal((await visitor.submit({ email: shop.email }, { headers })).status, 403);
});
