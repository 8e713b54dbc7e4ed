import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../../test/seed.ts';
import type { Context } from '../../platform/context.ts';
import { markRead } from './read-marks-store.ts';
import { type Reply, replyToClient } from './reply.ts';
import { giveSession, openSession } from './sessions.ts';
import { closeSession, handSession } from './sessions-store.ts';
import { type ChatRow, findChat } from './store.ts';

const { sql } = await testDatabase({ after });
const plain = testContext({ sql }, manualClock());
const olga = { uuid: plain.newId(), name: 'Olga' };
const ivan = { uuid: plain.newId(), name: 'Ivan' };

let topics: string[];
let context: Context;
let chat: ChatRow;

beforeEach(async () => {
  topics = [];
  context = { ...plain, wake: { ...plain.wake, wake: (topic) => void topics.push(topic) } };
  const projectId = await seedProject(sql);
  const id = await seedChat(sql, projectId, { channelId: await seedChannel(sql, projectId) });
  const found = await findChat(sql, projectId, id);
  assert.ok(found);
  chat = found;
});

const toIvan = (fromAnyone: boolean) => ({ to: ivan, author: ivan, fromAnyone });

const hand = (sessionId: string, to = ivan) =>
  handSession(
    sql,
    {
      projectId: chat.project_id,
      sessionId,
      to,
      author: to,
      fromAnyone: true,
      step: { id: context.newId(), kind: 'taken' },
      now: noon,
    },
    {},
  );

test('a session that is held by a name only is taken by operators with the right to take it, and not by an answer', async () => {
  await openSession(context, chat, { operator: { uuid: null, name: 'Bot of the CRM' } }, noon);
  const left = await giveSession(context, chat, toIvan(false), noon);
  assert.deepEqual([left.operator_id, left.operator_name], [null, 'Bot of the CRM']);
  const taken = await giveSession(context, chat, toIvan(true), noon);
  assert.deepEqual([taken.operator_id, taken.operator_name], [ivan.uuid, 'Ivan']);
});

test('an unassigned session goes to the operator who answers', async () => {
  await openSession(context, chat, {}, noon);
  assert.equal((await giveSession(context, chat, toIvan(false), noon)).operator_id, ivan.uuid);
});

test('a session that is closed, or theirs already, is not handed over', async () => {
  const { id } = await openSession(context, chat, { operator: olga }, noon);
  assert.equal(await hand(id, olga), false);
  assert.equal(await hand(id, ivan), true);
  const place = { projectId: chat.project_id, chatId: chat.id, stepId: context.newId() };
  await closeSession(sql, place, { category: null, theme: null }, ivan, noon);
  assert.equal(await hand(id, olga), false);
});

test("a read mark never stands beyond the client's last message", async () => {
  const [first, heard, ahead] = [context.newId(), context.newId(), 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
  const readTo = async () => (await sql`select read_id from chats where id = ${chat.id}`)[0]?.read_id;
  await sql`update chats set heard_id = ${heard}, read_id = ${first} where id = ${chat.id}`;
  await markRead(sql, chat, ahead);
  assert.equal(await readTo(), heard);
  await markRead(sql, chat, first);
  assert.equal(await readTo(), heard);
});

test('an answer goes first, does not wait for the session’s end, and wakes the sending and the events', async () => {
  const session = await openSession(context, chat, { operator: olga }, noon);
  topics = [];
  const reply: Reply = {
    id: context.newId(),
    content: { text: 'Hello' },
    source: 'operator',
    type: 'text',
    operator: { ...olga, avatar: null },
    applicationId: null,
    seen: null,
  };
  assert.equal(await replyToClient(context, chat, session, reply), true);
  assert.deepEqual(topics, ['sending', 'webhooks', 'live']);
  const [row] = await sql`select lane, is_force, due_at from messages where id = ${reply.id}`;
  assert.deepEqual(row, { lane: 0, is_force: true, due_at: noon });
});
