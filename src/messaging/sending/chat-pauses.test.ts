import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { until } from '../../../test/faults/until.ts';
import { startPatchbay } from '../../../test/harness.ts';
import { seedChannel, seedChat, seedMessage, seedProfile, seedProject } from '../../../test/seed.ts';
import { addChannel } from '../../channels/connected/channels.ts';
import { startTelegram } from '../../simulator/telegram/provider.ts';
import { queueMessages } from '../messages/queue-store.ts';
import { chatPacing } from './chat-pauses.ts';

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
  const pausesOf = chatPacing(context);
  const began = clock.now().getTime();
  const queued: { id: string; project_id: string; chat_id: string }[] = [];
  for (const _ of Array(4)) {
    queued.push({
      id: await seedMessage(sql, projectId, { chatId: cleo, channelId: idle }),
      project_id: projectId,
      chat_id: cleo,
    });
  }
  const waits = async (ms: number, places: number[]) => {
    clock.advance(began + ms - clock.now().getTime());
    const claimed = places.flatMap((place) => queued[place] ?? []);
    const found = await pausesOf(1_000, claimed);
    return claimed.map(({ id }) => found.get(id));
  };
  assert.deepEqual(await waits(0, [0]), [0]);
  // The call took a while: the next one does not wait for that, too.
  const sentAt = new Date(began + 300);
  await sql`update messages set state = 'SENT', sent_at = ${sentAt} where id = ${queued[0]?.id ?? ''}`;
  assert.deepEqual(await waits(400, [1]), [600]);
  assert.deepEqual(await waits(450, [2]), [1_550]);
  assert.deepEqual(await waits(1_000, [1]), [0]);
  assert.deepEqual(await waits(1_100, [3]), [1_900]);
  assert.deepEqual(await waits(2_000, [2]), [0]);
  assert.deepEqual(await waits(3_000, [3]), [0]);
});
