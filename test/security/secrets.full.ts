import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { webhookSecret } from '../../src/channels/messengers/telegram/settings.ts';
import type { Furnished } from './furnish.ts';
import { heardLog } from './heard-log.ts';
import { misfortunes } from './misfortunes.ts';
import { tables } from './rows.ts';
import { startScene } from './scene.ts';
import { leaksIn } from './secret-forms.ts';

const secretKey = 'the key of the installation, which everything is sealed with';
const secretsOf = (project: Furnished): Record<string, string> => ({
  'the bot key': project.botKey,
  'the access token': project.accessToken,
  'the refresh token': project.refreshToken,
  'the code': project.code,
  'the client secret': project.own.clientSecret,
  'the shared client secret': project.shared.clientSecret,
  'the channel secret': project.messenger.secret,
  'the bot token': project.telegram.botToken,
  'the secret that Telegram shows': webhookSecret({ bot_token: project.telegram.botToken }),
  'the identity secret': project.widget.identitySecret,
  'the webhook secret': project.webhookSecrets[0] ?? '',
  'the project webhook secret': project.webhookSecrets[1] ?? '',
  'the password': project.password,
  'the sign-in link': project.signInToken,
  'the link to choose a password': project.passwordToken,
  'the session of a person': project.sessionToken,
  'the visitor session': project.visitor.authorization.slice('Bearer '.length),
  'the link to the chat center': project.iframeToken,
  'the cookie of a browser': project.browserToken,
  'the idempotency key': project.idempotencyKey,
  'the secret of a scenario': `vaulted-${project.name}-SPARE`,
});

// Every event that could make a program reveal secrets happens. Then all of its output is searched for them.
const { log, lines } = heardLog('trace');
const scene = await startScene({ after }, { log, config: { roles: ['api', 'worker'], secretKey } });
const { patchbay, alpha, receiver } = scene;
const { sql } = patchbay.context;

const secrets = { ...secretsOf(alpha), 'the key of the installation': secretKey };

const { answers, ...happens } = misfortunes({ scene, lines });
await happens.othersFail();
await happens.resultsAreRefused();
await happens.callEverything();
await happens.secretsAreInWrongPlaces(Object.values(secrets));
await happens.tablesAreGone();

test('the log has no secret in any form, and no text of people', () => {
  assert.match(lines(), /"level":20.*request answered/);
  assert.match(lines(), /"level":50.*request failed/);
  assert.deepEqual(leaksIn(lines(), secrets), []);
  assert.ok(!lines().includes('hush-'));
});

test('the database has no secret in any form', async () => {
  for (const { table } of await tables(sql)) {
    const rows = await sql.unsafe<{ text: string }[]>(`select t::text as text from ${table} t`);
    assert.deepEqual(leaksIn(rows.map(({ text }) => text).join('\n'), secrets), [], table);
  }
});

test('no answer has a secret', () => {
  assert.deepEqual(leaksIn(answers.join('\n'), secrets), []);
});

test('no called server gets a secret', () => {
  const told = receiver.deliveries.map(({ headers, raw }) => JSON.stringify(headers) + raw).join('\n');
  assert.match(told, /webhook-signature/);
  assert.deepEqual(leaksIn(told, secrets), []);
});

test('a stored answer cannot be read', async () => {
  const kept = await sql<
    { text: string }[]
  >`select t::text as text from idempotency_keys t where answer is not null`;
  assert.ok(kept.length > 0);
  assert.deepEqual(leaksIn(kept.map(({ text }) => text).join('\n'), { answer: 'hush-alpha push' }), []);
});
