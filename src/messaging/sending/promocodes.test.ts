import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { answerWith, type Behaviour } from '../../../test/stand-ins/messenger.ts';
import { findGroupsNamed, takeCodes } from '../../clients/promocodes/reservation-store.ts';
import { queueMessages } from '../messages/queue-store.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { context, call } = patchbay;
const { sql, newId, wake } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId, messenger, key: headers } = partner;
const { chat } = await partner.client('ann');
const group = await call('POST', '/api/partners/promocode-groups/', { headers, body: { name: 'Spring' } });

/** Queues a message with a new code; returns both ids. */
async function queue() {
  const code = newId();
  const { body } = await call('POST', '/api/partners/promocodes/', {
    headers,
    body: { code, group: group.body.uuid },
  });
  const [groups, id, now] = [await findGroupsNamed(sql, projectId, ['Spring']), newId(), clock.now()];
  await sql.begin(async (transaction) => {
    const [taken] = await takeCodes(transaction, projectId, groups, [{ message_id: id, chat_id: chat }], now);
    assert.deepEqual(taken?.promocodes, { Spring: code });
    await queueMessages(transaction, [
      {
        id,
        project_id: projectId,
        chat_id: chat,
        channel_id: partner.channel.id,
        source: 'push',
        content_type: 'TEXT',
        content: { text: code, promocodes: taken.promocodes },
        is_force: false,
        created_at: now,
        lane: 0,
        due_at: now,
        state: 'PENDING',
      },
    ]);
  });
  wake.wake('sending');
  return { id, code: String(body.uuid) };
}

const statusOf = async (code: string): Promise<string> =>
  (await call('GET', `/api/partners/promocodes/${code}/`, { headers })).body.status;

async function inState(id: string, state: string): Promise<void> {
  for (let found = ''; found !== state; await new Promise(setImmediate)) {
    found = (await call('GET', `/api/partners/push-messages/${id}/`, { headers })).body.state.code;
  }
}

const hangUp: Behaviour = (_delivery, response) => response.destroy();

test('a message that its channel refuses releases its code, and an accepted one does not', async () => {
  messenger.behave(answerWith(400));
  const refused = await queue();
  await inState(refused.id, 'UNDELIVERED');
  assert.equal(await statusOf(refused.code), 'AVAILABLE');
  await call('DELETE', `/api/partners/promocodes/${refused.code}/`, { headers });

  messenger.behave(answerWith(200));
  const sent = await queue();
  await inState(sent.id, 'SENT');
  assert.equal(await statusOf(sent.code), 'ISSUED');
});

test('a message that may have been received keeps its code, though a later call was refused', async () => {
  const { length: before } = messenger.deliveries;
  messenger.behave(hangUp);
  const { id, code } = await queue();
  await messenger.received(before + 1);
  messenger.behave(answerWith(400));
  for (let detail = ''; detail === ''; await new Promise(setImmediate)) {
    [{ detail } = { detail: '' }] = await sql<{ detail: string }[]>`
      select state_detail as detail from messages where id = ${id}`;
  }
  clock.advance(60_000);
  wake.wake('sending');
  await inState(id, 'UNDELIVERED');
  assert.equal(await statusOf(code), 'ISSUED');
});
