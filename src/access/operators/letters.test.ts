import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { startMailServer } from '../../../test/stand-ins/mail-server.ts';
import { formVisitor } from '../../../test/visitor.ts';
import { createUser } from './create-user.ts';
import { knownUser } from './reset-password.ts';

/** Letters that some database, language or mail server folds into an ASCII letter. */
const lookalikes: Record<string, string[]> = {
  i: ['İ', 'ı', 'ｉ'],
  s: ['ſ', 'ß', 'Ｓ'],
  k: ['\u212a', 'ｋ'],
};

const mail = await startMailServer({ after });
const { call, context, address } = await startPatchbay(
  { after },
  { config: { roles: ['api'], smtp: { url: mail.url, from: 'Patchbay <patchbay@shop.test>' } } },
);
const { sql } = context;
const partner = await createPartner({ after }, { context, call });
const admin = await signIn(context, { projectId: partner.projectId });
const password = 'correct horse';

/** One account, and every spelling of its address with one such letter. */
async function newAccount() {
  const email = `kis${randomUUID().slice(0, 8)}@kis${randomUUID().slice(0, 8)}.test`;
  await createUser(context, { projectId: partner.projectId, email, role: 'admin', password });
  const spellings = [...email].flatMap((letter, place) =>
    (lookalikes[letter] ?? []).map((other) => email.slice(0, place) + other + email.slice(place + 1)),
  );
  return { email, spellings };
}

const pathIn = (text: string): string =>
  /https:\/\/patchbay\.test(\/(?:password|invitation)\/[\w-]+\/)/.exec(text)?.[1] ?? '';

let visitors = 0;
function visitor() {
  visitors += 1;
  return formVisitor(address, { 'x-forwarded-for': `11.0.${Math.floor(visitors / 250)}.${visitors % 250}` });
}

test('a mailed link opens the account of the address that it was mailed to', async () => {
  const { email, spellings } = await newAccount();
  for (const typed of spellings) {
    const headers = admin.headers;
    await sql`delete from rates`;
    const { status, body } = await call('POST', '/console/api/team/', {
      headers,
      body: { email: typed, role: 'operator' },
    });
    if (status === 400) {
      assert.match(JSON.stringify(body), new RegExp(`${email} is already|valid email`), typed);
      continue;
    }
    const { to, text } = await mail.next();
    const page = await visitor().open(pathIn(text));
    assert.ok(page.text.includes(to), `${typed}: mailed to ${to}`);
    assert.notEqual(to, email);
  }
});

test("a link for a forgotten password goes to the account's own address, however the request spells it", async () => {
  const { email, spellings } = await newAccount();
  for (const typed of spellings) {
    const asking = visitor();
    await asking.open('/forgotten-password/');
    await asking.submit({ email: typed });
  }
  // The mails that were requested above arrive before this one.
  const asking = visitor();
  await asking.open('/forgotten-password/');
  await asking.submit({ email: admin.email });
  for (let to = ''; to !== admin.email; ) {
    const next = await mail.next();
    to = next.to;
    if (to !== admin.email) assert.equal(to, email);
    assert.ok((await visitor().open(pathIn(next.text))).text.includes(to));
  }
});

test('one account is signed in to by one address, and its attempts are counted once', async () => {
  const { email, spellings } = await newAccount();
  const count = async () =>
    (await sql<{ count: number }[]>`select count(*)::int as count from sign_in_attempts`)[0]?.count ?? 0;
  for (const typed of spellings) {
    const trying = visitor();
    await trying.open('/sign-in/');
    const { status } = await trying.submit({ email: typed, password });
    const isSame = (await knownUser(context, typed).catch(() => null))?.email === email;
    assert.equal(status, isSame ? 303 : 400, typed);
  }
  const same = spellings.map((typed) => ({ typed, domain: typed.split('@')[1] ?? '' }));
  const ofOne = same.filter(
    ({ typed, domain }) => typed.startsWith(email.split('@')[0] ?? '') && /[ｉſＳｋ\u212a]/.test(domain),
  );
  assert.ok(ofOne.length > 3);
  const before = await count();
  for (const { typed } of ofOne) {
    const trying = formVisitor(address, { 'x-forwarded-for': '12.0.0.1' });
    await trying.open('/sign-in/');
    await trying.submit({ email: typed, password: 'a wrong guess' });
  }
  assert.equal(await count(), before + 2, 'one of the account, one of where it comes from');
});

test("an operator in a partner's request is the one with exactly that address", async () => {
  const { email, spellings } = await newAccount();
  for (const typed of spellings) {
    const { status } = await call('POST', '/api/partners/iframe/', {
      headers: partner.token,
      body: { operator: { email: typed } },
    });
    assert.ok(status === 201 || status === 400, typed);
    const rows = await sql<{ operator: string }[]>`
      select operators.email as operator from iframe_links join operators on operators.id = operator_id
      where iframe_links.project_id = ${partner.projectId} order by iframe_links.id desc limit 1`;
    const known = await knownUser(context, typed).catch(() => null);
    if (status === 201) assert.equal(rows[0]?.operator === email, known !== null, typed);
  }
});

test('the command line takes one account for one address', async () => {
  const { email, spellings } = await newAccount();
  for (const typed of spellings) {
    const user = await knownUser(context, typed).catch(() => null);
    assert.ok(user === null || user.email === email, typed);
    const made = await createUser(context, {
      projectId: partner.projectId,
      email: typed,
      role: 'operator',
      password,
    }).catch((error: Error) => error.message);
    if (typeof made === 'string') assert.match(made, new RegExp(`${email} is already|invalid input`), typed);
    else assert.notEqual(made.email, email);
  }
});
