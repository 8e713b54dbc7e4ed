import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startPatchbay } from '../../test/harness.ts';
import { validatorsOf } from '../../test/openapi/validators.ts';
import { allRoutes } from '../../test/security/all-routes.ts';
import type { Content, Document, Operation } from './types.ts';

const { address, context } = await startPatchbay({ after }, { config: { roles: ['api'] } });
const served = await fetch(`${address}/api/partners/openapi.json`);
const document: Document = JSON.parse(await served.text());
const complain = validatorsOf(document, { validateSchema: true });

type Described = { name: string; place: string[]; operation: Operation };

const operations: Described[] = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({
    name: `${verb.toUpperCase()} ${path}`,
    place: ['paths', path, verb],
    operation,
  })),
);
const webhooks: Described[] = Object.entries(document.webhooks).map(([name, { post }]) => ({
  name,
  place: ['webhooks', name, 'post'],
  operation: post,
}));

test('all partner routes are described, and no others', async () => {
  const routes = await allRoutes(context);
  const expected = routes
    .filter(
      (route) => route.includes(' /api/partners/') && !/^HEAD |(openapi|asyncapi)\.json|\/docs\//.test(route),
    )
    .map((route) => route.replace(/:(\w+)/g, '{$1}'));
  assert.deepEqual(operations.map(({ name }) => name).sort(), expected.sort());
});

test('every operation has a name for a method and a sentence for people', () => {
  for (const { name, operation } of operations) {
    assert.match(operation.operationId, /^[a-z]+([A-Z][a-z]*)+$/, name);
    assert.match(operation.summary, /^[A-Z].{4,60}[a-z]$/, name);
  }
  for (const { name, description } of document.tags) assert.match(description, /^[A-Z].+\.$/s, name);
});

test('every schema is valid for other tools, and its example fits it', () => {
  const bodies = [...operations, ...webhooks].flatMap(({ place, operation }) => [
    ...contents([...place, 'requestBody'], operation.requestBody?.content),
    ...Object.entries(operation.responses).flatMap(([status, response]) =>
      contents([...place, 'responses', status], '$ref' in response ? undefined : response.content),
    ),
  ]);
  for (const { place, example } of bodies) {
    const wrong = complain([...place, 'schema'], example);
    if (example !== undefined) assert.equal(wrong, undefined, place.join(' '));
  }
  for (const [name, { examples = [] }] of Object.entries(document.components.schemas)) {
    for (const example of examples)
      assert.equal(complain(['components', 'schemas', name], example), undefined);
  }
});

test('every reference in the document is resolved', () => {
  for (const [, reference = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = reference
      .split('/')
      .reduce((inside: object | undefined, name) => Reflect.get(inside ?? {}, name), document);
    assert.ok(found, reference);
  }
});

const contents = (place: string[], content: Content = {}) =>
  Object.entries(content).map(([type, { example }]) => ({ place: [...place, 'content', type], example }));

/** Source: docs/contract.md, section 1. */
const refusals: Record<string, number[]> = {
  'POST /api/partners/oauth/': [200, 400],
  'POST /api/partners/connector/': [200, 400, 403],
  'POST /api/partners/iframe/': [201, 403],
  'PUT /api/partners/integrations/credentials/': [200, 400, 403],
  'DELETE /api/partners/integrations/credentials/': [204, 403],
  'POST /api/partners/stream/': [201, 403, 429],
  'POST /api/partners/push-messages/': [201, 400, 401, 404],
  'GET /api/partners/push-messages/{uuid}/': [200, 401, 404],
  'POST /api/partners/push-messages/{uuid}/cancel/': [204, 400, 401, 404],
  'GET /api/partners/mailings/': [200, 401],
  'POST /api/partners/mailings/': [201, 400, 401],
  'GET /api/partners/mailings/{uuid}/': [200, 401, 404],
  'POST /api/partners/mailings/{uuid}/calculate/': [200, 401, 404],
  'POST /api/partners/mailings/{uuid}/stop/': [200, 401, 404],
  'POST /api/partners/promocode-groups/': [201, 400, 401],
  'DELETE /api/partners/promocode-groups/{uuid}/': [204, 401, 404],
  'POST /api/partners/promocodes/generate/': [200, 400, 401],
  'PATCH /api/partners/promocodes/{uuid}/': [200, 400, 401, 404],
};

test('an operation names the responses that the contract names for it', () => {
  for (const { name, operation } of operations) {
    for (const status of refusals[name] ?? []) {
      assert.ok(Object.hasOwn(operation.responses, status), `${name} ${status}`);
    }
  }
});

test('the description and its page are public, and clients with a current copy get 304', async () => {
  for (const path of ['openapi.json', 'docs/', 'docs/docs.css']) {
    const first = await fetch(`${address}/api/partners/${path}`);
    assert.equal(first.status, 200, path);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    assert.equal((await fetch(`${address}/api/partners/${path}`, { headers })).status, 304, path);
  }
});

test('the page describes every operation and every event, and has no scripts', async () => {
  const response = await fetch(`${address}/api/partners/docs/`);
  const page = await response.text();
  for (const { operation } of [...operations, ...webhooks]) {
    assert.ok(page.includes(` id="${operation.operationId}"`), operation.operationId);
  }
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  assert.doesNotMatch(page, /<script| style="| on\w+="/);
});
