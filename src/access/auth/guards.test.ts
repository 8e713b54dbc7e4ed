import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import Type from 'typebox';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedApplication, seedProject } from '../../../test/seed.ts';
import type { Context } from '../../platform/context.ts';
import { action } from '../../platform/http/action.ts';
import { Nullable, Uuid } from '../../platform/http/fields.ts';
import { router } from '../../platform/http/router.ts';
import { createServer } from '../../platform/http/server.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { issueToken } from '../oauth/issue-token.ts';
import { createBotKey, revokeBotKey, rotateBotKey } from '../projects/bot-keys.ts';
import { createGuards } from './guards.ts';

type Answer = { status: number; body: unknown; challenge: string | null; statements: number };

let projectId: string;
let applicationId: string;
let token: string;
let key: string;
let keyId: string;

const who = action({
  response: Type.Object({
    kind: Type.String(),
    projectId: Uuid,
    callerId: Uuid,
    applicationId: Nullable(Uuid),
    name: Type.String(),
  }),
  handle: async ({ principal }) => principal,
});

let statements = 0;

const database = await testDatabase({ after });
const context = testContext(database, manualClock());
const address = await startServer();

async function startServer(): Promise<string> {
  const { requireOAuth, requireKeyOrOAuth } = createGuards({
    ...context,
    sql: countingStatements(context.sql),
  });
  const server = createServer({ log: context.log, publicUrl: 'https://patchbay.test' });
  const route = router(server, context);
  route('GET', '/oauth-only/', requireOAuth, who);
  route('GET', '/key-or-oauth/', requireKeyOrOAuth, who);
  after(() => server.close());
  return server.listen({ port: 0, host: '127.0.0.1' });
}

async function call(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const earlier = statements;
  const answer = await fetch(address + path, { headers });
  return {
    status: answer.status,
    body: await answer.json(),
    challenge: answer.headers.get('www-authenticate'),
    statements: statements - earlier,
  };
}

function countingStatements(sql: Context['sql']): Context['sql'] {
  return new Proxy(sql, {
    apply: (target, receiver, call) => {
      statements += 1;
      return Reflect.apply(target, receiver, call);
    },
  });
}

beforeEach(async () => {
  projectId = await seedProject(context.sql);
  applicationId = await seedApplication(context.sql);
  token = (await issueToken(context, { projectId, applicationId })).access_token;
  ({ key, id: keyId } = await createBotKey(context, { projectId, name: 'CRM' }));
});

const missing = { detail: 'Authentication credentials were not provided.' };
const incorrect = { detail: 'Incorrect authentication credentials.' };
const challenge = 'Bearer realm="api"';

test('each credential is admitted or refused as the contract says', async (t) => {
  const oauth = { kind: 'oauth', projectId, callerId: applicationId, applicationId, name: 'CRM' };
  const botKey = { kind: 'bot_key', projectId, callerId: keyId, applicationId: null, name: 'CRM' };
  const bearer = { authorization: `Bearer ${token}` };
  type Outcome = typeof missing | typeof oauth | typeof botKey;
  const cases: [sent: string, headers: Record<string, string>, oauthOnly: Outcome, keyOrOAuth: Outcome][] = [
    ['nothing', {}, missing, missing],
    ['a token', bearer, oauth, oauth],
    ['a token under another case of the scheme', { authorization: `bEaReR ${token}` }, oauth, oauth],
    ['a token behind several spaces', { authorization: `Bearer   ${token}` }, oauth, oauth],
    ['a bot key', { 'bot-key': key }, missing, botKey],
    ['a bot key in upper case', { 'bot-key': key.toUpperCase() }, missing, botKey],
    ['a token and a bot key', { ...bearer, 'bot-key': key }, oauth, oauth],
    ['a token and a bad bot key', { ...bearer, 'bot-key': 'x' }, oauth, oauth],
    ['a bad token and a bot key', { authorization: 'Bearer x', 'bot-key': key }, incorrect, incorrect],
    ['a proxy password and a bot key', { authorization: 'Basic eDp5', 'bot-key': key }, missing, botKey],
    ['an unknown token', { authorization: `Bearer ${token}x` }, incorrect, incorrect],
    ['an unknown bot key', { 'bot-key': randomUUID() }, missing, incorrect],
    ['a bot key as a token', { authorization: `Bearer ${key}` }, incorrect, incorrect],
    ['a token as a bot key', { 'bot-key': token }, missing, incorrect],
    ['a bot key that is no UUID', { 'bot-key': 'secret' }, missing, incorrect],
    ['an empty bot key', { 'bot-key': '' }, missing, incorrect],
    ['the scheme alone', { authorization: 'Bearer' }, incorrect, incorrect],
    ['two tokens in one header', { authorization: `Bearer ${token} ${token}` }, incorrect, incorrect],
    ['a token with a comma', { authorization: `Bearer ${token},x` }, incorrect, incorrect],
    ['a token with bytes beyond ASCII', { authorization: `Bearer ${token}é` }, incorrect, incorrect],
    ['another scheme', { authorization: `Token ${token}` }, missing, missing],
    ['the token in the query only', {}, missing, missing],
  ];
  for (const [sent, headers, oauthOnly, keyOrOAuth] of cases) {
    await t.test(sent, async () => {
      const strict = await call('/oauth-only/', headers);
      assert.deepEqual(strict.body, oauthOnly);
      assert.equal(strict.status, 'detail' in oauthOnly ? 403 : 200);
      assert.equal(strict.challenge, null);

      const open = await call(`/key-or-oauth/?access_token=${token}`, headers);
      assert.deepEqual(open.body, keyOrOAuth);
      assert.equal(open.status, 'detail' in keyOrOAuth ? 401 : 200);
      assert.equal(open.challenge, 'detail' in keyOrOAuth ? challenge : null);
    });
  }
});

