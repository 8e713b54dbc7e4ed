import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { startPatchbay } from '../../../test/harness.ts';
import { type FormVisitor, formVisitor } from '../../../test/visitor.ts';
import { randomToken } from '../../platform/secrets/secret.ts';
import { changeMember, deleteMember } from '../auth/team-store.ts';
import { createUser } from '../operators/create-user.ts';
import { createSignInLink } from '../operators/sign-in-link.ts';
import { createProject } from '../projects/projects.ts';
import { createApplication } from './applications.ts';
import { challengeOf } from './rules.ts';

const clock = manualClock();
const { context, address, call } = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { id: shop } = await createProject(context, { name: 'Shop <1>' });
const { id: bakery } = await createProject(context, { name: 'Bakery' });
const plain = 'https://crm.test/callback';
const withQuery = 'https://crm.test/callback?tenant=a%20b&x';
const { clientId, clientSecret } = await createApplication(context, {
  name: 'CRM & <Co>',
  redirectUris: [plain, withQuery, 'https://crm.test', 'http://127.0.0.1:9/cb?'],
});
const iss = `&iss=${encodeURIComponent('https://patchbay.test')}`;
let people = 0;

async function visitorWho(...roles: [projectId: string, role: 'admin' | 'operator'][]): Promise<FormVisitor> {
  people += 1;
  const [first = [shop, 'admin'] as const, ...more] = roles;
  const email = `person${people}@shop.test`;
  const add = ([projectId, role]: readonly [string, 'admin' | 'operator']) =>
    createUser(context, { projectId, email, role, password: 'long enough' });
  const { id } = await add(first);
  for (const role of more) await add(role);
  const visitor = formVisitor(address);
  await visitor.open(new URL(await createSignInLink(context, id)).pathname);
  await visitor.submit();
  return visitor;
}

const pathWith = (query: Record<string, string>, raw = ''): string =>
  `/integrations/oauth/?${new URLSearchParams({ client_id: clientId, redirect_uri: plain, ...query })}${raw}`;

const codeIn = (location: string | null): string => new URL(location ?? '').searchParams.get('code') ?? '';

const exchange = (code: string, more: object = {}) =>
  call('POST', '/api/partners/oauth/', {
    body: { client_id: clientId, client_secret: clientSecret, grant_type: 'code', code, ...more },
  });

test('an approval redirects with a code for the chosen project, the unchanged state, and the issuer', async () => {
  const visitor = await visitorWho([shop, 'admin'], [bakery, 'admin']);
  const state = 'a+b%20c%2B%26%3D%ff%E2%82%AC~!;"';
  const page = await visitor.open(pathWith({}, `&state=${state}`));
  assert.equal(page.status, 200);
  for (const shown of ['CRM &amp; &lt;Co&gt;', 'Shop &lt;1&gt;', 'Bakery', 'crm.test', `person${people}@`]) {
    assert.ok(page.text.includes(shown), shown);
  }
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self' https:;/);
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');

  const answer = await visitor.submit({ decision: 'approve', project: bakery });
  assert.equal(answer.status, 303);
  assert.match(answer.location ?? '', /^https:\/\/crm\.test\/callback\?code=[\w-]{43}&state=/);
  assert.ok(answer.location?.endsWith(`&state=${state.replace('"', '%22')}${iss}`), answer.location ?? '');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  const { status, body } = await exchange(codeIn(answer.location), { redirect_uri: plain });
  assert.equal(status, 200);
  const [family] = await context.sql`
    select project_id from token_families join access_tokens on family_id = id order by created_at desc, id desc limit 1`;
  assert.equal(family?.project_id, bakery);
  assert.equal(body.token_type, 'Bearer');
});

test('a refusal redirects with access_denied, and without a state if none was sent', async () => {
  const visitor = await visitorWho();
  await visitor.open(pathWith({ redirect_uri: withQuery }));
  const refused = await visitor.submit({ decision: 'refuse' });
  assert.deepEqual([refused.status, refused.location], [303, `${withQuery}&error=access_denied${iss}`]);
  await visitor.open(pathWith({ redirect_uri: 'http://127.0.0.1:9/cb?', state: '' }));
  const empty = await visitor.submit({ decision: 'refuse' });
  assert.equal(empty.location, `http://127.0.0.1:9/cb?error=access_denied&state=${iss}`);
});

