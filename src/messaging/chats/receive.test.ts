import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { type ManualClock, manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import {
  announced,
  noon,
  seedApplication,
  seedChannel,
  seedEndpoint,
  seedProject,
} from '../../../test/seed.ts';
import type { Correspondent, InboundEvent } from '../../channels/contract/inbound.ts';
import type { Context } from '../../platform/context.ts';
import { receiveEvents } from './receive.ts';
import type { ChatChannel } from './store.ts';

const { sql } = await testDatabase({ after });
const later = new Date(noon.getTime() + 60_000);

let clock: ManualClock;
let context: Context;
let channel: ChatChannel;
let endpointId: string;

beforeEach(async () => {
  clock = manualClock();
  context = testContext({ sql }, clock);
  await moveIn(await seedProject(sql));
});

async function moveIn(projectId: string): Promise<void> {
  channel = {
    projectId,
    id: await seedChannel(sql, projectId),
    platform: 'API_Messenger',
    name: 'Messenger',
  };
  endpointId = await seedEndpoint(sql, projectId, await seedApplication(sql));
}

const written = (who: Correspondent, externalId: string, text = 'hello'): InboundEvent => ({
  kind: 'message',
  chat: who,
  message: { externalId, type: 'text', text, url: null, payload: null },
});

const receive = (...events: InboundEvent[]) => receiveEvents(context, channel, events);

const ann = { externalId: 'ann', name: 'Ann' };

const profiles = () => sql`select * from profiles where project_id = ${channel.projectId} order by id`;
const chats = () => sql`select * from chats where project_id = ${channel.projectId} order by id`;
const messages = () => sql`select * from messages where project_id = ${channel.projectId} order by id`;

test("a client's first message creates the chat, the profile and the message, and is announced", async () => {
  const [received] = await receive(written({ ...ann, username: 'annie' }, 'm1'));
  const [profile] = await profiles();
  const [chat] = await chats();
  const [message] = await messages();
  assert.deepEqual(received, { chatUuid: chat?.id, profileUuid: profile?.id, messageUuid: message?.id });
  assert.equal(profile?.name, 'Ann');
  assert.deepEqual([chat?.profile_id, chat?.name, chat?.username], [profile?.id, 'Ann', 'annie']);
  assert.deepEqual([message?.direction, message?.source, message?.state], ['in', 'client', null]);
  assert.deepEqual([message?.content_type, message?.content], ['text', { text: 'hello' }]);
  assert.deepEqual(await announced(sql, endpointId), [
    [
      'message_created',
      {
        chat: { uuid: chat?.id, platform: 'API_Messenger', name: 'Ann', phone: null, avatar: null },
        profile: { uuid: profile?.id },
        message: { uuid: message?.id, type: 'text', text: 'hello', external_id: 'm1' },
        session: null,
      },
    ],
  ]);
});

test('the same external id twice is one message, with the same answer', async () => {
  const first = await receive(written(ann, 'm1'));
  const second = await receive(written(ann, 'm1', 'changed'));
  assert.deepEqual(second, first);
  assert.equal((await messages()).length, 1);
  assert.equal((await announced(sql, endpointId)).length, 1);
});

test('the same external id on another channel is another message', async () => {
  await receive(written(ann, 'm1'));
  channel = { ...channel, id: await seedChannel(sql, channel.projectId) };
  await receive(written(ann, 'm1'));
  assert.equal((await messages()).length, 2);
});

test('twenty concurrent deliveries of one first message are one chat, one profile, one message', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => receive(written(ann, 'm1'))));
  assert.equal(new Set(answers.map((answer) => answer[0]?.messageUuid)).size, 1);
  assert.deepEqual([(await profiles()).length, (await chats()).length, (await messages()).length], [1, 1, 1]);
  assert.equal((await announced(sql, endpointId)).length, 1);
});

test('twenty concurrent first messages of one client are one chat and one profile', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  await Promise.all(numbers.map((number) => receive(written(ann, `m${number}`))));
  assert.deepEqual(
    [(await profiles()).length, (await chats()).length, (await messages()).length],
    [1, 1, 20],
  );
});

