import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedAdmin, seedProject } from '../../../test/seed.ts';
import { anyone } from '../../platform/http/guard.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { router } from '../../platform/http/router.ts';
import { createServer } from '../../platform/http/server.ts';
import { createGuards } from '../auth/guards.ts';
import { createApplication } from './applications.ts';
import { createCode } from './create-code.ts';
import { challengeOf } from './rules.ts';
import { forgetExpiredTokens, revokeFamily } from './store.ts';
import { token } from './token.ts';

type Fields = Record<string, string>;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
type Answer = { status: number; headers: Headers; body: any };

const redirectUri = 'https://crm.example/callback?from=patchbay';
const minute = 60_000;
const day = 24 * 60 * minute;

const clock = manualClock();
const database = await testDatabase({ after });
const context = testContext(database, clock);
const address = await startServer();

let projectId: string;
let approvedBy: string;
let client: { client_id: string; client_secret: string };

/** The endpoint in a new process. */
async function startServer(): Promise<string> {
  const server = createServer({ log: context.log, publicUrl: 'https://patchbay.test' });
  router(server, context)('POST', '/api/partners/oauth/', anyone, token);
  after(() => server.close());
  return server.listen({ port: 0, host: '127.0.0.1' });
}

beforeEach(async () => {
  projectId = await seedProject(context.sql);
  approvedBy = await seedAdmin(context.sql, projectId);
  client = await newClient();
});

async function newClient(): Promise<{ client_id: string; client_secret: string }> {
  const { clientId, clientSecret } = await createApplication(context, {
    name: 'CRM',
    redirectUris: ['https://crm.example/other', redirectUri],
  });
  return { client_id: clientId, client_secret: clientSecret };
}

async function post(body: string, type = 'application/json', to = address): Promise<Answer> {
  const headers = { 'content-type': type };
  const answer = await fetch(`${to}/api/partners/oauth/`, { method: 'POST', headers, body });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

const send = (fields: Fields, to = address): Promise<Answer> =>
  post(JSON.stringify({ ...client, ...fields }), 'application/json', to);

const newCode = (codeChallenge: string | null = null): Promise<string> =>
  createCode(context, { projectId, applicationId: client.client_id, redirectUri, codeChallenge, approvedBy });

const useCode = (code: string, more: Fields = {}, to = address): Promise<Answer> =>
  send({ grant_type: 'code', code, ...more }, to);

const refresh = (refreshToken: string, more: Fields = {}, to = address): Promise<Answer> =>
  send({ grant_type: 'refresh_token', refresh_token: refreshToken, ...more }, to);

type Tokens = { access_token: string; refresh_token: string };

/** The tokens of a code that was just used. */
async function granted(): Promise<Tokens> {
  const { status, body } = await useCode(await newCode());
  assert.equal(status, 200);
  return body;
}

async function principalOf(accessToken: string): Promise<Principal | null> {
  try {
    return await createGuards(context).requireOAuth.admit({ authorization: `Bearer ${accessToken}` });
  } catch {
    return null;
  }
}

const works = async ({ access_token }: Tokens): Promise<boolean> =>
  (await principalOf(access_token)) !== null;

async function familyCount(): Promise<number> {
  const rows = await context.sql`select 1 from token_families where application_id = ${client.client_id}`;
  return rows.length;
}

function assertRefused(answer: Answer, error: string): void {
  assert.deepEqual([answer.status, answer.body.error], [400, error]);
  assert.deepEqual(Object.keys(answer.body), ['error', 'detail']);
  assert.equal(typeof answer.body.detail, 'string');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
}

test('a code is exchanged for tokens of its project', async () => {
  const answer = await useCode(await newCode());
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.body), ['access_token', 'refresh_token', 'token_type', 'expires_in']);
  assert.equal(answer.body.token_type, 'Bearer');
  assert.equal(answer.body.expires_in, 3600);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  for (const secret of [answer.body.access_token, answer.body.refresh_token]) {
    assert.equal(Buffer.from(secret, 'base64url').length, 32);
  }
  assert.deepEqual(await principalOf(answer.body.access_token), {
    kind: 'oauth',
    projectId,
    callerId: client.client_id,
    applicationId: client.client_id,
    name: 'CRM',
  });
});

test('authorization_code is an alias of code, and a form is accepted like JSON', async () => {
  for (const grant_type of ['code', 'authorization_code']) {
    const form = new URLSearchParams({ ...client, grant_type, code: await newCode() });
    assert.equal((await post(form.toString(), 'application/x-www-form-urlencoded')).status, 200);
    assert.equal((await useCode(await newCode(), { grant_type })).status, 200);
  }
  const form = new URLSearchParams({ ...client, grant_type: 'refresh_token', ...(await granted()) });
  assert.equal((await post(form.toString(), 'application/x-www-form-urlencoded')).status, 200);
});