test('an address that is not registered exactly is never redirected to, signed in or not', async () => {
  const visitor = await visitorWho();
  const wrong = [
    '',
    'https://crm.test/',
    'https://crm.test/callback/',
    'https://crm.test/Callback',
    'https://CRM.test/callback',
    'HTTPS://crm.test/callback',
    'http://crm.test/callback',
    'https://crm.test:443/callback',
    'https://crm.test./callback',
    'https://user@crm.test/callback',
    'https://crm.test@evil.test/callback',
    'https://crm.test/callback#',
    'https://crm.test/callback?',
    'https://crm.test/callback?x=1',
    'https://crm.test/%63allback',
    'https://crm.test/./callback',
    'https://crm.test/a/../callback',
    'https://crm.test/callback\n',
    ' https://crm.test/callback',
    'https://crm.test\\callback',
    '//crm.test/callback',
    'https://crm.test/callback\0',
    'https://crm.test/callback,https://evil.test',
    'https://evil.test/',
    'javascript:alert(1)',
    `${withQuery}&y`,
    'https://crm.test/callback?x&tenant=a%20b',
    'https://crm.test/callback?tenant=a+b&x',
  ];
  for (const redirect_uri of wrong) {
    for (const who of [visitor, formVisitor(address)]) {
      const path = pathWith({ redirect_uri, code_challenge_method: 'plain', state: 's' });
      const shown = await who.open(path);
      const sent = await who.submit({ decision: 'refuse' }, { path });
      for (const answer of [shown, sent]) {
        assert.deepEqual([answer.status, answer.location], [400, null], redirect_uri);
        assert.ok(!answer.text.includes('evil.test'));
      }
    }
  }
});

test('a request without a clear origin is answered here', async () => {
  const visitor = await visitorWho();
  for (const query of [
    '',
    '?',
    `?client_id=${clientId}`,
    `?redirect_uri=${encodeURIComponent(plain)}`,
    `?client_id=x&redirect_uri=${encodeURIComponent(plain)}`,
    `?client_id=${context.newId()}&redirect_uri=${encodeURIComponent(plain)}`,
    `?client_id=${clientId.toUpperCase()}&redirect_uri=${encodeURIComponent(plain)}`,
    pathWith({}, '&redirect_uri=https://evil.test/').slice(20),
    pathWith({}, `&client_id=${context.newId()}`).slice(20),
  ]) {
    const { status, location } = await visitor.open(`/integrations/oauth/${query}`);
    assert.deepEqual([status, location], [400, null], query);
  }
});

test('a code of a person who is no administrator any more gives no access', async () => {
  const takings = [
    (by: string, id: string) => deleteMember(context.sql, shop, { by, id }),
    (by: string, id: string) => changeMember(context.sql, shop, { by, id }, { role: 'operator' }),
  ];
  for (const take of takings) {
    const visitor = await visitorWho([shop, 'admin']);
    await visitor.open(pathWith({}));
    const { location } = await visitor.submit({ decision: 'approve', project: shop });
    const admins = await context.sql<{ id: string }[]>`
      select id from operators where project_id = ${shop} and role = 'admin' order by created_at desc, id desc`;
    const [leaver, other] = admins;
    assert.ok(leaver && other);
    assert.ok(await take(other.id, leaver.id));
    const late = await exchange(codeIn(location), { redirect_uri: plain });
    assert.equal(late.body.error, 'invalid_grant');
  }
});

test('an address of http that was registered earlier gets no code', async () => {
  const old = 'http://crm.test/callback';
  const visitor = await visitorWho();
  const [before] = await context.sql`select redirect_uris from applications where id = ${clientId}`;
  await context.sql`
    update applications set redirect_uris = array_append(redirect_uris, ${old}) where id = ${clientId}`;
  const { status, location } = await visitor.open(pathWith({ redirect_uri: old }));
  await context.sql`update applications set redirect_uris = ${before?.redirect_uris} where id = ${clientId}`;
  assert.deepEqual([status, location], [400, null]);
});

