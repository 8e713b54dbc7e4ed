import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { startMailServer } from '../../../../test/stand-ins/mail-server.ts';
import { tellApprovers } from './tell-approvers.ts';

const clock = manualClock();
const mail = await startMailServer({ after });
const smtp = { url: mail.url, from: 'Patchbay <patchbay@shop.test>' };
const patchbay = await startPatchbay({ after }, { config: { roles: ['api'], smtp }, clock });
const { call, context } = patchbay;
const { sql } = context;

const sale = { name: 'Sale', text: 'Hello', filter_chats: { all: [] } };

/** A project whose mailings need approval, with its author, a second administrator and an operator. */
async function project() {
  const { projectId } = await createPartner({ after }, patchbay);
  const person = async (name: string, role: 'admin' | 'operator' = 'admin') => {
    const signedIn = await signIn(context, { projectId, name, role });
    await sql`update users set password_hash = 'x' where id = ${signedIn.userId}`;
    return signedIn;
  };
  const [olga, ivan] = [await person('Olga'), await person('Ivan')];
  await person('Oscar', 'operator');
  await sql`update projects set needs_approval = true, name = 'Tea shop' where id = ${projectId}`;
  const ask = (who: typeof olga, method: string, path: string, body?: object) =>
    call(method, `/console/api/${path}`, { headers: who.headers, ...(body && { body }) });
  const make = async (body: object = {}): Promise<string> =>
    (await ask(olga, 'POST', 'mailings/', { ...sale, ...body })).body.uuid;
  const waiting = async (who: typeof olga) =>
    (await ask(who, 'GET', 'home/')).body.approvals.map(({ uuid }: { uuid: string }) => uuid);
  return { projectId, olga, ivan, person, ask, make, waiting };
}

/** Sends what waits, and returns the addresses, each with what it got. */
async function told(): Promise<{ to: string; text: string }[]> {
  const count = await tellApprovers(context);
  return Promise.all(Array.from({ length: count }, () => mail.next()));
}
const addressesOf = (mails: { to: string }[]) => mails.map(({ to }) => to).sort();

test('each administrator but the author gets one mail when a mailing waits, and nobody else does', async () => {
  const { projectId, ivan, make } = await project();
  const uuid = await make();
  const mails = await told();
  assert.deepEqual(addressesOf(mails), [ivan.email]);
  const [{ text } = { text: '' }] = mails;
  assert.match(text, /Olga asks you to approve the mailing "Sale" in Tea shop\./);
  assert.ok(text.includes(`https://patchbay.test/console/${projectId}/mailings/${uuid}/`), text);
  assert.deepEqual(await told(), []);
});

test('a mailing that changes, and waits again, brings no second mail to the same person', async () => {
  const { olga, ivan, ask, make } = await project();
  const uuid = await make({ planned_at: '2099-01-01T00:00:00Z' });
  assert.deepEqual(addressesOf(await told()), [ivan.email]);
  const again = { ...sale, text: 'Other', planned_at: '2099-01-01T00:00:00Z' };
  assert.equal((await ask(olga, 'PUT', `mailings/${uuid}/`, again)).status, 200);
  assert.deepEqual(await told(), []);
  assert.equal((await ask(ivan, 'PUT', `mailings/${uuid}/`, again)).status, 200);
  assert.deepEqual(addressesOf(await told()), [olga.email], 'now the other one is asked');
});

test('nobody is asked about a mailing that waits no more, nor who may not approve any more', async () => {
  const { olga, ivan, person, ask, make } = await project();
  await ask(olga, 'POST', `mailings/${await make()}/stop/`);
  await ask(ivan, 'POST', `mailings/${await make()}/approve/`, { revision: 0 });
  assert.deepEqual(await told(), []);
  const eve = await person('Eve');
  await make();
  await sql`update operators set role = 'operator' where id = ${eve.operatorId}`;
  assert.deepEqual(addressesOf(await told()), [ivan.email]);
  await make();
  await sql`update operators set awaits_consent = true where id = ${ivan.operatorId}`;
  assert.deepEqual(await told(), []);
});

test('names have no line breaks in a mail', async () => {
  const { projectId, make } = await project();
  const uuid = await make();
  await sql`update projects set name = ${'Tea\r\nBcc: x'} where id = ${projectId}`;
  await sql`update mailings set name = ${'Sale\nPay here: http://evil.test'} where id = ${uuid}`;
  await sql`update mailing_approvals set author_name = ${'Ol\u2028ga'} where mailing_id = ${uuid}`;
  const [{ text } = { text: '' }] = await told();
  assert.match(
    text,
    /Ol ga asks you to approve the mailing "Sale Pay here: http:\/\/evil\.test" in Tea Bcc: x\./,
  );
});

