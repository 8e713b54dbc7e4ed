import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedProject } from '../../../test/seed.ts';
import { wakes } from '../../../test/waiting.ts';
import { addChannel } from '../../channels/connected/channels.ts';
import type { OutboundRequest } from '../../platform/outbound/outbound.ts';
import { leaseNameless } from '../chats/names-store.ts';
import { receiveEvents } from '../chats/receive.ts';
import { bringNames, startNaming } from './naming.ts';

const clock = manualClock();
let asked: string[] = [];
/** The provider is silent about clients with such large ids, until then. */
let released = Promise.resolve();
let answer: () => object = () => ({ response: [{ id: 777, first_name: 'Olga', last_name: 'Ivanova' }] });
const context = testContext(await testDatabase({ after }), clock);
context.outbound = {
  ...context.outbound,
  request: async ({ url, body }: OutboundRequest) => {
    const told = url.endsWith('/users.get') ? answer() : { response: { code: 'c', server_id: 1 } };
    const client = new URLSearchParams(String(body)).get('user_ids') ?? '';
    if (url.endsWith('/users.get')) asked.push(client);
    if (Number(client) >= 9_000) await released;
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(told)), truncated: false };
  },
};
const topics = new EventEmitter();
context.wake = {
  ...context.wake,
  wake: (topic) => void topics.emit(topic),
  subscribe: (topic, listener) => {
    topics.on(topic, listener);
    return () => topics.off(topic, listener);
  },
  close: async () => {},
};
const { sql } = context;
const projectId = await seedProject(sql);
const community = (project: string) =>
  addChannel(context, {
    projectId: project,
    platform: 'Vkontakte',
    name: 'Community',
    settings: { access_token: 'a-token', group_id: '1' },
  });
const channel = await community(projectId);

let said = 0;

const hear = (externalId: string, name?: string, through = channel) => {
  said += 1;
  const message = { externalId: `m${said}`, type: 'text' as const, text: 'Hi', url: null, payload: null };
  return receiveEvents(context, through, [
    { kind: 'message', chat: { externalId, ...(name && { name }) }, message },
  ]);
};

const namesOf = async (externalId: string) => {
  const [row] = await sql`
    select chats.name as chat, profiles.name as profile, name_due_at is not null as is_due
    from chats join profiles on profiles.id = chats.profile_id where chats.external_id = ${externalId}`;
  return row;
};

/** Asks about everybody who is due. */
async function askAll(): Promise<void> {
  asked = [];
  const now = clock.now();
  const until = new Date(now.getTime() + 60_000);
  for (const chat of await leaseNameless(sql, { now, until, most: 8, mostOfProject: 8, taken: [] })) {
    await bringNames(context, chat);
  }
}

test('a client without a name is asked about once, and the profile gets the name too', async () => {
  assert.equal(await wakes(context.wake, 'names', () => hear('777')), true);
  assert.equal(await wakes(context.wake, 'names', () => hear('777')), false);
  assert.deepEqual(await namesOf('777'), { chat: null, profile: null, is_due: true });
  await askAll();
  assert.deepEqual(asked, ['777']);
  assert.deepEqual(await namesOf('777'), { chat: 'Olga Ivanova', profile: 'Olga Ivanova', is_due: false });
  await hear('777');
  clock.advance(100_000);
  await askAll();
  assert.deepEqual(asked, []);
  const [record] = await sql`
    select actor_type, actor_name from profile_audit where changes ? 'name' and project_id = ${projectId}`;
  assert.deepEqual(record, { actor_type: 'channel', actor_name: 'Community' });
});

test('a name that a person or the client gave stays', async () => {
  await hear('778', 'Ann');
  await hear('779');
  await sql`
    update profiles set name = 'Mrs Lee' where id = (select profile_id from chats where external_id = '779')`;
  await askAll();
  assert.deepEqual(asked, ['779']);
  assert.deepEqual(await namesOf('778'), { chat: 'Ann', profile: 'Ann', is_due: false });
  assert.deepEqual(await namesOf('779'), { chat: 'Olga Ivanova', profile: 'Mrs Lee', is_due: false });
});

test('a provider that fails is asked again, longer apart, and at last no more; one that knows no name is not', async () => {
  const usual = answer;
  answer = () => ({ error: { error_code: 10, error_msg: 'Internal server error' } });
  await hear('780');
  let tries = 0;
  for (; (await namesOf('780'))?.is_due; tries += 1) {
    await askAll();
    assert.deepEqual(asked, ['780']);
    await askAll();
    assert.deepEqual(asked, []);
    clock.advance(4_400_000);
  }
  assert.equal(tries, 8);

  answer = () => ({ response: [] });
  await hear('781');
  await askAll();
  assert.deepEqual(await namesOf('781'), { chat: null, profile: null, is_due: false });
  answer = usual;
});

test('a new client is asked about at once by a running worker', async (t) => {
  const naming = startNaming(context);
  t.after(() => naming.stop());
  await hear('782');
  while ((await namesOf('782'))?.chat === null);
  assert.equal((await namesOf('782'))?.chat, 'Olga Ivanova');
});

test('a stop ends the question to a provider that hangs', async () => {
  const reached = Promise.withResolvers<void>();
  const hanging: typeof context = {
    ...context,
    outbound: {
      ...context.outbound,
      request: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          reached.resolve();
        }),
    },
  };
  await hear('784');
  const naming = startNaming(hanging);
  await reached.promise;
  await naming.stop();
  assert.deepEqual(await namesOf('784'), { chat: null, profile: null, is_due: true });
});

test('however many clients of a project have a silent provider, those of another project get their names', async (t) => {
  const silence = Promise.withResolvers<void>();
  released = silence.promise;
  for (let n = 0; n < 60; n += 1) await hear(String(9_000 + n));
  const naming = startNaming(context);
  t.after(() => {
    silence.resolve();
    return naming.stop();
  });
  while (!asked.includes('9000')) await sql`select`;
  const other = await community(await seedProject(sql));
  await hear('783', undefined, other);
  while ((await namesOf('783'))?.chat === null);
  assert.equal((await namesOf('9059'))?.chat, null);
});
