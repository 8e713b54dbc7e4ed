import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { openShop } from '../../../../test/scenario-harness.ts';
import { seedProject } from '../../../../test/seed.ts';
import { startMessenger } from '../../../../test/stand-ins/messenger.ts';

const patchbay = await startPatchbay({ after });
const { context, call } = patchbay;
const partner = await createPartner({ after }, patchbay);
const { add, push, hears } = openShop(patchbay, partner);
const admin = await signIn(context, { projectId: partner.projectId });
const path = '/console/api/secrets/';
const asAdmin = (method: string, at: string, body?: object) =>
  call(method, `${path}${at}`, { headers: admin.headers, body });
const names = async () =>
  (await asAdmin('GET', '')).body.results.map(({ name, host }: { name: string; host: string }) => [
    name,
    host,
  ]);

test('a request sends a secret to its host, and no answer, row or export shows it', async (t) => {
  const crm = await startMessenger(t);
  const { host } = new URL(crm.url);
  const value = 'hush-hush of the CRM';
  assert.equal((await asAdmin('PUT', 'CRM/', { host, value })).status, 204);
  assert.deepEqual(await names(), [['CRM', host]]);
  assert.ok(!JSON.stringify((await asAdmin('GET', '')).body).includes(value));
  const rows = await context.sql`select project_secrets::text as text from project_secrets`;
  assert.ok(
    !rows.some(({ text }) => text.includes('hush') || text.includes(Buffer.from('hush').toString('hex'))),
  );

  await add('Asks', [
    { id: 'ask', type: 'request', url: crm.url, body: { key: '{{secret:CRM}}' }, failed: 'no' },
    { id: 'yes', type: 'message', text: 'Yes', next: 'end' },
    { id: 'no', type: 'message', text: 'No' },
    { id: 'end', type: 'end' },
  ]);
  const { chat } = await partner.client('ann');
  await push(chat, 'Asks');
  assert.deepEqual(await hears('ann', 1), ['Yes']);
  assert.equal(JSON.parse(JSON.stringify(crm.deliveries[0]?.body)).key, value);

  assert.equal((await asAdmin('DELETE', 'CRM/')).status, 204);
  await push(chat, 'Asks');
  assert.deepEqual(await hears('ann', 2), ['Yes', 'No']);
  assert.equal(crm.deliveries.length, 1);
  assert.equal((await asAdmin('DELETE', 'CRM/')).status, 404);
});

test('a secret is set by administrators of its project, under a name, for one host', async () => {
  const operator = await signIn(context, { projectId: partner.projectId, role: 'operator' });
  const stranger = await signIn(context, { projectId: await seedProject(context.sql) });
  const body = { host: 'crm.test', value: 'x' };
  assert.equal((await call('PUT', `${path}A/`, { headers: operator.headers, body })).status, 403);
  assert.equal((await asAdmin('PUT', 'A/', { ...body, host: 'https://crm.test' })).status, 400);
  assert.equal((await asAdmin('PUT', 'A/', { value: 'x' })).status, 400);
  assert.equal((await asAdmin('PUT', '1/', body)).status, 404);
  assert.equal((await asAdmin('PUT', 'A/', { ...body, host: 'CRM.test' })).status, 204);
  assert.deepEqual(await names(), [['A', 'crm.test']]);
  assert.deepEqual((await call('GET', path, { headers: stranger.headers })).body.results, []);
  assert.equal((await call('DELETE', `${path}A/`, { headers: stranger.headers })).status, 404);
});
