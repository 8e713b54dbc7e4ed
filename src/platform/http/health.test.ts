import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { addHealthRoutes } from './health.ts';
import { createServer } from './server.ts';

const failure = (code: string) => Object.assign(new Error('no'), { code });

/** The answers of `/readyz`. */
async function readiness(checkDatabase: () => Promise<unknown>, times = 1) {
  const server = createServer({ log: pino({ level: 'silent' }), publicUrl: 'http://patchbay.test' });
  addHealthRoutes(server, checkDatabase);
  const answers = await Promise.all(
    Array.from({ length: times }, async () => {
      const { statusCode, body } = await server.inject({
        url: '/readyz',
        headers: { host: 'patchbay.test' },
      });
      return [statusCode, JSON.parse(body)];
    }),
  );
  await server.close();
  return answers[0];
}

test('a process that is not ready says why', async () => {
  assert.deepEqual(await readiness(async () => 1), [200, { status: 'ok' }]);
  for (const [code, reason] of [
    ['25006', /almost full/],
    ['53100', /is full/],
    ['CONNECTION_LOST', /does not answer\.$/],
  ] as const) {
    const [status, body] = (await readiness(() => Promise.reject(failure(code)))) ?? [];
    assert.equal(status, 503);
    assert.match(body.detail, reason);
  }
});

test('a silent database delays readiness by two seconds at most, and all callers share one query', async () => {
  let asked = 0;
  const begun = performance.now();
  const answer = await readiness(() => {
    asked += 1;
    return new Promise(() => {});
  }, 5);
  assert.deepEqual(answer, [503, { detail: 'The database does not answer in time.' }]);
  assert.equal(asked, 1);
  assert.ok(performance.now() - begun > 1_000);
});
