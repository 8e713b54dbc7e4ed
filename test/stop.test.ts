import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { recordEvents } from '../src/events/outbox.ts';
import { firstSecrets, sealSecrets } from '../src/events/secrets.ts';
import { createPartner, startPatchbay } from './harness.ts';
import { queueTexts } from './queue-texts.ts';
import { answerWith, startMessenger } from './stand-ins/messenger.ts';
import { samplePayload } from './webhook-harness.ts';

test('while a stop waits for a call of one engine, no other begins one', async (t) => {
  const patchbay = await startPatchbay({ after });
  const { context, stop } = patchbay;
  const { sql, newId, vault, wake, clock } = context;
  const partner = await createPartner(t, patchbay);
  const { projectId, applicationId, messenger, channel } = partner;
  const { chat } = await partner.client('ann');
  const receiver = await startMessenger(t);
  const called = Promise.withResolvers<() => void>();
  receiver.behave((delivery, response) => called.resolve(() => answerWith(200)(delivery, response)));
  const endpointId = newId();
  const secrets = sealSecrets(vault, endpointId, firstSecrets());
  await sql`
    insert into endpoints (project_id, id, application_id, url, event_types, platforms, sealed_secrets, created_at)
    values (${projectId}, ${endpointId}, ${applicationId}, ${receiver.url}, '{}', '{}', ${secrets}, ${clock.now()})`;
  const payload = samplePayload(chat);
  const event = { type: 'message_created', projectId, chatId: chat, platform: 'Widget', payload } as const;
  await recordEvents(sql, [event], clock.now(), newId);
  wake.wake('webhooks');
  const answer = await called.promise;

  const stopped = stop();
  const [id = ''] = await queueTexts(context, { projectId, channelId: channel.id, chat }, 1);
  // By then, a running engine would have looked, claimed and called.
  for (let turn = 0; turn < 100; turn += 1) await sql`select 1`;
  const state = async () => (await sql`select state from messages where id = ${id}`)[0]?.state;
  assert.equal(await state(), 'PENDING');
  answer();
  await stopped;
  assert.equal(await state(), 'PENDING');
  assert.equal(messenger.deliveries.length, 0);
});
