import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { addChannel, loadChannel } from '../../../channels/connected/channels.ts';
import { accountOf } from '../../../channels/connected/check.ts';
import { adapterFor } from '../../../channels/registry.ts';
import { submitTemplate } from '../../../messaging/inbound/submit-template.ts';
import { graphError } from '../../../simulator/graph/graph.ts';
import { startWhatsapp } from '../../../simulator/whatsapp/provider.ts';

const patchbay = await startPatchbay({ after });
const { call, context } = patchbay;
const { projectId, channel: messenger } = await createPartner({ after }, patchbay);
const { headers } = await signIn(context, { projectId });
const account = {
  phone_number_id: '11',
  waba_id: '22',
  access_token: 'planted-token',
  app_secret: 'secret',
  verify_token: 'verify',
};
const meta = await startWhatsapp({ after }, account);
const channel = await addChannel(context, {
  projectId,
  platform: 'Whatsapp',
  name: 'Number',
  settings: { ...account, api_root: meta.root },
});

const draft = {
  channel: channel.id,
  name: 'order_ready',
  language: 'en_US',
  category: 'utility',
  body: 'Order {{1}} is {{2}}.',
  examples: { 1: '7', 2: 'ready' },
  buttons: [{ text: 'Thanks' }, { text: 'Look', url: 'https://shop.test/orders' }],
};
const submit = (body: object) => call('POST', '/console/api/templates/submit/', { headers, body });
const list = async () => (await call('GET', '/console/api/templates/', { headers })).body.results;

type Submitted = { name: string; language: string; category: string; components: { type: string }[] };
const submitted: Submitted[] = [];

/** Meta keeps what is submitted, in this state. */
beforeEach(() => {
  submitted.length = 0;
  meta.templates.length = 0;
  meta.react(({ method, path, body }) => {
    if (method !== 'POST' || path !== '/v25.0/22/message_templates') return null;
    const given = JSON.parse(body.toString());
    submitted.push(given);
    meta.templates.push({ ...given, status: 'PENDING' });
    return { status: 200, body: { id: '1', status: 'PENDING', category: given.category } };
  });
});

test('a template is submitted with its examples and buttons, and waits for approval at once', async () => {
  assert.equal((await submit(draft)).status, 204);
  assert.deepEqual(submitted, [
    {
      name: 'order_ready',
      language: 'en_US',
      category: 'UTILITY',
      components: [
        { type: 'BODY', text: draft.body, example: { body_text: [['7', 'ready']] } },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Thanks' },
            { type: 'URL', text: 'Look', url: 'https://shop.test/orders' },
          ],
        },
      ],
    },
  ]);
  const [listed] = await list();
  assert.deepEqual(
    [listed.pid, listed.approval, listed.is_provided, listed.variables],
    ['order_ready', 'pending', true, ['1', '2']],
  );
});

test('named variables have named examples', async () => {
  const named = { ...draft, body: 'Dear {{name}}', examples: { name: 'Ann' }, buttons: [] };
  assert.equal((await submit(named)).status, 204);
  assert.partialDeepStrictEqual(submitted[0], {
    parameter_format: 'NAMED',
    components: [
      { type: 'BODY', example: { body_text_named_params: [{ param_name: 'name', example: 'Ann' }] } },
    ],
  });
});

test('a rejection is shown with the provider’s reason, and a person cannot overrule it', async () => {
  await submit(draft);
  const [template] = meta.templates;
  assert.ok(template);
  Object.assign(template, { status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' });
  // Another submission reads all templates.
  await submit({ ...draft, name: 'another' });
  const rejected = (await list()).find(({ pid }: { pid: string }) => pid === 'order_ready');
  assert.deepEqual([rejected.approval, rejected.approval_detail], ['rejected', 'INVALID_FORMAT']);
  const overruled = await call('PUT', '/console/api/templates/order_ready/', {
    headers,
    body: { body: 'Mine', language: 'en', approval: 'approved' },
  });
  assert.equal(overruled.status, 400);
});

test('a draft is refused beside its fields, and by the provider in its own words', async () => {
  const missing = await submit({ ...draft, examples: { 1: '7' } });
  assert.deepEqual(missing.body, { examples: { 2: ['This field is required.'] } });
  assert.deepEqual(Object.keys((await submit({ ...draft, name: 'Order Ready' })).body), ['name']);
  const elsewhere = await submit({ ...draft, channel: messenger.id });
  assert.deepEqual(elsewhere.body, { channel: ['This channel has no templates.'] });
  assert.deepEqual(submitted, []);
  meta.react(({ method }) =>
    method === 'POST' ? graphError(400, 100, 'Message template language is invalid') : null,
  );
  const refused = await submit(draft);
  assert.deepEqual(
    [refused.status, refused.body],
    [400, { non_field_errors: ['WhatsApp refused: Message template language is invalid'] }],
  );
});

test('a fault of our own is not shown to anybody', async () => {
  const fault = async () => {
    throw new TypeError('an internal detail');
  };
  const loaded = await loadChannel(context, channel.id);
  assert.ok(loaded);
  const broken = { ...context, outbound: { ...context.outbound, request: fault } };
  await assert.rejects(submitTemplate(broken, loaded, { ...draft, category: 'utility' }), TypeError);
  await assert.rejects(accountOf(broken, adapterFor('Whatsapp'), loaded), TypeError);
  const added = addChannel(broken, { projectId, platform: 'Whatsapp', name: 'Two', settings: account });
  await assert.rejects(added, TypeError);
});

test('a channel of another project is like a missing one', async () => {
  const theirs = await createPartner({ after }, patchbay);
  const stranger = await signIn(context, theirs);
  const { status, body } = await call('POST', '/console/api/templates/submit/', {
    headers: stranger.headers,
    body: draft,
  });
  const missing = [`Object with uuid=${channel.id} does not exist.`];
  assert.deepEqual([status, body, submitted], [400, { channel: missing }, []]);
});
