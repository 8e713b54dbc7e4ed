import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { seedMailing } from '../../../test/mailing.ts';
import {
  announced,
  noon,
  seedApplication,
  seedChannel,
  seedChat,
  seedEndpoint,
  seedMessage,
  seedProject,
} from '../../../test/seed.ts';
import { pauseRefusedChannel } from '../../channels/connected/store.ts';
import { outboxRow } from '../../events/outbox.ts';
import { uuidv7 } from '../../platform/id.ts';
import { claimMessages } from './claim.ts';
import { learn } from './learn.ts';
import { type RecordedMessage, recordMessages, renewLeases } from './store.ts';

const { sql } = await testDatabase({ after });
const lease = uuidv7(noon);
const later = (ms: number) => new Date(noon.getTime() + ms);

let projectId: string;
let channelId: string;

beforeEach(async () => {
  projectId = await seedProject(sql);
  channelId = await seedChannel(sql, projectId);
});

const addPace = () => sql`
  insert into channel_pace (project_id, channel_id, tokens_at, resume_at, window_at)
  values (${projectId}, ${channelId}, ${noon}, ${noon}, ${noon})`;

/** A message whose third call is running. */
async function claimed(): Promise<string> {
  const chatId = await seedChat(sql, projectId, { channelId });
  const id = await seedMessage(sql, projectId, { chatId, channelId, state: 'IN_PROCESS', lease });
  await sql`update messages set attempts = 3, due_at = ${noon}, leased_until = ${later(20_000)} where id = ${id}`;
  return id;
}

const record = (id: string, result: Partial<RecordedMessage>) =>
  recordMessages(
    sql,
    [
      {
        project_id: projectId,
        id,
        lease,
        state: 'PENDING',
        due_at: noon.toISOString(),
        ...result,
      },
    ],
    [],
    noon,
  );

const updated = (id: string, held: string) =>
  outboxRow(
    { type: 'message_updated', projectId, chatId: id, platform: null, payload: { lease: held } },
    uuidv7(noon),
    noon,
    { message_id: id, lease: held },
  );

test('a result whose lease was lost announces nothing beside the result that replaced it', async () => {
  const endpointId = await seedEndpoint(sql, projectId, await seedApplication(sql));
  const id = await claimed();
  const leases = [uuidv7(noon), lease];
  const results = leases.map((held) => ({
    project_id: projectId,
    id,
    lease: held,
    state: 'SENT' as const,
    due_at: noon.toISOString(),
  }));
  await recordMessages(
    sql,
    results,
    leases.map((held) => updated(id, held)),
    noon,
  );
  assert.deepEqual(await announced(sql, endpointId), [['message_updated', { lease }]]);
});

const message = async (id: string) =>
  (await sql`select state, attempts, due_at, lease, leased_until from messages where id = ${id}`)[0];

test('a rate limit is no attempt, and the next call is made when it is allowed', async () => {
  const id = await claimed();
  await record(id, { uncount: 1, due_at: later(60_000).toISOString() });
  assert.deepEqual(await message(id), {
    state: 'PENDING',
    attempts: 2,
    due_at: later(60_000),
    lease: null,
    leased_until: null,
  });
});

test('a suspect that got a result returns to the regular lane', async () => {
  const id = await claimed();
  await sql`update messages set lane = 2, interruptions = 5 where id = ${id}`;
  await record(id, { due_at: later(60_000).toISOString() });
  const [row] = await sql`select lane, interruptions from messages where id = ${id}`;
  assert.deepEqual(row, { lane: 1, interruptions: 0 });
});

test('patience with a provider begins anew after quiet hours', async () => {
  const id = await claimed();
  await sql`update messages set launch_at = ${noon} where id = ${id}`;
  await record(id, { due_at: later(1_000).toISOString() });
  const launch = async () => (await sql`select launch_at from messages where id = ${id}`)[0]?.launch_at;
  assert.deepEqual(await launch(), noon);
  const mailing = await seedMailing(sql, projectId);
  await sql`
    update messages set state = 'IN_PROCESS', lease = ${lease}, source = 'mailing', mailing_id = ${mailing},
      mailing_run = 1
    where id = ${id}`;
  const morning = later(43_200_000).toISOString();
  await record(id, { due_at: morning, quiet_until: morning });
  assert.equal(await launch(), null);
  const waits = await sql`select until, messages from mailing_waits where mailing_id = ${mailing}`;
  assert.deepEqual([...waits], [{ until: new Date(morning), messages: 1 }]);
});

test('a result with a lost lease changes nothing', async () => {
  const id = await claimed();
  const before = await message(id);
  await record(id, { lease: uuidv7(noon), state: 'SENT' });
  assert.deepEqual(await message(id), before);
});

test('only the lease holder renews its lease', async () => {
  const id = await claimed();
  const renew = (holder: string) =>
    renewLeases(sql, [{ project_id: projectId, id, lease: holder }], later(25_000));
  assert.deepEqual(await renew(uuidv7(noon)), []);
  assert.deepEqual((await message(id))?.leased_until, later(20_000));
  assert.deepEqual(await renew(lease), [{ position: 0 }]);
  assert.deepEqual((await message(id))?.leased_until, later(25_000));
});

test('of several pauses of a channel the longest counts', async () => {
  await addPace();
  for (const pauseMs of [60_000, 1_000]) {
    await learn(sql, channelId, [{ chatId: uuidv7(noon), pauseMs, scope: 'channel' }], new Set(), noon);
  }
  const [pace] = await sql`select resume_at from channel_pace where channel_id = ${channelId}`;
  assert.deepEqual(pace, { resume_at: later(60_000) });
});

test('a paused channel keeps its reason', async () => {
  await pauseRefusedChannel(sql, channelId, 'The first reason.');
  await pauseRefusedChannel(sql, channelId, 'Another one.');
  const [channel] = await sql`select state, state_detail from channels where id = ${channelId}`;
  assert.deepEqual(channel, { state: 'paused', state_detail: 'The first reason.' });
});

test('in each lane the longest waiting message is claimed first, whatever sessions its chat has had', async () => {
  await addPace();
  for (const lane of [0, 1]) {
    const waiting: string[] = [];
    for (const ms of [-1_000, -3_000, -2_000]) {
      const chatId = await seedChat(sql, projectId, { channelId });
      await sql`
        insert into sessions (project_id, id, chat_id, title, context, opened_at, closed_at)
        values (${projectId}, ${uuidv7(noon)}, ${chatId}, '', '{}', ${noon}, ${noon})`;
      const id = await seedMessage(sql, projectId, { chatId, channelId, state: 'PENDING' });
      await sql`update messages set lane = ${lane}, due_at = ${later(ms)} where id = ${id}`;
      waiting.push(id);
    }
    const claimed = [];
    const claim = { lease, now: noon, leaseUntil: later(20_000) };
    for (const _ of waiting) claimed.push(...(await claimMessages(sql, [{ channelId, free: 1 }], claim)));
    assert.deepEqual(
      claimed.map(({ id, session }) => [id, session]),
      [waiting[1], waiting[2], waiting[0]].map((id) => [id, null]),
    );
  }
});
