import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { createDemo } from '../../../demo/create-demo.ts';

const { call, context } = await startPatchbay({ after });
const { sql } = context;
await createDemo(context);
const path = '/console/api/home/';

test('steps are done once they have been done in this project', async () => {
  const partner = await createPartner({ after }, { call, context });
  const { headers } = await signIn(context, partner);
  const steps = async () => (await call('GET', path, { headers })).body.steps;
  const none = { written: false, push: false, scenario: false, mailing: false };
  assert.deepEqual(await steps(), { channel: true, ...none });

  const { chat } = await partner.client('ann');
  const content = { type: 'TEXT', text: 'Hello' };
  const push = await call('POST', '/console/api/push-messages/', {
    headers,
    body: { chat: { uuid: chat }, content },
  });
  assert.equal(push.status, 201);
  await partner.messenger.received(1);
  assert.deepEqual(await steps(), { channel: true, ...none, written: true, push: true });
  const { body } = await call('GET', path, { headers });
  assert.deepEqual(body.clients, [{ chat, name: 'ann', platform: 'API_Messenger' }]);
});

test("the demo shows the page to write from, and its invented clients do not count as the person's own", async () => {
  const [demo] = await sql<{ project_id: string }[]>`select project_id from demos`;
  const { headers } = await signIn(context, { projectId: demo?.project_id ?? '' });
  const { body } = await call('GET', path, { headers });
  assert.equal(body.demo_url, 'https://patchbay.test/demo/');
  assert.equal(body.steps.written, false);
  assert.ok(body.clients.some(({ name }: { name: string }) => name === 'You'));
});

test('a stopped channel, a disabled webhook and a failed mailing are listed', async () => {
  const partner = await createPartner({ after }, { call, context });
  const { headers } = await signIn(context, partner);
  assert.deepEqual((await call('GET', path, { headers })).body.troubles, []);
  await sql`
    update channels set state = 'paused', state_detail = 'The key was refused.' where id = ${partner.channel.id}`;
  const mailing = await call('POST', '/api/partners/mailings/', {
    headers: partner.key,
    body: { name: 'Spring', text: 'Hi' },
  });
  await sql`update mailings set state = 'error', state_detail = 'No file.' where id = ${mailing.body.uuid}`;
  assert.deepEqual((await call('GET', path, { headers })).body.troubles, [
    {
      kind: 'channel_paused',
      uuid: partner.channel.id,
      name: 'Messenger',
      detail: 'The key was refused.',
    },
    { kind: 'mailing_error', uuid: mailing.body.uuid, name: 'Spring', detail: 'No file.' },
  ]);
});