test('the same phone number on two channels is one profile, under concurrent messages too', async () => {
  const here = channel;
  const there = { ...channel, id: await seedChannel(sql, channel.projectId) };
  await Promise.all(
    [here, there, here, there].map((place, index) =>
      receiveEvents(context, place, [
        written({ externalId: `someone-${index}`, phone: '+1 201 555 0123' }, `m${index}`),
      ]),
    ),
  );
  const [profile, ...others] = await profiles();
  assert.deepEqual([profile?.phone_number, others.length], ['+12015550123', 0]);
  assert.equal((await chats()).length, 4);
});

test('a phone number that becomes known later is added to the profile', async () => {
  await receive(written(ann, 'm1'));
  const [received] = await receive(written({ ...ann, phone: '+12015550123' }, 'm2'));
  const all = await profiles();
  assert.deepEqual(
    all.map(({ id, phone_number }) => [id, phone_number]),
    [[received?.profileUuid, '+12015550123']],
  );
  assert.equal((await chats())[0]?.phone, '+12015550123');
});

test('a chat whose phone number becomes known joins the profile that has it, and the event names that profile', async () => {
  const [owner] = await receive(written({ externalId: 'ann-at-work', phone: '+12015550123' }, 'm1'));
  await receive(written(ann, 'm2'));
  const [received] = await receive(written({ ...ann, phone: '12015550123' }, 'm3'));
  assert.equal(received?.profileUuid, owner?.profileUuid);
  const payload = (await announced(sql, endpointId)).at(-1)?.[1];
  assert.deepEqual(payload?.profile, { uuid: owner?.profileUuid });
  const withPhone = (await profiles()).filter(({ phone_number }) => phone_number !== null);
  assert.equal(withPhone.length, 1);
});

test('chats that learn one phone number concurrently end in one profile', async () => {
  for (let round = 0; round < 10; round += 1) {
    const phone = `+120155501${10 + round}`;
    const people = Array.from({ length: 8 }, (_, index) => `${round}-${index}`);
    for (const externalId of people) await receive(written({ externalId }, `first-${externalId}`));
    const answers = await Promise.all(
      people.map((externalId) => receive(written({ externalId, phone }, `second-${externalId}`))),
    );
    assert.equal(new Set(answers.map((answer) => answer[0]?.profileUuid)).size, 1);
  }
});

test('an invalid phone number is ignored', async () => {
  await receive(written({ ...ann, phone: 'ask me' }, 'm1'));
  assert.deepEqual([(await chats())[0]?.phone, (await profiles())[0]?.phone_number], [null, null]);
});

test('a project with automatic sessions opens one session, and announces it before the message', async () => {
  await moveIn(await seedProject(sql, { opensSessionOnMessage: true }));
  await Promise.all([receive(written(ann, 'm1')), receive(written(ann, 'm2'))]);
  const events = await announced(sql, endpointId);
  assert.deepEqual(
    events.map(([type]) => type),
    ['session_updated', 'message_created', 'message_created'],
  );
  for (const [, { session }] of events) assert.deepEqual(session, { title: '', context: {}, team: null });
});

test('a client who stopped is silent until they write again', async () => {
  await receive(written(ann, 'm1'));
  await receive({ kind: 'stopped', chat: { externalId: 'ann' } });
  assert.deepEqual((await chats())[0]?.stopped_at, noon);
  await receive(written(ann, 'm1'));
  assert.deepEqual(
    (await chats())[0]?.stopped_at,
    noon,
    'an old message that comes once more is no new word',
  );
  clock.advance(60_000);
  await receive(written({ externalId: 'ann' }, 'm2'));
  const [chat] = await chats();
  assert.deepEqual([chat?.stopped_at, chat?.last_active_at, chat?.name], [null, later, 'Ann']);
});

