import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../../test/seed.ts';
import { countRows } from '../../platform/database/row-counts.ts';
import { uuidv7 } from '../../platform/id.ts';
import { type NewMessage, queueMessages } from '../messages/queue-store.ts';

const { sql } = await testDatabase({ after });
const later = new Date(noon.getTime() + 60_000);
let projectId: string;
let channelId: string;
let chatId: string;

beforeEach(async () => {
  projectId = await seedProject(sql);
  channelId = await seedChannel(sql, projectId);
  chatId = await seedChat(sql, projectId, { channelId });
});

const message = (change: Partial<NewMessage> = {}): NewMessage => ({
  id: uuidv7(noon),
  project_id: projectId,
  chat_id: chatId,
  channel_id: channelId,
  source: 'push',
  content_type: 'TEXT',
  content: { text: 'hello' },
  is_force: false,
  created_at: noon,
  lane: 0,
  due_at: noon,
  state: 'PENDING',
  ...change,
});

test('every field of a message is stored in its column', async () => {
  const id = uuidv7(noon);
  const full = message({
    source: 'stream',
    content: { text: 'quo"te', get_params: { a: [1, null] } },
    application_id: id,
    author_id: id,
    author_name: 'Olga',
    session_id: id,
    external_id: 'crm-1',
    campaign_id: id,
    campaign_name: 'Sale',
    tag: 'news',
    is_force: true,
    launch_at: later,
    lane: 1,
    due_at: later,
    state: 'UNDELIVERED',
    state_detail: 'Chat not found.',
  });
  await queueMessages(sql, [full]);
  const [row] = await sql`select * from messages where id = ${full.id}`;
  assert.partialDeepStrictEqual({ ...row }, full);
  assert.partialDeepStrictEqual({ ...row }, { direction: 'out', attempts: 0, lease: null, sent_at: null });
});

test('many messages are queued together, or none', async () => {
  await queueMessages(
    sql,
    Array.from({ length: 100 }, () => message()),
  );
  const foreign = await seedProject(sql);
  await assert.rejects(queueMessages(sql, [message(), message({ project_id: foreign })]), /foreign key/);
  await queueMessages(sql, []);
  const [row] = await sql`select count(*) from messages where chat_id = ${chatId}`;
  assert.equal(row?.count, 100);
});

test('only pushes and tasks of the stream are counted, together', async () => {
  await queueMessages(sql, [message(), message({ source: 'stream' }), message({ source: 'operator' })]);
  assert.equal(await countRows(sql, projectId, 'messages', 'push'), 2);
});
