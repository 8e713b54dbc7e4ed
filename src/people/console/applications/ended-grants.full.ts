import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { connectLive } from '../../../../test/live-chats.ts';
import { signIn } from '../../../../test/person.ts';
import { seedAdmin } from '../../../../test/seed.ts';
import { createApplication } from '../../../access/oauth/applications.ts';
import { createCode } from '../../../access/oauth/create-code.ts';
import { issueToken } from '../../../access/oauth/issue-token.ts';
import { forgetExpiredTokens } from '../../../access/oauth/store.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context, address } = patchbay;
const { sql } = context;
const { projectId } = await createPartner({ after }, patchbay);
const { headers: admin } = await signIn(context, { projectId });
const redirectUri = 'https://crm.test/callback';
const day = 24 * 3_600_000;

const oauth = (body: object) => call('POST', '/api/partners/oauth/', { body });

/** An integration with everything that it may set up: a webhook, an unopened link, and a frame. */
async function newIntegration() {
  const { clientId, clientSecret } = await createApplication(context, {
    name: 'CRM',
    redirectUris: [redirectUri],
  });
  const client = { client_id: clientId, client_secret: clientSecret };
  const code = await createCode(context, {
    projectId,
    applicationId: clientId,
    redirectUri,
    codeChallenge: null,
    approvedBy: await seedAdmin(sql, projectId),
  });
  const { body: tokens } = await oauth({ ...client, grant_type: 'code', code });
  const id = context.newId();
  await sql`
    insert into endpoints (project_id, id, application_id, url, event_types, platforms, sealed_secrets, created_at)
    values (${projectId}, ${id}, ${clientId}, 'https://crm.test/hook', '{}', '{}', '', ${clock.now()})`;
  const newLink = async () => {
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const { body } = await call('POST', '/api/partners/iframe/', {
      headers,
      body: { operator: { email: 'o@crm.test' } },
    });
    return String(body.url).replace('https://patchbay.test', '');
  };
  const page = await call('GET', await newLink());
  const [cookie = ''] = page.headers.getSetCookie()[0]?.split(';') ?? [];
  const frame = { cookie, 'patchbay-frame': page.headers.get('content-location')?.split('/').at(-2) ?? '' };
  return { client, code, tokens, clientId, webhook: id, link: await newLink(), frame };
}

type Integration = Awaited<ReturnType<typeof newIntegration>>;

async function stateOf({ webhook, link, frame }: Integration) {
  const { body } = await call('GET', '/console/api/webhooks/', { headers: admin });
  const found = body.results.find(({ uuid }: { uuid: string }) => uuid === webhook);
  return {
    link: (await call('HEAD', link)).status,
    frame: (await call('GET', '/chat-center/api/account/', { headers: frame })).status,
    webhook: found && (found.disabled_at === null ? 'on' : found.disabled_reason),
  };
}

const alive = { link: 200, frame: 200, webhook: 'on' };
const revoked = 'The application has no access any more: it was revoked.';

const ends: Record<string, (integration: Integration) => Promise<unknown>> = {
  'an administrator revokes it': ({ clientId }) =>
    call('POST', `/console/api/applications/${clientId}/revoke/`, { headers: admin }),
  'its code is used twice': ({ client, code }) => oauth({ ...client, grant_type: 'code', code }),
  'a rotated token comes again': async ({ client, tokens }) => {
    const again = { ...client, grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    assert.equal((await oauth(again)).status, 200);
    clock.advance(11_000);
    assert.equal((await oauth(again)).status, 400);
  },
};

for (const [how, end] of Object.entries(ends)) {
  test(`a grant gets no more events when ${how}`, async () => {
    const [integration, other] = [await newIntegration(), await newIntegration()];
    assert.deepEqual(await stateOf(integration), alive);
    await end(integration);
    assert.deepEqual(await stateOf(integration), { link: 403, frame: 401, webhook: revoked });
    assert.deepEqual(await stateOf(other), alive);
    const webhook = `/console/api/webhooks/${integration.webhook}/`;
    assert.equal((await call('POST', `${webhook}enable/`, { headers: admin })).status, 400);
    await issueToken(context, { projectId, applicationId: integration.clientId });
    assert.equal((await call('POST', `${webhook}enable/`, { headers: admin })).status, 204);
  });
}

test('a lost token ends what may have heard with it, and the reason is true while the application has others', async () => {
  const integration = await newIntegration();
  await issueToken(context, { projectId, applicationId: integration.clientId });
  await oauth({ ...integration.client, grant_type: 'code', code: integration.code });
  const webhook = 'Tokens of the application were revoked. It has others, and must set its webhook again.';
  assert.deepEqual(await stateOf(integration), { link: 403, frame: 401, webhook });
});

test('a live connection ends soon after its grant, however that ended', async (t) => {
  const connections = [];
  for (const end of Object.values(ends)) {
    const integration = await newIntegration();
    connections.push(await connectLive(t, address, integration.frame));
    await end(integration);
  }
  await Promise.all(
    connections.map((live) => assert.rejects(live.until('typing'), /the live connection ended/)),
  );
});

test('an expired grant gets no more events, unless the application has another one', async () => {
  const [lapsing, renewed] = [await newIntegration(), await newIntegration()];
  clock.advance(90 * day - 1);
  await issueToken(context, { projectId, applicationId: renewed.clientId });
  clock.advance(1);
  await forgetExpiredTokens(sql, clock.now());
  const { headers } = await signIn(context, { projectId });
  const { body } = await call('GET', '/console/api/webhooks/', { headers });
  const reasonOf = ({ webhook }: Integration) =>
    body.results.find(({ uuid }: { uuid: string }) => uuid === webhook).disabled_reason;
  assert.equal(reasonOf(renewed), null);
  assert.equal(reasonOf(lapsing), 'The application has no access any more: it was not used for 90 days.');
});

test('an administrator disables and deletes any webhook, with or without valid tokens', async () => {
  const { headers } = await signIn(context, { projectId });
  const integration = await newIntegration();
  const webhook = `/console/api/webhooks/${integration.webhook}/`;
  assert.equal((await call('POST', `${webhook}disable/`, { headers })).status, 204);
  const { body } = await call('GET', '/console/api/webhooks/', { headers });
  assert.ok(
    body.results.some(
      ({ disabled_reason }: { disabled_reason: string }) =>
        disabled_reason === 'An administrator disabled it.',
    ),
  );
  await sql`update token_families set revoked_at = ${clock.now()} where application_id = ${integration.clientId}`;
  const deletions = [1, 2, 3].map(() => call('DELETE', webhook, { headers }));
  assert.deepEqual((await Promise.all(deletions)).map(({ status }) => status).sort(), [204, 404, 404]);
});
