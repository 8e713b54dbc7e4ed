import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { issueToken } from '../../src/access/oauth/issue-token.ts';
import { revokeFamily } from '../../src/access/oauth/store.ts';
import { createBotKey, revokeBotKey, rotateBotKey } from '../../src/access/projects/bot-keys.ts';
import { sha256 } from '../../src/platform/secrets/secret.ts';
import { type Answer, send } from './answers.ts';
import { type Probe, requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { changesNothing } from './rows.ts';
import { startScene } from './scene.ts';

const scene = await startScene({ after });
const { patchbay, clock, alpha, bravo } = scene;
const { context, address } = patchbay;
const { sql } = context;
const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl);
const partnerProbes = probes.filter(
  ({ route, headers }) => route.includes('/api/partners/') && Object.keys(headers).length > 0,
);

const callAs = (probe: Probe, headers: Record<string, string>): Promise<Answer> =>
  send(address, requestOf({ ...probe, headers }));

const missing = 'Authentication credentials were not provided.';
const incorrect = 'Incorrect authentication credentials.';
const detailOf = ({ text }: Answer): unknown => JSON.parse(text).detail;

/** Whether this route accepts a bot key, which its answer to a call without credentials shows. */
const takesKeys = async (probe: Probe): Promise<boolean> => (await callAs(probe, {})).status === 401;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function deadCredentials(): Promise<Record<string, Record<string, string>>> {
  const { projectId, own } = alpha;
  const revoked = await issueToken(context, { projectId, applicationId: own.clientId });
  await revokeFamily(sql, projectId, await familyOf(revoked.access_token), clock.now());
  const { id, key } = await createBotKey(context, { projectId, name: 'dead' });
  const rotated = await rotateBotKey(context, { projectId, id });
  await revokeBotKey(context, { projectId, id });
  return {
    'a revoked token': bearer(revoked.access_token),
    'a refresh token': bearer(alpha.refreshToken),
    'a code': bearer(alpha.code),
    'a client secret': bearer(own.clientSecret),
    'a client id': bearer(own.clientId),
    'a channel secret': alpha.messenger.headers,
    'a bot token': bearer(alpha.telegram.botToken),
    'a visitor session': alpha.visitor,
    'a sign-in link': bearer(alpha.signInToken),
    'the session of a person': { ...bearer(alpha.sessionToken), ...alpha.person.headers },
    'the hash of a token': bearer(await hashInDatabase()),
    'a key that was rotated away': { 'bot-key': key },
    'a revoked key': { 'bot-key': rotated },
    'a project for a key': { 'bot-key': projectId },
    'the id of a key for a key': { 'bot-key': id },
    'a wrong token with a good key': { ...bearer('x'), 'bot-key': alpha.botKey },
  };
}

async function familyOf(token: string): Promise<string> {
  const [row] = await sql<{ family_id: string }[]>`
    select family_id from access_tokens where token_hash = ${sha256(token)}`;
  return row?.family_id ?? '';
}

async function hashInDatabase(): Promise<string> {
  const [row] = await sql<
    { hash: string }[]
  >`select encode(token_hash, 'hex') as hash from access_tokens limit 1`;
  return row?.hash ?? '';
}

test('only a valid credential is admitted, on every route', async () => {
  const dead = await deadCredentials();
  await changesNothing(sql, [alpha, bravo], async () => {
    for (const probe of partnerProbes) {
      const isKeyed = await takesKeys(probe);
      for (const [what, headers] of Object.entries(dead)) {
        const answer = await callAs(probe, headers);
        const isSeen = isKeyed || 'authorization' in headers;
        assert.equal(answer.status, isKeyed ? 401 : 403, `${probe.route}: ${what}`);
        assert.equal(detailOf(answer), isSeen ? incorrect : missing, `${probe.route}: ${what}`);
      }
    }
  });
});

test('a token lapses after its hour, on every route', async () => {
  const { projectId, own } = alpha;
  const { access_token } = await issueToken(context, { projectId, applicationId: own.clientId });
  clock.advance(3_600_000);
  await changesNothing(sql, [alpha, bravo], async () => {
    for (const probe of partnerProbes) {
      const { status } = await callAs(probe, bearer(access_token));
      assert.ok(status === 401 || status === 403, probe.route);
    }
  });
});

test('a bot key opens only the routes that take keys', async () => {
  const kinds = new Set<boolean>();
  for (const probe of partnerProbes) {
    const isKeyed = await takesKeys(probe);
    kinds.add(isKeyed);
    const answer = await callAs(probe, { 'bot-key': alpha.botKey });
    if (isKeyed) assert.ok(answer.status < 300, `${probe.route}: ${answer.text}`);
    else assert.deepEqual([answer.status, detailOf(answer)], [403, missing], probe.route);
  }
  assert.equal(kinds.size, 2);
});

test('a credential counts only in its own header', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await changesNothing(sql, [alpha, bravo], async () => {
    for (const probe of partnerProbes) {
      for (const name of ['bot-key', 'bot_key', 'botKey', 'access_token', 'authorization', 'token']) {
        for (const value of [alpha.botKey, alpha.accessToken]) {
          const query = { ...probe.query, [name]: value };
          const headers = {
            cookie: `${name}=${value}`,
            [`x-${name}`]: value,
            'proxy-authorization': `Bearer ${value}`,
          };
          const answer = await callAs({ ...probe, query }, { ...headers, ...(probe.body ? {} : form) });
          assert.ok(answer.status === 401 || answer.status === 403, probe.route);
          assert.equal(detailOf(answer), missing);
        }
      }
    }
  });
});