test('a client who allows messages again is reachable, without a message or a session', async () => {
  await moveIn(await seedProject(sql, { opensSessionOnMessage: true }));
  await receive(written(ann, 'm1'), { kind: 'stopped', chat: ann });
  const before = await announced(sql, endpointId);
  clock.advance(60_000);
  assert.deepEqual(await receive({ kind: 'returned', chat: ann }, { kind: 'returned', chat: ann }), [
    null,
    null,
  ]);
  const [chat] = await chats();
  assert.deepEqual([chat?.stopped_at, chat?.last_active_at], [null, noon]);
  assert.equal((await messages()).length, 1);
  assert.deepEqual(await announced(sql, endpointId), before);
});

test('a return is for one channel’s client only, and opens no chat', async () => {
  const first = channel;
  await receive(written(ann, 'm1'), { kind: 'stopped', chat: ann });
  channel = { ...first, id: await seedChannel(sql, first.projectId) };
  await receive({ kind: 'returned', chat: ann });
  const rows = await sql`
    select channel_id, stopped_at from chats where project_id = ${first.projectId} order by channel_id`;
  assert.deepEqual([...rows], [{ channel_id: first.id, stopped_at: noon }]);
});

test('a client who unsubscribed and then unblocks us stays unsubscribed', async () => {
  await receive(written(ann, 'm1'), { kind: 'stopped', chat: ann });
  await sql`update chats set unsubscribed_at = ${noon} where channel_id = ${channel.id}`;
  await receive({ kind: 'returned', chat: ann });
  const rows = await sql`select stopped_at, unsubscribed_at from chats where channel_id = ${channel.id}`;
  assert.deepEqual([...rows], [{ stopped_at: null, unsubscribed_at: noon }]);
});

test('a stop is for one channel’s client, and counts from its first report', async () => {
  const first = channel;
  await receive(written(ann, 'm1'));
  channel = { ...first, id: await seedChannel(sql, first.projectId) };
  await receive(written(ann, 'm1'), { kind: 'stopped', chat: ann });
  clock.advance(60_000);
  await receive({ kind: 'stopped', chat: ann });
  const rows = await sql`
    select channel_id, stopped_at from chats where project_id = ${first.projectId} order by channel_id`;
  assert.deepEqual(
    [...rows],
    [
      { channel_id: first.id, stopped_at: null },
      { channel_id: channel.id, stopped_at: noon },
    ],
  );
});

test('a closed session is not in the events', async () => {
  await receive(written(ann, 'm1'));
  const [chat] = await chats();
  await sql`
    insert into sessions (project_id, id, chat_id, title, context, opened_at, closed_at)
    values (${channel.projectId}, ${context.newId()}, ${chat?.id}, 'Delivery', '{}', ${noon}, ${noon})`;
  await receive(written(ann, 'm2'));
  const told = (await announced(sql, endpointId)).at(-1);
  assert.deepEqual([told?.[0], told?.[1].session], ['message_created', null]);
});

test('a stop of an unknown client is no error', async () => {
  assert.deepEqual(await receive({ kind: 'stopped', chat: { externalId: 'nobody' } }), [null]);
});

test('characters that the database refuses are dropped, and the message is stored', async () => {
  await receive(written({ externalId: 'a\0nn', name: 'A\ud800nn' }, 'm\0', 'one\0two'));
  const [chat] = await chats();
  assert.deepEqual([chat?.external_id, chat?.name], ['ann', 'A\ufffdnn']);
  assert.deepEqual((await messages())[0]?.content, { text: 'onetwo' });
});

test('a name that is too long for its index is cut, and the message is stored', async () => {
  const long = randomBytes(10_000).toString('base64url');
  await receive(written({ externalId: 'ann', name: long, username: long }, 'm1'));
  const [chat] = await chats();
  assert.deepEqual([chat?.name, chat?.username], [long.slice(0, 255), long.slice(0, 255)]);
  assert.equal((await messages()).length, 1);
});

