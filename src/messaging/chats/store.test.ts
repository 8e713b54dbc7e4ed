import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../../test/seed.ts';
import { uuidv7 } from '../../platform/id.ts';
import { loadFacts } from './facts-store.ts';
import { addVariables, findChat } from './store.ts';

const { sql } = await testDatabase({ after });

test('variables are added to the chat and to its open session, and to no closed session', async () => {
  const projectId = await seedProject(sql);
  const id = await seedChat(sql, projectId, { channelId: await seedChannel(sql, projectId) });
  for (const closedAt of [noon, null]) {
    await sql`
      insert into sessions (project_id, id, chat_id, title, context, opened_at, closed_at)
      values (${projectId}, ${uuidv7(noon)}, ${id}, '', '{"order": 1}', ${noon}, ${closedAt})`;
  }
  const chat = await findChat(sql, projectId, id);
  assert.ok(chat);
  assert.deepEqual((await addVariables(sql, chat, { city: 'Oslo' })).variables, { city: 'Oslo' });
  const rows = await sql`select context from sessions where chat_id = ${id} order by closed_at nulls last`;
  assert.deepEqual([...rows], [{ context: { order: 1 } }, { context: { order: 1, city: 'Oslo' } }]);
});

test('the facts of a chat are those of its own profile', async () => {
  const projectId = await seedProject(sql);
  const channelId = await seedChannel(sql, projectId);
  const chats = [];
  for (let n = 0; n < 3; n += 1) chats.push(await seedChat(sql, projectId, { channelId }));
  const rows = await sql<{ id: string; profile_id: string }[]>`
    select id, profile_id from chats where project_id = ${projectId}`;
  const facts = await loadFacts(sql, projectId, chats);
  assert.equal(facts.size, 3);
  for (const { id, profile_id } of rows) {
    assert.deepEqual([facts.get(id)?.chat.uuid, facts.get(id)?.profile.uuid], [id, profile_id]);
  }
});
