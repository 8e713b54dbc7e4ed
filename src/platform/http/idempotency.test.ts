import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import Type from 'typebox';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedProject } from '../../../test/seed.ts';
import { NotFound } from '../problem.ts';
import { creation } from './action.ts';
import { Text, Uuid } from './fields.ts';
import type { Guard } from './guard.ts';
import { forgetKeys } from './idempotency-store.ts';
import type { Principal } from './principal.ts';
import { router } from './router.ts';
import { createServer } from './server.ts';

/** The things are in a table of this test. One statement makes each, as in a feature. */
const { sql } = await testDatabase({ after });
await sql`create table things (project_id uuid, id uuid, name text, primary key (project_id, id))`;

const clock = manualClock();
/** Fails the next statements that would let a claim lapse. */
let lapsesToFail = 0;
const reluctantSql = new Proxy(sql, {
  apply(target, self, parameters: Parameters<typeof sql>) {
    const isLapse = String(parameters[0]).includes('claimed_until = created_at');
    if (!isLapse || lapsesToFail === 0) return Reflect.apply(target, self, parameters);
    lapsesToFail -= 1;
    return Promise.reject(new Error('the database is away'));
  },
});
const context = testContext({ sql: reluctantSql }, clock);
const projectId = await seedProject(sql);
const otherProjectId = await seedProject(sql);

/** Hooks at the two points of an attempt where a process may be slow or die. */
const nothing = async () => {};
let beforeMaking: () => Promise<void> = nothing;
let afterMaking: () => Promise<void> = nothing;

const Thing = Type.Object({ uuid: Uuid, name: Type.String() });

const createThing = creation({
  body: Type.Object({ name: Text(), size: Type.Optional(Type.Integer()) }),
  response: Thing,
  handle: async ({ principal, body, id }) => {
    await beforeMaking();
    await sql`insert into things values (${principal.projectId}, ${id}, ${body.name})`;
    await afterMaking();
    return { uuid: id, name: body.name };
  },
  recall: async (_context, principal, id) => {
    const [row] = await sql<{ id: string; name: string }[]>`
      select id, name from things where project_id = ${principal.projectId} and id = ${id}`;
    return row && { uuid: row.id, name: row.name };
  },
});

const server = createServer({ log: context.log, publicUrl: context.config.publicUrl });
const guard: Guard<Principal> = {
  cors: true,
  admit: (headers) => ({
    kind: 'bot_key',
    projectId: String(headers['bot-key'] ?? projectId),
    callerId: String(headers['x-caller'] ?? 'one'),
    applicationId: null,
    name: 'CRM',
  }),
};
for (const path of ['/things/', '/more-things/']) {
  router(server, context)('POST', path, guard, createThing);
}
const address = await server.listen({ port: 0, host: '127.0.0.1' });
after(() => server.close());

beforeEach(async () => {
  beforeMaking = nothing;
  afterMaking = nothing;
  await sql`truncate things, idempotency_keys`;
});

async function post(body: string, key?: string, headers: Record<string, string> = {}, path = '/things/') {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    },
    body,
  });
  return {
    status: answer.status,
    text: await answer.text(),
    replayed: answer.headers.get('idempotent-replay'),
  };
}

const countThings = async () => sql`select from things`.count();
const body = '{"name":"x","size":5}';
const crash = async () => {
  throw new Error('the process died here');
};

/** A point at which attempts wait until the test lets them go on. */
function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const pass = () => {
    reach();
    return opened;
  };
  return { pass, reached, open };
}

test('the same key and body get the first answer again and make no second thing', async () => {
  const first = await post(body, 'k');
  assert.deepEqual([first.status, first.replayed], [201, null]);
  assert.deepEqual(await post(body, 'k'), { ...first, replayed: 'true' });
  assert.deepEqual(await post('{ "size": 5, "name": "x" }', 'k'), { ...first, replayed: 'true' });
  assert.equal(await countThings(), 1);
});

test('a key belongs to its caller: another caller of the project neither gets the answer nor is refused', async () => {
  const first = await post(body, 'k');
  const other = await post(body, 'k', { 'x-caller': 'two' });
  assert.deepEqual([other.status, other.replayed], [201, null]);
  assert.notEqual(other.text, first.text);
  assert.equal((await post('{"name":"y"}', 'k', { 'x-caller': 'three' })).status, 201);
  assert.deepEqual(await post(body, 'k'), { ...first, replayed: 'true' });
});

test('without a key every request makes a thing', async () => {
  assert.notEqual((await post(body)).text, (await post(body)).text);
  assert.equal(await countThings(), 2);
});

test('the same key with another body is 422 and makes nothing', async () => {
  await post(body, 'k');
  const other = await post('{"name":"y"}', 'k');
  assert.equal(other.status, 422);
  assert.deepEqual(JSON.parse(other.text), {
    detail: 'This Idempotency-Key was already used for another request.',
  });
  assert.equal(await countThings(), 1);
});

test('a key belongs to its project', async () => {
  await post(body, 'k');
  const other = await post(body, 'k', { 'bot-key': otherProjectId });
  assert.deepEqual([other.status, other.replayed], [201, null]);
  assert.equal(await countThings(), 2);
});

