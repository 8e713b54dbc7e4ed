import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { startPatchbay } from '../../../test/harness.ts';
import { heldTimeouts } from '../../../test/held-timeouts.ts';
import { queueFile } from '../../../test/queue-file.ts';
import { seedChat } from '../../../test/seed.ts';
import { createProject } from '../../access/projects/projects.ts';
import { addChannel } from '../../channels/connected/channels.ts';
import { startHttpApi } from '../../simulator/http-api.ts';
import { startTelegram } from '../../simulator/telegram/provider.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { sql, wake } = patchbay.context;

/** The engine's deadline, independent of the adapters' own timeouts. */
const deadlineMs = 15_000;
const retryMs = 20_000;

type Row = { state: string; lease: string | null; due_at: Date; attempts: number };

const read = async (id: string): Promise<Row> => {
  const [row] = await sql<Row[]>`select state, lease, due_at, attempts from messages where id = ${id}`;
  assert.ok(row);
  return row;
};

async function queuePhoto(projectId: string, channelId: string): Promise<string> {
  const shop = await startHttpApi({ after }, () => ({ status: 200, body: 'picture' }));
  const chatId = await seedChat(sql, projectId, { channelId, platform: 'Telegram', external_id: '7' });
  const recipient = { projectId, channelId, chat: chatId };
  const id = await queueFile(patchbay.context, recipient, { type: 'image', url: `${shop.root}/cat.png` });
  // The channel's bucket is empty at the start.
  clock.advance(1_000);
  wake.wake('sending');
  return id;
}

test('a photo that its messenger accepts slowly is aborted at the engine’s deadline, and not sent twice at once', async (t) => {
  const timeouts = heldTimeouts(t);
  const telegram = await startTelegram(t);
  const { id: projectId } = await createProject(patchbay.context, { name: 'Shop' });
  const { id: channelId } = await addChannel(patchbay.context, {
    projectId,
    platform: 'Telegram',
    name: 'Bot',
    settings: { bot_token: '1:slow', api_root: telegram.root },
  });
  const isPhoto = ({ method }: { method: string }) => method === 'sendPhoto';
  telegram.react((call) => (isPhoto(call) ? 'hang' : null));
  const id = await queuePhoto(projectId, channelId);
  await telegram.called(isPhoto);

  assert.ok(timeouts.asked.length > 0, 'nothing ends the call');
  assert.ok(Math.max(...timeouts.asked) <= deadlineMs, `${timeouts.asked} of ${deadlineMs} ms`);
  timeouts.end();
  while ((await read(id)).lease !== null);
  const { state, due_at } = await read(id);
  assert.equal(state, 'IN_PROCESS');
  assert.ok(due_at > clock.now());

  telegram.react(() => null);
  clock.advance(retryMs);
  wake.wake('sending');
  while ((await read(id)).state !== 'SENT');
  assert.equal(telegram.calls.filter(isPhoto).length, 2);
});
