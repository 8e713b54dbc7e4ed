import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Answer } from '../harness.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { noSuch, setScene } from './scene.ts';

/** The contract's tables of endpoints and of authentication, row by row. */

const scene = await setScene({ after });
const { partner } = scene;

async function call(endpoint: Endpoint, headers: Record<string, string>): Promise<Answer> {
  const { path = '', body } = await endpoint.request(scene);
  const [method = '', pattern = ''] = endpoint.name.split(' ');
  return scene.as(headers)(method, pattern.replace(/\{\w+\}/, encodeURIComponent(path)), body);
}

const valueAt = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null
          ? Object.entries(value).find(([name]) => name === key)?.[1]
          : undefined,
      body,
    );

for (const endpoint of endpoints) {
  test(`${endpoint.name} answers ${endpoint.success} with every field of the contract`, async () => {
    const { status, headers, body } = await call(endpoint, endpoint.auth === 'none' ? {} : partner.token);
    assert.equal(status, endpoint.success, JSON.stringify(body));
    assert.ok(headers.get('x-request-id'));
    const missing = endpoint.fields.filter((field) => valueAt(body, field) === undefined);
    assert.deepEqual(missing, []);
    if (endpoint.success === 204) assert.equal(body, '');
  });
}

for (const endpoint of endpoints.filter(({ auth }) => auth === 'OAuth')) {
  test(`${endpoint.name} takes only a token, and answers 403 otherwise`, async () => {
    for (const headers of [{}, partner.key, { authorization: 'Bearer wrong' }]) {
      const { status, headers: answered } = await call(endpoint, headers);
      assert.equal(status, 403);
      assert.equal(answered.get('www-authenticate'), null);
    }
  });
}

for (const endpoint of endpoints.filter(({ auth }) => auth === 'key or OAuth')) {
  test(`${endpoint.name} takes a key as well as a token, and answers 401 without`, async () => {
    assert.equal((await call(endpoint, partner.key)).status, endpoint.success);
    const strangers: Record<string, string>[] = [
      {},
      { 'bot-key': noSuch },
      { authorization: 'Bearer wrong' },
    ];
    for (const headers of strangers) {
      const { status, headers: answered } = await call(endpoint, headers);
      assert.equal(status, 401);
      assert.equal(answered.get('www-authenticate'), 'Bearer realm="api"');
    }
  });
}

test('the key, the token and the table name the same project', async () => {
  const [byKey, byToken] = await Promise.all(
    [partner.key, partner.token].map((headers) => scene.as(headers)('GET', '/api/partners/profiles/')),
  );
  assert.equal(byKey?.body.count, 1);
  assert.deepEqual(byKey?.body, byToken?.body);
});