test('a missing field is named before any other check', async () => {
  const required = ['This field is required.'];
  const cases: [body: Fields, answer: unknown][] = [
    [{}, { client_id: required, client_secret: required, grant_type: required }],
    [{ client_id: 'x', client_secret: 'x', grant_type: 'code' }, { code: required }],
    [{ client_id: 'x', client_secret: 'x', grant_type: 'authorization_code' }, { code: required }],
    [
      { client_id: 'x', client_secret: 'x', grant_type: 'refresh_token', code: 'x' },
      { refresh_token: required },
    ],
    [
      { client_id: 'x', client_secret: 'x', grant_type: 'password' },
      { grant_type: ['"password" is not a valid choice.'] },
    ],
    [
      { client_id: '', client_secret: 'x', grant_type: 'code', code: 'x' },
      { client_id: ['This field may not be blank.'] },
    ],
  ];
  for (const [body, expected] of cases) {
    const answer = await post(JSON.stringify(body));
    assert.deepEqual([answer.status, answer.body], [400, expected]);
  }
});

test('an unknown client, a malformed one and a wrong secret get the same answer, and do not spend the code', async () => {
  const code = await newCode();
  const wrong = [
    await useCode(code, { client_id: randomUUID() }),
    await useCode(code, { client_id: 'no uuid' }),
    await useCode(code, { client_secret: 'wrong' }),
    await useCode(code, { client_secret: `${client.client_secret}x` }),
  ];
  for (const answer of wrong) assertRefused(answer, 'invalid_client');
  assert.equal(new Set(wrong.map(({ body }) => JSON.stringify(body))).size, 1);
  assert.equal((await useCode(code)).status, 200);
});

test('a code is valid for ten minutes', async () => {
  const [early, late] = [await newCode(), await newCode()];
  clock.advance(10 * minute - 1);
  assert.equal((await useCode(early)).status, 200);
  clock.advance(1);
  assertRefused(await useCode(late), 'invalid_grant');
});

test('a code is bound to its client', async () => {
  const code = await newCode();
  assertRefused(await useCode(code, await newClient()), 'invalid_grant');
  assert.equal((await useCode(code)).status, 200);
});

test('a code is bound to its redirect_uri, which is checked when it is sent', async () => {
  const code = await newCode();
  assertRefused(await useCode(code, { redirect_uri: 'https://crm.example/other' }), 'invalid_grant');
  assertRefused(await useCode(code, { redirect_uri: `${redirectUri}/` }), 'invalid_grant');
  assert.equal((await useCode(code, { redirect_uri: redirectUri })).status, 200);
});

test('a code is made for a registered address only, compared exactly', async () => {
  const grant = { projectId, applicationId: client.client_id, codeChallenge: null, approvedBy };
  const wrong = [
    'https://crm.example/callback',
    `${redirectUri}/`,
    redirectUri.toUpperCase(),
    'https://evil.example/',
  ];
  for (const redirectUri of wrong) {
    await assert.rejects(createCode(context, { ...grant, redirectUri }), {
      fields: { redirect_uri: ['This address is not registered for the application.'] },
    });
  }
  await assert.rejects(createCode(context, { ...grant, applicationId: randomUUID(), redirectUri }), {
    fields: { redirect_uri: ['This address is not registered for the application.'] },
  });
});

test('a code with a challenge needs its verifier, and a verifier needs a challenge', async () => {
  // The example of RFC 7636, appendix B.
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  assert.equal(challengeOf(verifier), challenge);

  const code = await newCode(challenge);
  assertRefused(await useCode(code), 'invalid_grant');
  assertRefused(await useCode(code, { code_verifier: challenge }), 'invalid_grant');
  assert.equal((await useCode(code, { code_verifier: verifier })).status, 200);
  assertRefused(await useCode(await newCode(), { code_verifier: verifier }), 'invalid_grant');
  await assert.rejects(newCode('plain'), {
    fields: { code_challenge: ['This is not a code challenge made with S256.'] },
  });
});

test('a second use of a code is refused and revokes the tokens of the first use', async () => {
  const code = await newCode();
  const { body: first } = await useCode(code);
  const { body: descendant } = await refresh(first.refresh_token);
  assert.ok((await works(first)) && (await works(descendant)));

  assertRefused(await useCode(code), 'invalid_grant');
  assert.ok(!(await works(first)) && !(await works(descendant)));
  assertRefused(await refresh(descendant.refresh_token), 'invalid_grant');
});

