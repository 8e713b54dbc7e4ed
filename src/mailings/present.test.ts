import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { seedMailing, seedMailingMessages } from '../../test/mailing.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../test/seed.ts';
import { findContent } from './content-store.ts';
import { durationOf, presentMailing } from './present.ts';
import { findMailing } from './store.ts';

const { sql } = await testDatabase({ after });

const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000);

test('a duration has hours, minutes and seconds', () => {
  assert.equal(durationOf(0), '00:00:00');
  assert.equal(durationOf(59_999), '00:00:59');
  assert.equal(durationOf((1 * 3600 + 2 * 60 + 3) * 1000), '01:02:03');
  assert.equal(durationOf(100 * 3_600_000), '100:00:00');
});

test('a run lasts until its end, or until now', async () => {
  const projectId = await seedProject(sql);
  const id = await seedMailing(sql, projectId);
  const duration = async () => {
    const row = await findMailing(sql, projectId, id);
    return row && presentMailing(row, later(90)).duration;
  };
  assert.equal(await duration(), '00:01:30');
  await sql`update mailings set completed_at = ${later(60)} where id = ${id}`;
  assert.equal(await duration(), '00:01:00');
});

test('the statistics belong to one mailing only', async () => {
  const projectId = await seedProject(sql);
  const chat = await seedChat(sql, projectId, { channelId: await seedChannel(sql, projectId) });
  const telegram = await seedChannel(sql, projectId, 'Telegram');
  const other = await seedChat(sql, projectId, { channelId: telegram, platform: 'Telegram' });
  const [id, beside] = [await seedMailing(sql, projectId), await seedMailing(sql, projectId)];
  await seedMailingMessages(sql, projectId, id, [{ chat }]);
  await seedMailingMessages(sql, projectId, beside, [{ chat }, { chat: other }]);
  const row = await findMailing(sql, projectId, id);
  assert.equal(row?.statistics.count_planned, 1);
  assert.deepEqual(row?.statistics.count_platforms, { API_Messenger: 1 });
});

test('the content belongs to one mailing only', async () => {
  const projectId = await seedProject(sql);
  const [id, beside] = [
    await seedMailing(sql, projectId, { text: 'One' }),
    await seedMailing(sql, projectId, { text: 'Two' }),
  ];
  // The row is after the other one in the table.
  await sql`update mailings set name = 'Moved' where id = ${id}`;
  assert.equal((await findContent(sql, projectId, id, null))?.text, 'One');
  assert.equal((await findContent(sql, projectId, beside, null))?.text, 'Two');
});
