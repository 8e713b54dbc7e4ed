import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testDatabase } from '../../../test/database.ts';
import { startPatchbay } from '../../../test/harness.ts';
import { formVisitor } from '../../../test/visitor.ts';
import { createProject } from '../projects/projects.ts';
import { createUser } from './create-user.ts';
import { createSignInLink } from './sign-in-link.ts';

const clock = manualClock();
const database = await testDatabase({ after });
const { context, address } = await startPatchbay({ after }, { database, clock, config: { roles: ['api'] } });

const day = 24 * 60 * 60 * 1000;
let users = 0;

async function newLink(email = `user${users++}@shop.test`): Promise<{ email: string; path: string }> {
  const { id: projectId } = await createProject(context, { name: 'Shop & <Sons>' });
  const user = await createUser(context, { projectId, email, role: 'admin', password: 'long enough' });
  return { email, path: new URL(await createSignInLink(context, user.id)).pathname };
}

test('a link shows its user, and opening it does not spend it', async () => {
  const { email, path } = await newLink();
  const visitor = formVisitor(address);
  for (let opened = 0; opened < 2; opened += 1) {
    const { status, headers, text } = await visitor.open(path);
    assert.equal(status, 200);
    assert.ok(text.includes(email));
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  }
});

test('of concurrent uses of a link one signs in', async () => {
  const { email, path } = await newLink();
  const visitors = [formVisitor(address), formVisitor(address), formVisitor(address)];
  for (const visitor of visitors) await visitor.open(path);
  const answers = await Promise.all(visitors.map((visitor) => visitor.submit()));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404, 404]);
  const first = visitors[answers.findIndex(({ status }) => status === 303)];
  const { text } = (await first?.open('/console/api/account/')) ?? { text: '{}' };
  assert.partialDeepStrictEqual(JSON.parse(text), {
    email,
    projects: [{ title: 'Shop & <Sons>', role: 'admin' }],
  });
  assert.equal((await formVisitor(address).open(path)).status, 404);
});

test('a request without the form signs nobody in, and the link stays valid', async () => {
  const { path } = await newLink();
  const visitor = formVisitor(address);
  const [bare, foreign] = [await visitor.submit({}, { path }), formVisitor(address)];
  assert.equal(bare.status, 403);
  await foreign.open(path);
  await visitor.open(path);
  visitor.cookies.clear();
  assert.equal((await visitor.submit()).status, 403);
  assert.equal((await foreign.submit()).status, 303);
});

test('a link is valid for a day', async () => {
  const { path } = await newLink();
  const visitor = formVisitor(address);
  clock.advance(day - 1);
  assert.equal((await visitor.open(path)).status, 200);
  clock.advance(1);
  assert.equal((await visitor.submit()).status, 404);
  assert.equal((await visitor.open(path)).status, 404);
});

test('an unknown link looks like a used one', async () => {
  const { path } = await newLink();
  const visitor = formVisitor(address);
  await visitor.open(path);
  await visitor.submit();
  const [used, unknown] = [await visitor.open(path), await visitor.open('/sign-in/nonsense/')];
  assert.equal(unknown.status, 404);
  assert.equal(unknown.text, used.text);
});

test('a name is shown as text on the page, whatever it contains', async () => {
  const { path } = await newLink("o'neil&co@shop.test");
  const { text } = await formVisitor(address).open(path);
  assert.ok(text.includes('o&#39;neil&amp;co@shop.test'), text);
  assert.ok(text.includes('Shop &amp; &lt;Sons&gt;'));
});

test('only hashes of links and of sessions are stored', async () => {
  const { path } = await newLink();
  const visitor = formVisitor(address);
  await visitor.open(path);
  await visitor.submit();
  const secrets = [path.split('/')[2], ...visitor.cookies.values()];
  const rows = await database.sql<{ row: string }[]>`
    select row_to_json(sign_in_links)::text as row from sign_in_links
    union all select row_to_json(person_sessions)::text from person_sessions`;
  assert.ok(rows.length > 1);
  for (const secret of secrets) assert.ok(secret && rows.every(({ row }) => !row.includes(secret)));
});