test('two projects may use one key for different requests', async () => {
  const theirs = { 'bot-key': otherProjectId };
  const [ours, other] = [await post(body, 'k'), await post('{"name":"y"}', 'k', theirs)];
  assert.deepEqual(await post(body, 'k'), { ...ours, replayed: 'true' });
  assert.deepEqual(await post('{"name":"y"}', 'k', theirs), { ...other, replayed: 'true' });
});

test('the same body at another address is another request', async () => {
  await post(body, 'k');
  assert.equal((await post(body, 'k', {}, '/more-things/')).status, 422);
  assert.equal(await countThings(), 1);
});

test('a key can be used anew after 24 hours, and not before', async () => {
  const first = await post(body, 'k');
  clock.advance(24 * 60 * 60 * 1000);
  assert.equal((await post(body, 'k')).replayed, 'true');
  clock.advance(1);
  const second = await post('{"name":"y"}', 'k');
  assert.deepEqual([second.status, second.replayed], [201, null]);
  assert.notEqual(JSON.parse(second.text).uuid, JSON.parse(first.text).uuid);
});

test('of twenty concurrent twins one makes the thing and all get its answer', async () => {
  const twins = await Promise.all(Array.from({ length: 20 }, () => post(body, 'k')));
  assert.deepEqual([...new Set(twins.map(({ status, text }) => `${status} ${text}`))].length, 1);
  assert.equal(twins.filter(({ replayed }) => replayed === null).length, 1);
  assert.equal(await countThings(), 1);
});

test('a refused request leaves its key free', async () => {
  assert.equal((await post('{}', 'k')).status, 400);
  beforeMaking = async () => {
    throw new NotFound('Chat not found.');
  };
  assert.equal((await post(body, 'k')).status, 404);
  beforeMaking = nothing;
  const other = await post('{"name":"y"}', 'k');
  assert.deepEqual([other.status, other.replayed], [201, null]);
});

test('a request that failed before it made the thing makes it at the second attempt', async () => {
  beforeMaking = crash;
  assert.equal((await post(body, 'k')).status, 500);
  beforeMaking = nothing;
  assert.equal((await post(body, 'k')).status, 201);
  assert.equal(await countThings(), 1);
});

test('a key is free for the second attempt even if the database failed at the end of the first', async () => {
  beforeMaking = crash;
  lapsesToFail = 2;
  assert.equal((await post(body, 'k')).status, 500);
  beforeMaking = nothing;
  assert.equal((await post(body, 'k')).status, 201);
  assert.equal(lapsesToFail, 0);
});

test('a key whose request failed still belongs to that request', async () => {
  afterMaking = crash;
  await post(body, 'k');
  assert.equal((await post('{"name":"y"}', 'k')).status, 422);
});

test('a request that failed after it made the thing returns it at the second attempt', async () => {
  afterMaking = crash;
  assert.equal((await post(body, 'k')).status, 500);
  const [made] = await sql<{ id: string }[]>`select id from things`;
  const second = await post(body, 'k');
  assert.deepEqual(JSON.parse(second.text), { uuid: made?.id, name: 'x' });
  assert.deepEqual(await post(body, 'k'), { ...second, replayed: 'true' });
  assert.equal(await countThings(), 1);
});

test('the key of a dead process is taken over when its claim has lapsed', async () => {
  const death = gate();
  afterMaking = death.pass;
  const lost = post(body, 'k');
  await death.reached;
  afterMaking = nothing;
  clock.advance(10_000);
  const second = await post(body, 'k');
  assert.equal(second.status, 201);
  assert.equal(await countThings(), 1);
  death.open();
  assert.equal((await lost).text, second.text);
});

test('a slow attempt cannot make a second thing beside the attempt that took over', async () => {
  const slowness = gate();
  beforeMaking = slowness.pass;
  const slow = post(body, 'k');
  await slowness.reached;
  beforeMaking = nothing;
  clock.advance(10_000);
  const second = await post(body, 'k');
  slowness.open();
  assert.equal((await slow).status, 500);
  assert.equal(await countThings(), 1);
  assert.deepEqual(await post(body, 'k'), { ...second, replayed: 'true' });
});

test('a refused second attempt leaves the key to the first, which is still running', async () => {
  const slowness = gate();
  beforeMaking = slowness.pass;
  const slow = post(body, 'k');
  await slowness.reached;
  clock.advance(10_000);
  beforeMaking = async () => {
    throw new NotFound();
  };
  assert.equal((await post(body, 'k')).status, 404);
  beforeMaking = nothing;
  const third = await post(body, 'k');
  assert.equal(third.status, 201);
  slowness.open();
  await slow;
  assert.equal(await countThings(), 1);
});

test('an empty key and a key of more than 255 characters are refused', async () => {
  for (const key of ['', 'x'.repeat(256)]) assert.equal((await post(body, key)).status, 400);
  assert.equal((await post(body, 'x'.repeat(255))).status, 201);
});

test('the database stores neither keys nor answers in readable form', async () => {
  await post('{"name":"planted-name"}', 'planted-key');
  const [row] = await sql<{ text: string }[]>`
    select encode(key_hash, 'escape') || encode(request_hash, 'escape') || encode(answer, 'escape') as text from idempotency_keys`;
  assert.doesNotMatch(row?.text ?? 'planted', /planted/);
});

test('expired keys can be deleted', async () => {
  await post(body, 'old');
  clock.advance(1000);
  await post(body, 'new');
  assert.equal(await forgetKeys(sql, clock.now()), 1);
  assert.equal((await post(body, 'new')).replayed, 'true');
});