test('a second use of a lapsed code still revokes the tokens of the first use', async () => {
  const code = await newCode();
  const { body: first } = await useCode(code);
  clock.advance(30 * minute);
  assertRefused(await useCode(code), 'invalid_grant');
  assert.ok(!(await works(first)));
});

test('a used code in the hands of another client revokes nothing', async () => {
  const code = await newCode();
  const { body: first } = await useCode(code);
  assertRefused(await useCode(code, await newClient()), 'invalid_grant');
  assert.ok(await works(first));
});

test('of twenty concurrent uses of a code one succeeds, and the others revoke its family', async () => {
  const code = await newCode();
  const second = await startServer();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => useCode(code, {}, index % 2 ? second : address)),
  );
  const served = answers.filter(({ status }) => status === 200);
  assert.equal(served.length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200)) assertRefused(answer, 'invalid_grant');
  assert.equal(await familyCount(), 1);
  assert.ok(!(await works(served[0]?.body)));
});

test('a refresh token is rotated: the new pair works, and the earlier access token until it expires', async () => {
  const first = await granted();
  const { status, body: second } = await refresh(first.refresh_token);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(second), ['access_token', 'refresh_token', 'token_type', 'expires_in']);
  assert.notEqual(second.refresh_token, first.refresh_token);
  assert.ok((await works(first)) && (await works(second)));
  clock.advance(60 * minute);
  assert.ok(!(await works(first)) && !(await works(second)));
  assert.equal((await refresh(second.refresh_token)).status, 200);
  assert.equal(await familyCount(), 1);
});

test('a rotated refresh token is served for ten more seconds, counted from its first use', async () => {
  const first = await granted();
  const { body: second } = await refresh(first.refresh_token);
  clock.advance(6000);
  const again = await refresh(first.refresh_token);
  assert.equal(again.status, 200);
  clock.advance(4000);
  assert.equal((await refresh(first.refresh_token)).status, 200);
  assert.equal(await familyCount(), 1);
  assert.ok((await works(second)) && (await works(again.body)));

  clock.advance(1);
  assertRefused(await refresh(first.refresh_token), 'invalid_grant');
  assert.ok(!(await works(second)) && !(await works(again.body)));
});

test('a later reuse of a rotated refresh token revokes the whole family, in another process too', async () => {
  const first = await granted();
  const { body: second } = await refresh(first.refresh_token);
  const { body: third } = await refresh(second.refresh_token);
  const unrelated = await granted();
  clock.advance(10_001);

  assertRefused(await refresh(first.refresh_token, {}, await startServer()), 'invalid_grant');
  assert.ok(!(await works(third)));
  assertRefused(await refresh(third.refresh_token), 'invalid_grant');
  assert.ok(await works(unrelated));
});

test('a thief who comes months later is noticed, although the stolen token has lapsed', async () => {
  const first = await granted();
  let { body: latest } = await refresh(first.refresh_token);
  for (let month = 0; month < 4; month += 1) {
    clock.advance(30 * day);
    await forgetExpiredTokens(context.sql, clock.now());
    ({ body: latest } = await refresh(latest.refresh_token));
  }
  assert.ok(await works(latest));
  assertRefused(await refresh(first.refresh_token), 'invalid_grant');
  assert.ok(!(await works(latest)));
});

test('a refresh token lapses after ninety days unused', async () => {
  const [early, late] = [await granted(), await granted()];
  clock.advance(90 * day - 1);
  const { status, body: renewed } = await refresh(early.refresh_token);
  assert.equal(status, 200);
  clock.advance(1);
  assertRefused(await refresh(late.refresh_token), 'invalid_grant');
  clock.advance(89 * day);
  assert.equal((await refresh(renewed.refresh_token)).status, 200);
});

test('a token that lapsed unused is refused without effect on its family', async () => {
  const first = await granted();
  const { body: used } = await refresh(first.refresh_token);
  const { body: unused } = await refresh(first.refresh_token);
  clock.advance(60 * day);
  const { body: latest } = await refresh(used.refresh_token);
  clock.advance(30 * day);
  assertRefused(await refresh(unused.refresh_token), 'invalid_grant');
  assert.equal((await refresh(latest.refresh_token)).status, 200);
});

test('a refresh token is bound to its client, and another client revokes nothing by it', async () => {
  const first = await granted();
  const { body: second } = await refresh(first.refresh_token);
  clock.advance(minute);
  const stranger = await newClient();
  assertRefused(await refresh(first.refresh_token, stranger), 'invalid_grant');
  assertRefused(await refresh(second.refresh_token, stranger), 'invalid_grant');
  assert.equal((await refresh(second.refresh_token)).status, 200);
});

