import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { createPartner, type Partner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { seedAdmin } from '../../../../test/seed.ts';
import { createCode } from '../../../access/oauth/create-code.ts';
import { issueToken } from '../../../access/oauth/issue-token.ts';

const { call, context } = await startPatchbay({ after }, { config: { roles: ['api'] } });
const partner = await createPartner({ after }, { call, context });
const stranger = await createPartner({ after }, { call, context });
const { headers } = await signIn(context, partner);
const { headers: theirs } = await signIn(context, stranger);
const path = '/console/api/applications/';
const redirectUri = 'https://crm.test/callback';

const list = async (as: Record<string, string>) => (await call('GET', path, { headers: as })).body.results;

const create = async (as: Record<string, string>) =>
  (await call('POST', path, { headers: as, body: { name: 'Own', redirect_uris: [redirectUri] } })).body;

async function bearer(projectId: string, applicationId: string) {
  const tokens = await issueToken(context, { projectId, applicationId });
  return { headers: { authorization: `Bearer ${tokens.access_token}` }, refresh: tokens.refresh_token };
}

const works = async (as: Record<string, string>) =>
  (await call('GET', '/api/partners/profiles/', { headers: as })).status === 200;

const grant = async ({ projectId }: Partner, applicationId: string) => {
  const approvedBy = await seedAdmin(context.sql, projectId);
  return createCode(context, { projectId, applicationId, redirectUri, codeChallenge: null, approvedBy });
};

const exchange = (client: { uuid: string; client_secret: string }, rest: Record<string, string>) =>
  call('POST', '/api/partners/oauth/', {
    body: { client_id: client.uuid, client_secret: client.client_secret, redirect_uri: redirectUri, ...rest },
  });

test('the list has the applications that the project owns or gave access to, and no secret', async () => {
  const own = await create(headers);
  assert.equal((await list(theirs)).length, 1);
  const [crm, mine] = await list(headers);
  assert.partialDeepStrictEqual(crm, {
    uuid: partner.applicationId,
    name: 'CRM',
    is_own: false,
    redirect_uris: [],
    has_webhook: false,
    projects: 0,
  });
  assert.ok(crm.connected_at && crm.renewed_at === crm.connected_at);
  assert.deepEqual(mine, {
    uuid: own.uuid,
    name: 'Own',
    is_own: true,
    redirect_uris: [redirectUri],
    connected_at: null,
    renewed_at: null,
    has_webhook: false,
    projects: 0,
  });
  assert.ok(!JSON.stringify(await list(headers)).includes(own.client_secret));
});

test('an invalid application is refused field by field', async () => {
  for (const [body, complaint] of [
    [{ name: '', redirect_uris: [redirectUri] }, { name: ['This field may not be blank.'] }],
    [{ name: 'X', redirect_uris: [] }, { redirect_uris: ['This list may not be empty.'] }],
    [
      {
        name: 'X',
        redirect_uris: [
          'ftp://x.test',
          'https://x.test/#a',
          'http://crm.test/',
          'http://127.0.0.1.crm.test/',
        ],
      },
      {
        redirect_uris: [
          ...['ftp://x.test', 'https://x.test/#a', 'http://crm.test/', 'http://127.0.0.1.crm.test/'].map(
            (uri) =>
              `"${uri}" is not an https address without a fragment. http is allowed only for this machine.`,
          ),
        ],
      },
    ],
  ] as const) {
    const answer = await call('POST', path, { headers, body });
    assert.deepEqual([answer.status, answer.body], [400, complaint]);
  }
});

test('only a plain host may frame the chat center: none is a pattern, or ends the policy that names it', async () => {
  for (const host of ['*', '*.crm.test', 'a;sandbox', 'a,b', "a'b", 'a"b', '(a)', '$crm.test']) {
    const answer = await call('POST', path, {
      headers,
      body: { name: 'X', redirect_uris: [`https://${host}/cb`] },
    });
    assert.equal(answer.status, 400, host);
    assert.match(answer.body.redirect_uris[0], /is not an https address/);
  }
  for (const host of ['crm.test:8443', 'my_crm.test', 'crm-2.test', 'кассы.рф', '[2001:db8::1]']) {
    const answer = await call('POST', path, {
      headers,
      body: { name: 'X', redirect_uris: [`https://${host}/cb`] },
    });
    assert.equal(answer.status, 201, host);
  }
});

test('a revocation ends the tokens of that application for that project at the next call, and no others', async () => {
  const app = await create(headers);
  const here = await bearer(partner.projectId, app.uuid);
  const elsewhere = await bearer(stranger.projectId, app.uuid);
  const unused = await grant(partner, app.uuid);
  await context.sql`
    insert into endpoints (project_id, id, application_id, url, event_types, platforms, sealed_secrets, created_at)
    values (${partner.projectId}, ${context.newId()}, ${app.uuid}, 'https://crm.test/', '{}', '{}', ''::bytea,
      ${context.clock.now()})`;
  assert.ok((await works(here.headers)) && (await works(elsewhere.headers)));
  assert.equal((await call('POST', `${path}${app.uuid}/revoke/`, { headers })).status, 204);

  assert.ok(!(await works(here.headers)));
  assert.ok((await works(elsewhere.headers)) && (await works(partner.token)));
  const refreshed = await exchange(app, { grant_type: 'refresh_token', refresh_token: here.refresh });
  assert.equal(refreshed.body.error, 'invalid_grant');
  const late = await exchange(app, { grant_type: 'code', code: unused });
  assert.equal(late.body.error, 'invalid_grant');
  const row = (await list(headers)).find(({ uuid }: { uuid: string }) => uuid === app.uuid);
  assert.deepEqual([row.connected_at, row.has_webhook, row.projects], [null, false, 1]);
  assert.equal((await call('POST', `${path}${app.uuid}/revoke/`, { headers })).status, 404);
});

test('an access that was approved and never used can be revoked', async () => {
  const app = await create(headers);
  const code = await grant(partner, app.uuid);
  assert.equal((await call('POST', `${path}${app.uuid}/revoke/`, { headers })).status, 204);
  assert.equal((await exchange(app, { grant_type: 'code', code })).body.error, 'invalid_grant');
});

test('a new secret and new addresses take effect at once', async () => {
  const app = await create(headers);
  const rotated = (await call('POST', `${path}${app.uuid}/secret/`, { headers })).body;
  const code = await grant(partner, app.uuid);
  assert.equal((await exchange(app, { grant_type: 'code', code })).body.error, 'invalid_client');
  assert.equal((await exchange(rotated, { grant_type: 'code', code })).status, 200);
  const change = { name: 'Renamed', redirect_uris: ['https://new.test/'] };
  assert.equal((await call('PATCH', `${path}${app.uuid}/`, { headers, body: change })).status, 204);
  const row = (await list(headers)).find(({ uuid }: { uuid: string }) => uuid === app.uuid);
  assert.partialDeepStrictEqual(row, change);
  await assert.rejects(grant(partner, app.uuid));
});

test('a deleted application is removed from every project', async () => {
  const app = await create(headers);
  const here = await bearer(partner.projectId, app.uuid);
  const elsewhere = await bearer(stranger.projectId, app.uuid);
  await grant(stranger, app.uuid);
  const deletions = [1, 2, 3].map(() => call('DELETE', `${path}${app.uuid}/`, { headers }));
  assert.deepEqual((await Promise.all(deletions)).map(({ status }) => status).sort(), [204, 404, 404]);
  assert.ok(!(await works(here.headers)) && !(await works(elsewhere.headers)));
  assert.equal((await call('DELETE', `${path}${app.uuid}/`, { headers })).status, 404);
});

test('a project cannot change applications of other projects, nor those without an owner', async () => {
  const app = await create(theirs);
  for (const uuid of [app.uuid, stranger.applicationId, partner.applicationId, randomUUID()]) {
    const calls = await Promise.all([
      call('PATCH', `${path}${uuid}/`, { headers, body: { name: 'Stolen' } }),
      call('POST', `${path}${uuid}/secret/`, { headers }),
      call('DELETE', `${path}${uuid}/`, { headers }),
    ]);
    assert.deepEqual(
      calls.map(({ status }) => status),
      [404, 404, 404],
    );
  }
  for (const uuid of [app.uuid, stranger.applicationId, randomUUID()]) {
    assert.equal((await call('POST', `${path}${uuid}/revoke/`, { headers })).status, 404);
  }
  assert.ok(await works(stranger.token));
});