test('every other error is reported to the application', async () => {
  const visitor = await visitorWho();
  const challenge = challengeOf(randomToken());
  // biome-ignore format: a table is read in columns
  const wrong: [query: Record<string, string>, raw: string, error: RegExp][] = [
    [{ code_challenge: challenge, code_challenge_method: 'plain' }, '', /invalid_request.*S256/],
    [{ code_challenge: challenge }, '', /invalid_request.*S256/],
    [{ code_challenge: '', code_challenge_method: 'S256' }, '', /invalid_request/],
    [{ code_challenge: `${challenge}=`, code_challenge_method: 'S256' }, '', /invalid_request/],
    [{ code_challenge_method: 'S256' }, '', /invalid_request/],
    [{ code_challenge: challenge, code_challenge_method: 'S256' }, `&code_challenge=${challenge}`, /invalid_request/],
    [{ response_type: 'token' }, '', /unsupported_response_type/],
  ];
  for (const [query, raw, error] of wrong) {
    for (const who of [visitor, formVisitor(address)]) {
      const { status, location } = await who.open(pathWith({ ...query, state: 'x y' }, raw));
      assert.equal(status, 303);
      assert.ok(
        location?.startsWith(`${plain}?error=`) && location.endsWith(`&state=x+y${iss}`),
        String(location),
      );
      assert.match(String(location), error);
    }
  }
  const twice = await visitor.open(pathWith({ state: 'a' }, '&state=b'));
  assert.match(twice.location ?? '', /\?error=invalid_request&error_description=[^&]*&iss=/);
});

test('a challenge that was sent must be met', async () => {
  const visitor = await visitorWho();
  const verifier = randomToken();
  const query = {
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    response_type: 'code',
  };
  await visitor.open(pathWith(query));
  const approve = () => visitor.submit({ decision: 'approve', project: shop });
  assert.equal((await exchange(codeIn((await approve()).location))).status, 400);
  const { location } = await approve();
  assert.equal((await exchange(codeIn(location), { code_verifier: verifier })).status, 200);
});

test('a visitor who is not signed in comes back after it, with the request unchanged', async () => {
  const visitor = formVisitor(address);
  const path = pathWith({}, '&state=%ff+%20%2B');
  const sent = await visitor.open(path);
  assert.equal(sent.status, 303);
  assert.equal(sent.location, `/sign-in/?next=${encodeURIComponent(path)}`);
  const email = `late@shop.test`;
  await createUser(context, { projectId: shop, email, role: 'admin', password: 'long enough' });
  await visitor.open(sent.location ?? '');
  const back = await visitor.submit({ email, password: 'long enough' }, { path: '/sign-in/' });
  assert.equal(back.location, path);
  await visitor.open(path);
  const { location } = await visitor.submit({ decision: 'approve', project: shop });
  assert.ok(location?.includes('&state=%ff+%20%2B&'));
  await visitor.submit({}, { path: '/sign-out/' });
  assert.equal(
    (await visitor.submit({ decision: 'approve', project: shop }, { path })).location,
    sent.location,
  );
});

test('only administrators grant access, and only to their own projects', async () => {
  const visitor = await visitorWho([shop, 'operator'], [bakery, 'admin']);
  const { text } = await visitor.open(pathWith({}));
  assert.ok(!text.includes('Shop &lt;1&gt;') && text.includes('Bakery'));
  for (const project of [shop, context.newId(), 'x', '']) {
    const { status, location, text } = await visitor.submit({ decision: 'approve', project });
    assert.deepEqual([status, location], [400, null]);
    assert.match(text, /Choose a project/);
  }
  const operator = await visitorWho([shop, 'operator']);
  assert.match((await operator.open(pathWith({}))).text, /you administer no project/);
  const { status, location } = await operator.submit({ decision: 'approve', project: shop });
  assert.deepEqual([status, location], [400, null]);
  assert.equal((await operator.submit({ decision: 'refuse' })).status, 303);
});

test('a decision without our form is ignored', async () => {
  const [visitor, other] = [await visitorWho(), await visitorWho()];
  await visitor.open(pathWith({}));
  const { text } = await other.open(pathWith({}));
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const fields = { decision: 'approve', project: shop };
  const foreign: [Record<string, string>, Record<string, string>][] = [
    [{ ...fields, token: '' }, {}],
    [{ ...fields, token }, {}],
    [{ decision: 'refuse', token }, {}],
    [fields, { origin: 'https://crm.test' }],
    [fields, { 'sec-fetch-site': 'cross-site', origin: 'https://patchbay.test' }],
  ];
  for (const [sent, headers] of foreign) {
    const { status, location } = await visitor.submit(sent, { headers });
    assert.deepEqual([status, location], [403, null]);
  }
});

test('a decision that is sent twice gives two codes, each good once', async () => {
  const visitor = await visitorWho();
  await visitor.open(pathWith({ state: 's' }));
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => visitor.submit({ decision: 'approve', project: shop })),
  );
  const codes = answers.map(({ location }) => codeIn(location));
  assert.equal(new Set(codes).size, 6);
  for (const code of codes) assert.equal((await exchange(code)).status, 200);
});