test('two processes at the same time send each mail once', async () => {
  const { ivan, make } = await project();
  await Promise.all([make(), make()]);
  const counts = await Promise.all([tellApprovers(context), tellApprovers(context)]);
  assert.equal(counts[0] + counts[1], 2);
  assert.deepEqual(addressesOf([await mail.next(), await mail.next()]), [ivan.email, ivan.email]);
});

test('without a mail server nobody gets a mail, then or later', async () => {
  const { ivan, make } = await project();
  await make();
  assert.equal(await tellApprovers({ ...context, config: { ...context.config, smtp: null } }), 0);
  assert.deepEqual(await told(), []);
  await make();
  assert.deepEqual(addressesOf(await told()), [ivan.email]);
});

const wait = (minutes: number) => clock.advance(minutes * 60_000);

test('a mail that the server refuses twice is tried again, and arrives once', async () => {
  const { ivan, make } = await project();
  await make();
  mail.refuse(true);
  assert.equal(await tellApprovers(context), 0);
  wait(1);
  assert.equal(await tellApprovers(context), 0);
  mail.refuse(false);
  assert.deepEqual(await told(), [], 'the second wait is not over');
  wait(5);
  assert.deepEqual(addressesOf(await told()), [ivan.email]);
  wait(24 * 60);
  assert.deepEqual(await told(), []);
});

test('a refused mail does not hold up the next one', async () => {
  const { ivan, make } = await project();
  await make();
  mail.refuse(true);
  assert.equal(await tellApprovers(context), 0);
  mail.refuse(false);
  await make();
  assert.deepEqual(addressesOf(await told()), [ivan.email]);
  wait(1);
  assert.deepEqual(addressesOf(await told()), [ivan.email]);
});

test('a server that cannot be reached is tried again', async () => {
  const { ivan, make } = await project();
  await make();
  const nowhere = { ...context.config, smtp: { ...smtp, url: 'smtp://127.0.0.1:1' } };
  assert.equal(await tellApprovers({ ...context, config: nowhere }), 0);
  wait(1);
  assert.deepEqual(addressesOf(await told()), [ivan.email]);
});

test('a mail that the server may have is not repeated', async () => {
  const { ivan, make } = await project();
  await make();
  mail.hangUp(true);
  assert.equal(await tellApprovers(context), 0);
  mail.hangUp(false);
  assert.equal((await mail.next()).to, ivan.email);
  wait(24 * 60);
  assert.deepEqual(await told(), []);
});

test('before another try the mailing must still wait for the person', async () => {
  const { ivan, ask, make } = await project();
  const uuid = await make();
  mail.refuse(true);
  assert.equal(await tellApprovers(context), 0);
  mail.refuse(false);
  await ask(ivan, 'POST', `mailings/${uuid}/approve/`, { revision: 0 });
  wait(1);
  assert.deepEqual(await told(), []);
});

test('a mail is tried six times, within thirteen hours', async () => {
  const { make } = await project();
  await make();
  mail.refuse(true);
  const refusals = mail.refusals();
  for (let minute = 0; minute < 13 * 60; minute += 1) {
    await tellApprovers(context);
    wait(1);
  }
  assert.equal(mail.refusals() - refusals, 6);
  mail.refuse(false);
  wait(24 * 60);
  assert.deepEqual(await told(), []);
});

test('tries of one mail count once for the most mails in an hour', async () => {
  const { ivan, make } = await project();
  await make();
  mail.refuse(true);
  for (const minutes of [0, 1, 5]) {
    wait(minutes);
    await tellApprovers(context);
  }
  mail.refuse(false);
  for (let n = 0; n < 19; n += 1) await make();
  assert.deepEqual(addressesOf(await told()), Array(19).fill(ivan.email));
  wait(30);
  assert.deepEqual(addressesOf(await told()), [ivan.email]);
});

test('one person gets at most twenty such mails an hour', async () => {
  const { make } = await project();
  for (let n = 0; n < 21; n += 1) await make();
  assert.equal((await told()).length, 20);
  assert.deepEqual(await told(), []);
});

test('the start page shows the mailings that wait for the reader', async () => {
  const { olga, ivan, ask, make, waiting } = await project();
  const uuid = await make();
  assert.deepEqual(await waiting(olga), []);
  assert.deepEqual((await ask(ivan, 'GET', 'home/')).body.approvals, [
    { uuid, name: 'Sale', author: 'Olga', at: clock.now().toISOString() },
  ]);
  await ask(ivan, 'POST', `mailings/${uuid}/approve/`, { revision: 0 });
  assert.deepEqual(await waiting(ivan), []);
});