const status = async (headers: Record<string, string>) => (await call('/key-or-oauth/', headers)).status;

test('a token stops working exactly one hour after it was issued', async () => {
  const clock = manualClock();
  const guards = createGuards({ sql: context.sql, clock });
  const admit = () => guards.requireOAuth.admit({ authorization: `Bearer ${token}` });
  clock.advance(3_599_999);
  await admit();
  clock.advance(1);
  await assert.rejects(async () => admit(), { status: 403, message: incorrect.detail });
});

test('a revoked family, a revoked key and a rotated key are refused by the very next request', async () => {
  const bearer = { authorization: `Bearer ${token}` };
  assert.equal(await status(bearer), 200);
  await context.sql`update token_families set revoked_at = now() where project_id = ${projectId}`;
  assert.equal(await status(bearer), 401);

  assert.equal(await status({ 'bot-key': key }), 200);
  const rotated = await rotateBotKey(context, { projectId, id: keyId });
  assert.equal(await status({ 'bot-key': key }), 401);
  assert.equal(await status({ 'bot-key': rotated }), 200);
  await revokeBotKey(context, { projectId, id: keyId });
  assert.equal(await status({ 'bot-key': rotated }), 401);
});

test('a key of one project cannot be rotated or revoked through another', async () => {
  const stranger = await seedProject(context.sql);
  await assert.rejects(rotateBotKey(context, { projectId: stranger, id: keyId }), { message: 'Not found.' });
  await assert.rejects(revokeBotKey(context, { projectId: stranger, id: keyId }), { message: 'Not found.' });
  assert.equal(await status({ 'bot-key': key }), 200);
});

test('a revoked key can be neither rotated back to life nor revoked again', async () => {
  await revokeBotKey(context, { projectId, id: keyId });
  await assert.rejects(rotateBotKey(context, { projectId, id: keyId }), { message: 'Not found.' });
  await assert.rejects(revokeBotKey(context, { projectId, id: keyId }), { message: 'Not found.' });
});

test('concurrent credentials share one lookup, and each gets its own answer', async () => {
  const sql = countingStatements(context.sql);
  const { requireKeyOrOAuth } = createGuards({ sql, clock: context.clock });
  const elsewhere = await seedProject(context.sql);
  const other = await createBotKey(context, { projectId: elsewhere, name: 'Shop' });
  const cases: [headers: Record<string, string>, answer: string][] = [
    [{ authorization: `Bearer ${token}` }, projectId],
    [{ 'bot-key': key }, projectId],
    [{ 'bot-key': randomUUID() }, 'refused'],
    [{ 'bot-key': other.key }, elsewhere],
    [{ authorization: `Bearer ${key}` }, 'refused'],
  ];
  const moment = Array.from({ length: 8 }, () => cases).flat();
  statements = 0;
  const admitted = await Promise.all(
    moment.map(async ([headers]) => {
      try {
        return (await requireKeyOrOAuth.admit(headers)).projectId;
      } catch {
        return 'refused';
      }
    }),
  );
  assert.equal(statements, 1);
  assert.deepEqual(
    admitted,
    moment.map(([, answer]) => answer),
  );
});

test('a malformed credential costs no statement', async () => {
  const malformed: Record<string, string>[] = [{}, { 'bot-key': 'x' }, { authorization: 'Bearer ,' }];
  for (const headers of malformed) {
    assert.equal((await call('/key-or-oauth/', headers)).statements, 0);
  }
});

test('the database stores only hashes of tokens and keys', async () => {
  const [keys, tokens] = await Promise.all([
    context.sql<{ key_hash: Buffer }[]>`select key_hash from bot_keys where project_id = ${projectId}`,
    context.sql<{ token_hash: Buffer }[]>`
      select token_hash from access_tokens join token_families on id = family_id where project_id = ${projectId}`,
  ]);
  assert.deepEqual(
    keys.map((row) => row.key_hash),
    [sha256(key)],
  );
  assert.deepEqual(
    tokens.map((row) => row.token_hash),
    [sha256(token)],
  );
});
