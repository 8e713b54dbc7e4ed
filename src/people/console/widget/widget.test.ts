import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { seedProject } from '../../../../test/seed.ts';
import { addChannel } from '../../../channels/connected/channels.ts';
import { identityHash } from '../../widget/rules.ts';

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { context, call } = patchbay;
const projectId = await seedProject(context.sql);
const { headers } = await signIn(context, { projectId });
const add = (project: string) =>
  addChannel(context, { projectId: project, platform: 'Widget', name: 'Shop', settings: { title: 'Shop' } });
const rotate = (id: string, who = headers) =>
  call('POST', `/console/api/widgets/${id}/identity-secret/`, { headers: who, body: {} });

test('a new key signs identities at once, the old one no longer does, and no answer shows either again', async () => {
  const { id } = await add(projectId);
  const enter = (secret: string) =>
    call('POST', `/widget/${id}/sessions/`, {
      headers: { origin: 'https://shop.test' },
      body: { user: { id: 'ann', hash: identityHash(secret, 'ann') } },
    });
  const first = (await rotate(id)).body.secret;
  assert.equal((await enter(first)).status, 201);
  const second = (await rotate(id)).body.secret;
  assert.deepEqual([(await enter(first)).status, (await enter(second)).status], [400, 201]);

  const { body } = await call('GET', `/console/api/channels/${id}/`, { headers });
  assert.deepEqual([body.settings, body.secrets], [{ title: 'Shop' }, ['identity_secret']]);
  assert.ok(!JSON.stringify(body).includes(second));
});

test("settings from the console change the next page's widget, and keep the key", async () => {
  const { id } = await add(projectId);
  await rotate(id);
  const settings = {
    title: '',
    accent: '#aa3355',
    allowed_origins: 'https://shop.test\nhttps://www.shop.test',
  };
  const patched = await call('PATCH', `/console/api/channels/${id}/`, { headers, body: { settings } });
  assert.equal(patched.status, 204);
  const look = (origin: string) => call('GET', `/widget/${id}/look/`, { headers: { origin } });
  assert.deepEqual((await look('https://www.shop.test')).body, { accent: '#aa3355' });
  assert.equal((await look('https://evil.test')).status, 403);
  const { body } = await call('GET', `/console/api/channels/${id}/`, { headers });
  assert.deepEqual(body.secrets, ['identity_secret']);

  const wrong = await call('PATCH', `/console/api/channels/${id}/`, {
    headers,
    body: { settings: { allowed_origins: 'https://shop.test/page', accent: 'red' } },
  });
  assert.deepEqual(Object.keys(wrong.body.settings).sort(), ['accent', 'allowed_origins']);
});

test('a widget of another project is not found, and an operator changes no key', async () => {
  const foreign = await add(await seedProject(context.sql));
  assert.equal((await rotate(foreign.id)).status, 404);
  const operator = await signIn(context, { projectId, role: 'operator' });
  assert.equal((await rotate((await add(projectId)).id, operator.headers)).status, 403);
});
