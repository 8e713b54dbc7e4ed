import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { queueTexts } from '../../../test/queue-texts.ts';
import { seedProject } from '../../../test/seed.ts';
import { addChannel } from '../../channels/connected/channels.ts';
import type { OutgoingMessage } from '../../channels/contract/adapter.ts';
import { receiveEvents } from '../chats/receive.ts';
import { startSending } from './engine.ts';

const clock = manualClock();
const context = testContext(await testDatabase({ after }), clock);
after(() => context.outbound.close());

test('an adapter that checks who has an address gets the lasting ids of the chat', async (t) => {
  const projectId = await seedProject(context.sql);
  const channel = await addChannel(context, {
    projectId,
    platform: 'Telegram_Personal',
    name: 'Phone',
    settings: { api_id: 1, api_hash: '0123456789abcdef0123456789abcdef', phone: '+79990000000' },
    learnt: { session: 'a session' },
  });
  const [received] = await receiveEvents(context, channel, [
    {
      kind: 'message',
      chat: { externalId: '@ann', lastingId: '78' },
      message: { externalId: 'm1', type: 'text', text: 'Hi', url: null, payload: null },
    },
  ]);
  const sent = Promise.withResolvers<OutgoingMessage>();
  const engine = startSending(context, {
    connections: new Map([
      [
        channel.id,
        async (message) => {
          sent.resolve(message);
          return { sent: true, providerId: null };
        },
      ],
    ]),
  });
  t.after(() => engine.stop());
  await queueTexts(context, { projectId, channelId: channel.id, chat: received?.chatUuid ?? '' }, 1);
  // The channel's first token.
  clock.advance(1_000);
  engine.wake();
  const { externalId, lastingIds } = (await sent.promise).chat;
  assert.deepEqual([externalId, lastingIds], ['@ann', ['78']]);
});
