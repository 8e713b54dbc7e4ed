import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startPatchbay } from '../../test/harness.ts';
import { operationsOf } from '../../test/openapi/arbitrary.ts';
import { programDocument } from '../../test/openapi/program-document.ts';
import { validatorsOf } from '../../test/openapi/validators.ts';

const { call } = await startPatchbay(
  { after },
  { config: { roles: ['api'], publicUrl: 'https://patchbay.test' } },
);
const document = await programDocument();
const { body: events } = await call('GET', '/api/partners/asyncapi.json');

test('the webhooks are also described as AsyncAPI 3: the same events, one channel for each, every reference resolved', () => {
  assert.equal(events.asyncapi, '3.0.0');
  assert.deepEqual(Object.keys(events.components.messages), Object.keys(document.webhooks));
  const { integration, project } = events.channels;
  assert.deepEqual(Object.keys(project.messages), ['mailing.state', 'mailing.reaction']);
  assert.ok(Object.hasOwn(integration.messages, 'message_updated'));
  for (const [, path = ''] of JSON.stringify(events).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    let place = events;
    for (const word of path.split('/')) place = place?.[word];
    assert.ok(place, path);
  }
});

test('every event names the headers of its signature, and the trace that it may have', () => {
  const signature = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const messages: { headers: { required: string[]; properties: object } }[] = Object.values(
    events.components.messages,
  );
  assert.ok(messages.length > 0);
  for (const { headers } of messages) {
    assert.deepEqual(headers.required, signature);
    assert.deepEqual(Object.keys(headers.properties), [...signature, 'traceparent']);
  }
});

test('an event’s example fits its schema', () => {
  const complain = validatorsOf(document);
  for (const [name, { payload, examples }] of Object.entries<{
    payload: object;
    examples: { payload: unknown }[];
  }>(events.components.messages)) {
    assert.deepEqual(payload, document.webhooks[name]?.post.requestBody?.content['application/json']?.schema);
    const place = ['webhooks', name, 'post', 'requestBody', 'content', 'application/json', 'schema'];
    assert.equal(complain(place, examples[0]?.payload), undefined, name);
  }
});

test('every operation names its callers, and no example addresses all clients or is a mere placeholder', () => {
  for (const { method, path, operation } of operationsOf(document)) {
    assert.ok(Array.isArray(operation.security), `${method} ${path}`);
    const example = JSON.stringify(operation.requestBody?.content['application/json']?.example ?? {});
    assert.ok(!/"(all|any)":\[\]/.test(example), `${method} ${path}: ${example}`);
    assert.ok(!/"(?!type)\w+":"text"|:1[,}]/.test(example), `${method} ${path}: ${example}`);
  }
  for (const [name, { post }] of Object.entries(document.webhooks))
    assert.ok(Array.isArray(post.security), name);
});

test('the guide for programs names every address, and each one answers', async () => {
  const { status, headers, body } = await call('GET', '/llms.txt');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(body, /^# Patchbay\n\n> /);
  const addresses = [...body.matchAll(/\]\(https:\/\/patchbay\.test(\/[^)]*)\)/g)].map(
    ([, path = '']) => path,
  );
  assert.equal(addresses.length, 6);
  for (const path of addresses) assert.equal((await call('GET', path)).status, 200, path);
});

test('the HTML page has the grammar of filters, the columns of files, the retries and the OAuth errors', async () => {
  const { body } = await call('GET', '/api/partners/docs/');
  for (const words of [
    'icontains',
    'profile_tag',
    'lower case',
    'GLOBAL',
    '14 h',
    '410',
    'iss',
    'invalid_grant',
    'whatsapp_template',
  ])
    assert.ok(body.includes(words), words);
});
