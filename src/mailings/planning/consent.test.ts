import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  everybody,
  planAll,
  problemsOf,
  recipientsOf,
  seedClients,
  seedMailing,
  startScene,
} from '../../../test/planning-scene.ts';
import { seedChannel, seedChat } from '../../../test/seed.ts';
import { standingOf } from '../../clients/consent/standing-store.ts';
import { insertTopic } from '../../clients/consent/topics-store.ts';
import { leaveTopic } from '../../messaging/chats/unsubscribe-store.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });

async function topic(projectId: string, name = 'Sales'): Promise<string> {
  const id = context.newId();
  await insertTopic(
    sql,
    projectId,
    { id, name, description: '', words: [], cap_messages: null, cap_days: null },
    clock.now(),
  );
  return id;
}

async function planned(projectId: string, topicId: string | null, seed: object = {}): Promise<string> {
  const id = await seedMailing(context, projectId, { filter_chats: everybody, ...seed });
  await sql`update mailings set topic_id = ${topicId} where id = ${id}`;
  await planAll(context);
  return id;
}

const suppress = (projectId: string, address: string, platform = '') => sql`
  insert into suppressions (project_id, id, address, platform, added_at, way)
  values (${projectId}, ${context.newId()}, ${address}, ${platform}, ${clock.now()}, 'operator')`;

test('a mailing about a topic is planned for all but those who left it, in any chat', async () => {
  const { project, channel, profiles, chats } = await seedClients(sql, 3);
  const [sales, news] = [await topic(project), await topic(project, 'News')];
  const [ann = '', bob = '', eve = ''] = profiles;
  const leaving = { topicId: sales, way: 'word' as const, now: clock.now() };
  await leaveTopic(sql, { projectId: project, chatId: chats[0] ?? '' }, leaving);
  const other = await seedChat(sql, project, { channelId: channel, profileId: bob });
  await leaveTopic(sql, { projectId: project, chatId: other }, leaving);
  assert.deepEqual(await recipientsOf(context, await planned(project, sales)), [eve]);
  assert.deepEqual(await recipientsOf(context, await planned(project, news)), [ann, bob, eve]);
  assert.deepEqual(await recipientsOf(context, await planned(project, null)), [ann, bob, eve]);
  const list = await planned(project, sales, { filter_chats: undefined, field: 'UUID', array: profiles });
  const reason = 'The client has left the topic of the mailing.';
  assert.deepEqual(await problemsOf(context, list), [
    [1, ann, reason],
    [2, bob, reason],
  ]);
});

test('nobody leaves a topic of another project', async () => {
  const { project, chats } = await seedClients(sql, 1);
  const theirs = await topic((await seedClients(sql, 0)).project);
  const chat = { projectId: project, chatId: chats[0] ?? '' };
  await leaveTopic(sql, chat, { topicId: theirs, way: 'link', now: clock.now() });
  const [row] = await sql`select left_topics from chats where id = ${chat.chatId}`;
  assert.equal(row?.left_topics, null);
});

test('a client with an address on the list is planned nowhere, whichever chat has it', async () => {
  const { project, channel, profiles, chats } = await seedClients(sql, 8);
  const [byNumber, byEmail, byChat, byOtherChat, byChatsNumber, otherPlatform, none, mailed] = profiles;
  const second = await seedChannel(sql, project, 'Email');
  await sql`update profiles set email = 'Ann@Shop.example' where id = ${byEmail ?? ''}`;
  const other = { channelId: channel, profileId: byOtherChat ?? '', external_id: 'second' };
  await seedChat(sql, project, other);
  await sql`update chats set phone = '+79990000001' where profile_id = ${byChatsNumber ?? ''}`;
  const inMail = { channelId: second, profileId: mailed ?? '', external_id: 'bob@shop.example' };
  await seedChat(sql, project, { ...inMail, platform: 'Email' });
  await suppress(project, '+15550001000');
  await suppress(project, 'ann@shop.example');
  await suppress(project, 'bob@shop.example');
  await suppress(project, chats[2] ?? '', 'API_Messenger');
  await suppress(project, 'second', 'API_Messenger');
  await suppress(project, '+79990000001');
  await suppress(project, chats[5] ?? '', 'Telegram');
  assert.deepEqual(
    await recipientsOf(context, await planned(project, null)),
    [otherPlatform, none].toSorted(),
  );
  const array = [byNumber ?? '', byChat ?? '', none ?? ''];
  const list = await planned(project, null, { filter_chats: undefined, field: 'UUID', array });
  const reason = 'An address of the client is on the suppression list.';
  assert.deepEqual(await problemsOf(context, list), [
    [1, byNumber, reason],
    [2, byChat, reason],
  ]);
  const { listed } = await standingOf(sql, { projectId: project, profileId: byEmail ?? '' });
  assert.deepEqual(listed, ['ann@shop.example']);
});

test('the list of one project does not keep the clients of another', async () => {
  const [own, theirs] = [await seedClients(sql, 1), await seedClients(sql, 1)];
  await suppress(theirs.project, '+15550001000');
  await suppress(own.project, '+15559999999');
  assert.equal((await recipientsOf(context, await planned(own.project, null))).length, 1);
  assert.equal((await recipientsOf(context, await planned(theirs.project, null))).length, 0);
});
