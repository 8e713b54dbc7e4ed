import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';

const { call, context, address } = await startPatchbay({ after });
const partner = await createPartner({ after }, { call, context });
const stranger = await createPartner({ after }, { call, context });
const { projectId } = partner;
const admin = await signIn(context, { projectId });
const operator = await signIn(context, { projectId, role: 'operator' });

const profiles = '/console/api/profiles/';
const mailings = '/console/api/mailings/';

test('people see the same data in the console as partners in the API', async () => {
  const { profile } = await partner.client('ann');
  const { status, body } = await call('GET', profiles, { headers: operator.headers });
  assert.equal(status, 200);
  assert.deepEqual(
    body.results.map(({ uuid }: { uuid: string }) => uuid),
    [profile],
  );
});

test('the bare address leads to the console', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await fetch(`${address}/`, { method, redirect: 'manual' });
    assert.deepEqual([status, headers.get('location')], [302, '/console/']);
  }
  assert.equal((await fetch(`${address}/`, { method: 'POST' })).status, 405);
});

test('a request without sign-in, or from a page of another site, is refused', async () => {
  const project = { 'patchbay-project': projectId };
  assert.equal((await call('GET', profiles, { headers: project })).status, 401);
  assert.equal((await call('GET', profiles, { headers: { ...project, ...partner.key } })).status, 401);
  const pages: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.test' },
  ];
  for (const foreign of pages) {
    assert.equal((await call('GET', profiles, { headers: { ...admin.headers, ...foreign } })).status, 403);
  }
});

test('another project, an unknown project and a malformed one are one refusal', async () => {
  for (const project of [stranger.projectId, randomUUID(), 'x']) {
    const answer = await call('GET', profiles, {
      headers: { ...admin.headers, 'patchbay-project': project },
    });
    assert.deepEqual(
      [answer.status, answer.body],
      [403, { detail: 'You are not a member of this project.' }],
    );
  }
  assert.equal(
    (await call('GET', profiles, { headers: { cookie: admin.headers.cookie ?? '' } })).status,
    403,
  );
});

test("administrators' actions refuse operators", async () => {
  assert.equal((await call('GET', mailings, { headers: admin.headers })).status, 200);
  const answer = await call('GET', mailings, { headers: operator.headers });
  assert.deepEqual([answer.status, answer.body], [403, { detail: 'Only administrators may do this.' }]);
});

test('the account names the projects and roles of the signed-in person', async () => {
  const { body } = await call('GET', '/console/api/account/', { headers: operator.headers });
  assert.deepEqual(body.projects, [
    {
      uuid: projectId,
      title: 'Test project',
      role: 'operator',
      operator: { uuid: operator.operatorId, name: 'Olga' },
    },
  ]);
});

test('signed-in people get the page, and others are redirected to sign in and back', async () => {
  const path = `/console/${projectId}/mailings/?offset=25`;
  const away = await call('GET', path);
  const next = encodeURIComponent(path);
  assert.deepEqual([away.status, away.headers.get('location')], [303, `/sign-in/?next=${next}`]);

  const page = await call('GET', path, { headers: admin.headers });
  assert.equal(page.status, 200);
  const policy = page.headers.get('content-security-policy') ?? '';
  const nonce = /data-nonce="([\w-]+)"/.exec(page.body)?.[1] ?? 'none';
  assert.ok(
    policy.includes(`style-src 'self' 'nonce-${nonce}'`) && policy.includes("frame-ancestors 'none'"),
  );
  const [, script = ''] = /src="([^"]+\.js)"/.exec(page.body) ?? [];
  const file = await call('GET', script);
  assert.equal(file.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  for (const unknown of ['/app/files/none.js', '/app/files/..%2f..%2fpackage.json', '/console/api/none/']) {
    assert.equal((await call('GET', unknown, { headers: admin.headers })).status, 404);
  }
});
