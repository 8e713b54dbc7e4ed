import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { answerWith, type Behaviour } from '../../../test/stand-ins/messenger.ts';
import { findGroupsNamed, type NamedGroup, takeCodes } from '../../clients/promocodes/reservation-store.ts';
import { queueMessages } from '../messages/queue-store.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { context, call } = patchbay;
const { sql, newId, wake } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId, messenger, key: headers } = partner;
const { chat } = await partner.client('ann');

/** Queues a message with the only code of a new group; returns both ids and the group. */
async function queue({ due_at = clock.now(), expires_at }: { due_at?: Date; expires_at?: Date } = {}) {
  const code = newId();
  const group = await call('POST', '/api/partners/promocode-groups/', { headers, body: { name: code } });
  const { body } = await call('POST', '/api/partners/promocodes/', {
    headers,
    body: { code, group: group.body.uuid, expires_at },
  });
  const [groups, id, now] = [await findGroupsNamed(sql, projectId, [code]), newId(), clock.now()];
  await sql.begin(async (transaction) => {
    const [taken] = await takeCodes(transaction, projectId, groups, [{ message_id: id, chat_id: chat }], now);
    assert.deepEqual(taken?.promocodes, { [code]: code });
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
        due_at,
        state: 'PENDING',
      },
    ]);
  });
  wake.wake('sending');
  return { id, code: String(body.uuid), groups };
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

const inSeconds = (seconds: number): Date => new Date(clock.now().getTime() + seconds * 1000);

/** Queues a message that waits for a minute, lets something happen to its code, and returns how the message ends. */
async function endAfter(
  happen: (code: string, groups: NamedGroup[]) => Promise<unknown> = async () => {},
  expires_at: Date = inSeconds(3_600),
) {
  const { length: before } = messenger.deliveries;
  const { id, code, groups } = await queue({ due_at: inSeconds(60), expires_at });
  await happen(code, groups);
  clock.advance(60_000);
  wake.wake('sending');
  let state = { code: 'PENDING', detail: '' };
  for (; ['PENDING', 'IN_PROCESS'].includes(state.code); await new Promise(setImmediate)) {
    state = (await call('GET', `/api/partners/push-messages/${id}/`, { headers })).body.state;
  }
  return { ...state, isSent: messenger.deliveries.length > before, promocode: code };
}

test('a code that expires while its message waits is not sent, and one that is still valid is', async () => {
  messenger.behave(answerWith(200));
  const { promocode, ...late } = await endAfter(undefined, inSeconds(60));
  const detail = 'The promo code expired before the message was sent.';
  assert.deepEqual(late, { code: 'UNDELIVERED', detail, isSent: false });
  assert.equal(await statusOf(promocode), 'AVAILABLE');
  assert.partialDeepStrictEqual(await endAfter(undefined, inSeconds(61)), { code: 'SENT', isSent: true });
});

test('a code that is taken from a waiting message is not sent', async () => {
  messenger.behave(answerWith(200));
  const other = await partner.client('bob');
  const change = (body: object) => async (code: string) => {
    const answer = await call('PATCH', `/api/partners/promocodes/${code}/`, { headers, body });
    assert.equal(answer.status, 200);
  };
  const remove = (code: string) => call('DELETE', `/api/partners/promocodes/${code}/`, { headers });
  const detail = 'The promo code is no longer reserved for the message.';
  const refused = { code: 'UNDELIVERED', detail, isSent: false };
  for (const happen of [change({ status: 'AVAILABLE' }), change({ code: 'Renamed' }), remove]) {
    assert.partialDeepStrictEqual(await endAfter(happen), refused);
  }
  const theirs = await endAfter(change({ issued_chat: { uuid: other.chat } }));
  assert.partialDeepStrictEqual(theirs, refused);
  assert.equal(await statusOf(theirs.promocode), 'ISSUED');
});

test('a code that another message has taken meanwhile is sent with that one alone', async () => {
  messenger.behave(answerWith(200));
  const ended = await endAfter(async (code, groups) => {
    await call('PATCH', `/api/partners/promocodes/${code}/`, { headers, body: { status: 'AVAILABLE' } });
    const taking = [{ message_id: newId(), chat_id: chat }];
    assert.equal((await takeCodes(sql, projectId, groups, taking, clock.now())).length, 1);
  });
  assert.partialDeepStrictEqual(ended, { code: 'UNDELIVERED', isSent: false });
  assert.equal(await statusOf(ended.promocode), 'ISSUED');
});

test('a code that a person issues to the client of its waiting message is sent', async () => {
  messenger.behave(answerWith(200));
  const ended = await endAfter(async (code) => {
    const body = { status: 'ISSUED', issued_chat: { uuid: chat } };
    await call('PATCH', `/api/partners/promocodes/${code}/`, { headers, body });
  });
  assert.partialDeepStrictEqual(ended, { code: 'SENT', isSent: true });
});