test('twenty concurrent uses of a refresh token all succeed, in one family', async () => {
  const { refresh_token } = await granted();
  const second = await startServer();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => refresh(refresh_token, {}, index % 2 ? second : address)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 20);
  assert.equal(await familyCount(), 1);
  for (const { body } of answers) assert.ok(await works(body));
});

test('a late reuse and a concurrent good refresh leave no token valid', async () => {
  const first = await granted();
  const { body: second } = await refresh(first.refresh_token);
  clock.advance(minute);
  const [, honest] = await Promise.all([refresh(first.refresh_token), refresh(second.refresh_token)]);
  if (honest.status === 200) {
    assert.ok(!(await works(honest.body)));
    assertRefused(await refresh(honest.body.refresh_token), 'invalid_grant');
  }
});

test('invented tokens and codes are refused', async () => {
  const { access_token, refresh_token } = await granted();
  const code = await newCode();
  assertRefused(await useCode('unknown'), 'invalid_grant');
  assertRefused(await useCode(refresh_token), 'invalid_grant');
  assertRefused(await refresh('unknown'), 'invalid_grant');
  assertRefused(await refresh(access_token), 'invalid_grant');
  assertRefused(await refresh(code), 'invalid_grant');
  assert.equal(await principalOf(refresh_token), null);
  assert.equal(await principalOf(code), null);
});

test('a family is revoked by its own project only', async () => {
  const tokens = await granted();
  const [family] = await context.sql<{ id: string }[]>`
    select id from token_families where application_id = ${client.client_id}`;
  const id = family?.id ?? '';
  assert.equal(await revokeFamily(context.sql, await seedProject(context.sql), id, clock.now()), false);
  assert.ok(await works(tokens));
  assert.equal(await revokeFamily(context.sql, projectId, id, clock.now()), true);
  assert.ok(!(await works(tokens)));
  assert.equal(await revokeFamily(context.sql, projectId, id, clock.now()), false);
});

test('the database stores no secret, code or token in clear', async () => {
  const code = await newCode();
  const { body: first } = await useCode(code);
  const { body: second } = await refresh(first.refresh_token);
  const secrets = [client.client_secret, code, ...Object.values(first), ...Object.values(second)];
  const [stored] = await context.sql<{ text: string }[]>`
    select coalesce((select string_agg(a::text, ' ') from applications a), '')
      || coalesce((select string_agg(c::text, ' ') from oauth_codes c), '')
      || coalesce((select string_agg(t::text, ' ') from access_tokens t), '')
      || coalesce((select string_agg(r::text, ' ') from refresh_tokens r), '') as text`;
  for (const secret of secrets.filter((value) => typeof value === 'string' && value !== 'Bearer')) {
    assert.ok(!stored?.text.includes(String(secret)));
    assert.ok(!stored?.text.includes(Buffer.from(String(secret)).toString('hex')));
    assert.ok(!stored?.text.includes(Buffer.from(String(secret), 'base64url').toString('hex')));
  }
});

test('expired rows are deleted, and rows that still matter stay', async () => {
  const rows = async (): Promise<unknown> => {
    const [row] = await context.sql`
      select (select count(*) from oauth_codes c where application_id = ${client.client_id}) as codes,
        (select count(*) from token_families f where application_id = ${client.client_id}) as families,
        (select count(*) from access_tokens join token_families f on f.id = family_id
          where application_id = ${client.client_id}) as access,
        (select count(*) from refresh_tokens join token_families f on f.id = family_id
          where application_id = ${client.client_id}) as refresh`;
    return row;
  };
  const tokens = await granted();
  await newCode();
  await forgetExpiredTokens(context.sql, clock.now());
  assert.deepEqual(await rows(), { codes: 2, families: 1, access: 1, refresh: 1 });

  clock.advance(60 * minute);
  await forgetExpiredTokens(context.sql, clock.now());
  assert.deepEqual(await rows(), { codes: 1, families: 1, access: 0, refresh: 1 });

  const { body } = await refresh(tokens.refresh_token);
  clock.advance(90 * day - 1);
  await forgetExpiredTokens(context.sql, clock.now());
  assert.deepEqual(await rows(), { codes: 1, families: 1, access: 0, refresh: 2 });
  assert.equal((await refresh(body.refresh_token)).status, 200);

  clock.advance(90 * day);
  await forgetExpiredTokens(context.sql, clock.now());
  assert.deepEqual(await rows(), { codes: 0, families: 0, access: 0, refresh: 0 });
});
