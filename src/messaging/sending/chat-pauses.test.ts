import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { until } from '../../../test/faults/until.ts';
import { startPatchbay } from '../../../test/harness.ts';
import { seedChannel, seedChat, seedMessage, seedProfile, seedProject } from '../../../test/seed.ts';
import { addChannel } from '../../channels/connected/channels.ts';
import { startTelegram } from '../../simulator/telegram/provider.ts';
import { queueMessages } from '../messages/queue-store.ts';
import { type ChatPauses, chatPacing } from './chat-pauses.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { context } = patchbay;
const { sql } = context;
const telegram = await startTelegram({ after });
const projectId = await seedProject(sql);
const { id: channelId } = await addChannel(context, {
  projectId,
  platform: 'Telegram',
  name: 'Bot',
  settings: { bot_token: '1:pauses', api_root: telegram.root },
});

async function chatAt(external_id: string): Promise<string> {
  const profileId = await seedProfile(sql, projectId);
  return seedChat(sql, projectId, { channelId, platform: 'Telegram', external_id, profileId });
}

async function queue(chats: readonly string[]): Promise<void> {
  const now = clock.now();
  await queueMessages(
    sql,
    chats.map((chat_id, place) => ({
      id: context.newId(),
      project_id: projectId,
      chat_id,
      channel_id: channelId,
      source: 'push' as const,
      content_type: 'TEXT',
      content: { text: `Text ${place}` },
      is_force: false,
      created_at: now,
      lane: 0 as const,
      due_at: now,
      state: 'PENDING' as const,
    })),
  );
  context.wake.wake('sending');
}

const countOf = async (state: string) =>
  (await sql`select id from messages where channel_id = ${channelId} and state = ${state}`).length;
/** The due times of the postponed messages. */
async function dueOf(state: string): Promise<Date[]> {
  const rows = await sql<{ due_at: Date }[]>`
    select due_at from messages where channel_id = ${channelId} and state = ${state} and due_at > ${clock.now()}`;
  return rows.map(({ due_at }) => due_at);
}

const sent = () => telegram.calls.filter(({ method }) => method === 'sendMessage').length;

test('messages of one chat keep the messenger’s pause, and other chats do not wait', async () => {
  const [ann, bob] = [await chatAt('1'), await chatAt('2')];
  // The channel's own pace allows three at once by then.
  clock.advance(1_000);
  await queue([ann, ann, bob]);
  await until(async () => (await countOf('SENT')) === 2 && (await countOf('PENDING')) === 1);
  assert.equal(sent(), 2);
  clock.advance(999);
  await queue([ann]);
  await until(async () => (await dueOf('PENDING')).length === 2);
  assert.equal(sent(), 2);
  for (const total of [3, 4]) {
    clock.advance(1_001);
    context.wake.wake('sending');
    await until(async () => (await countOf('SENT')) === total && (await countOf('IN_PROCESS')) === 0);
    assert.equal(sent(), total);
  }
});

test('messages of one chat keep their order, whenever they are claimed, from call to call', async () => {
  const cleo = await chatAt('3');
  const idle = await seedChannel(sql, projectId);
  clock.advance(60_000);
  const began = clock.now().getTime();
  const queued = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const id = await seedMessage(sql, projectId, { chatId: cleo, channelId: idle, state: 'PENDING' });
      await sql`update messages set created_at = ${new Date(began)}, due_at = ${new Date(began)} where id = ${id}`;
      return { id, project_id: projectId, chat_id: cleo, created_at: new Date(began), launch_at: null };
    }),
  );
  queued.sort((one, other) => (one.id < other.id ? -1 : 1));
  const [ours, theirs] = [chatPacing(context), chatPacing(context)];
  const waits = async (pausesOf: ChatPauses, ms: number, ...places: number[]) => {
    clock.advance(began + ms - clock.now().getTime());
    const claimed = places.flatMap((place) => queued[place] ?? []);
    const found = await pausesOf(1_000, claimed);
    return claimed.map(({ id }) => found.get(id));
  };
  const isSent = async (place: number, ms: number) => {
    for (const state of ['IN_PROCESS', 'SENT']) {
      await sql`
        update messages set state = ${state}, sent_at = ${new Date(began + ms)} where id = ${queued[place]?.id ?? ''}`;
    }
  };
  // Of several only the first begins.
  assert.deepEqual(await waits(ours, 0, 0, 1), [0, 1_000]);
  // The call took a while: the next one does not wait for that, too.
  await isSent(0, 300);
  assert.deepEqual(await waits(ours, 400, 1), [600]);
  // Another process reads what the first one has not recorded yet from the messages.
  assert.deepEqual(await waits(theirs, 450, 3), [2_850]);
  assert.deepEqual(await waits(ours, 450, 2), [1_550]);
  assert.deepEqual(await waits(ours, 1_000, 1), [0]);
  await isSent(1, 1_300);
  assert.deepEqual(await waits(theirs, 2_250, 2), [0]);
  await isSent(2, 2_300);
  // One that does not go holds up the next for sixty pauses.
  assert.deepEqual(await waits(ours, 6_000, 4), [1_000]);
  assert.deepEqual(await waits(ours, 61_900, 4), [0]);
  // One that is tried again later, or waits for the morning, holds up nothing.
  for (const [attempts, ms] of [
    [1, 60_000],
    [0, 3_600_000],
  ] as const) {
    const dueAt = new Date(began + ms);
    await sql`update messages set attempts = ${attempts}, due_at = ${dueAt} where id = ${queued[3]?.id ?? ''}`;
    assert.deepEqual(await waits(chatPacing(context), 6_000, 4), [0]);
  }
});
