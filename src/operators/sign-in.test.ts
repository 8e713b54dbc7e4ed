import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { testDatabase } from '../../test/database.ts';
import { startPatchbay } from '../../test/harness.ts';
import { createProject } from '../projects/projects.ts';
import { createUser } from './create-user.ts';
import { createSignInLink } from './sign-in-link.ts';

const clock = manualClock();
const database = await testDatabase({ after });
const { context, call } = await startPatchbay({ after }, { database, clock });

const day = 24 * 60 * 60 * 1000;
let users = 0;

async function newLink(email = `user${users++}@shop.test`): Promise<{ email: string; path: string }> {
  const { id: projectId } = await createProject(context, { name: 'Shop & <Sons>' });
  const user = await createUser(context, { projectId, email, role: 'admin', password: 'long enough' });
  return { email, path: new URL(await createSignInLink(context, user.id)).pathname };
}

test('a link says whom it is for, and opening it uses nothing up', async () => {
  const { email, path } = await newLink();
  for (let opened = 0; opened < 2; opened += 1) {
    const { status, headers, body } = await call('GET', path);
    assert.equal(status, 200);
    assert.ok(body.includes(email));
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.equal(headers.get('cache-control'), 'no-store');
  }
});

test('it signs in once', async () => {
  const { email, path } = await newLink();
  const answers = await Promise.all([call('POST', path), call('POST', path), call('POST', path)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404]);
  assert.ok(answers.some(({ body }) => body.includes(email)));
  assert.equal((await call('GET', path)).status, 404);
});

test('it is good for a day', async () => {
  const { path } = await newLink();
  clock.advance(day - 1);
  assert.equal((await call('GET', path)).status, 200);
  clock.advance(1);
  assert.equal((await call('GET', path)).status, 404);
  assert.equal((await call('POST', path)).status, 404);
});

test('a link that never was looks like one that was used', async () => {
  const { path } = await newLink();
  await call('POST', path);
  const [used, unknown] = [await call('GET', path), await call('GET', '/sign-in/nonsense/')];
  assert.equal(unknown.status, 404);
  assert.equal(unknown.body, used.body);
});

test('names are text on the page, whatever they contain', async () => {
  const { path } = await newLink('"<script>alert(1)</script>"@shop.test');
  const { body } = await call('GET', path);
  assert.ok(!body.includes('<script>'));
  assert.ok(body.includes('&lt;script&gt;'));
  assert.ok(body.includes('Shop &amp; &lt;Sons&gt;'));
});

test('only the hash of a link is kept', async () => {
  const { path } = await newLink();
  const token = path.split('/')[2];
  const rows = await database.sql<
    { row: string }[]
  >`select row_to_json(sign_in_links)::text as row from sign_in_links`;
  assert.ok(token && rows.length > 0 && rows.every(({ row }) => !row.includes(token)));
});