test('a name is stored in one line without changes of direction, and a text keeps both', async () => {
  const name = '\u202eAnn\r\nBcc: a@b.test\u2028\u0007👩‍🚀\u2067';
  await receive(written({ externalId: 'ann', name, username: 'ann\nlee' }, 'm1', 'one\n\u202etwo'));
  const [chat] = await chats();
  assert.deepEqual([chat?.name, chat?.username], ['Ann Bcc: a@b.test 👩‍🚀', 'ann lee']);
  assert.equal((await profiles())[0]?.name, 'Ann Bcc: a@b.test 👩‍🚀');
  assert.deepEqual((await messages())[0]?.content, { text: 'one\n\u202etwo' });
});

test('no length of an id or a text keeps a message from being stored, once', async () => {
  const long = randomBytes(10_000).toString('base64url');
  const who = { externalId: `${long}1`, phone: long };
  for (const text of ['x'.repeat(200_000), 'again']) await receive(written(who, `${long}a`, text));
  await receive(written({ ...who, externalId: `${long}2` }, `${long}b`), {
    kind: 'receipt',
    message: { providerId: long },
    state: 'read',
    detail: long,
  });
  assert.equal((await chats()).length, 2);
  const [first, second, ...others] = await messages();
  assert.deepEqual([first?.content.text, second?.content.text], ['x'.repeat(65_536), 'hello']);
  assert.equal(others.length, 0);
});

test('a file that cannot be kept does not keep back its message', async () => {
  const file = { bytes: Buffer.alloc(0), name: `${'x'.repeat(199)}😀` };
  const [event] = [written(ann, 'm1')];
  assert.ok(event?.kind === 'message');
  await receive({ ...event, message: { ...event.message, type: 'document', text: null, file } });
  const full = { ...context, config: { ...context.config, projectStorageBytes: 1 } };
  const large = { ...event.message, externalId: 'm2', file: { bytes: Buffer.from('abc') } };
  await receiveEvents(full, channel, [{ ...event, message: large }]);
  for (const { content } of await messages()) assert.match(content.url, /^https:\/\/patchbay\.test\/files\//);
  assert.equal((await messages()).length, 2);
});

test('a batch is answered in order', async () => {
  const answers = await receive(
    written(ann, 'm1'),
    { kind: 'stopped', chat: { externalId: 'ann' } },
    { kind: 'receipt', message: { providerId: 'unknown' }, state: 'read', detail: '' },
    {
      kind: 'message',
      chat: ann,
      message: { externalId: 'm2', type: 'button', text: 'Yes', url: null, payload: 'y' },
    },
  );
  assert.deepEqual(
    answers.map((answer) => answer !== null),
    [true, false, false, true],
  );
  assert.deepEqual((await messages())[1]?.content, { text: 'Yes', payload: 'y' });
});

test('projects share nothing, even if clients and messages have the same ids', async () => {
  const [here] = await receive(written({ ...ann, phone: '+12015550123' }, 'm1'));
  await moveIn(await seedProject(sql));
  const [there] = await receive(written({ ...ann, phone: '+12015550123' }, 'm1'));
  assert.notEqual(here?.profileUuid, there?.profileUuid);
  assert.equal((await profiles()).length, 1);
});

/** A client with this address writes to two channels of a messenger. The profiles of the chats. */
async function profilesOnTwo(platform: 'Email' | 'API_Messenger', externalId: string): Promise<string[]> {
  const { projectId } = channel;
  for (const messageId of ['m1', 'm2']) {
    channel = { projectId, id: await seedChannel(sql, projectId, platform), platform, name: platform };
    await receive(written({ externalId }, messageId));
  }
  return (await chats()).map(({ profile_id }) => profile_id);
}

test('one mail address is one client in every channel, and a name in two other messengers is two', async () => {
  const [first, ...others] = await profilesOnTwo('Email', 'ann@shop.test');
  assert.deepEqual(others, [first]);
  assert.equal((await profiles()).length, 1);
  await moveIn(await seedProject(sql));
  assert.equal(new Set(await profilesOnTwo('API_Messenger', 'ann')).size, 2);
});
