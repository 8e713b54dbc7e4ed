import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { seedMailing, seedMailingMessages } from '../../../test/mailing.ts';
import { planOf } from '../../../test/plan.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';

/** Source: docs/contract.md, section 5. */

const clock = manualClock(new Date('2026-11-25T12:00:00.000Z'));
const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] }, clock });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId, key: headers } = partner;
const ann = await partner.client('ann', { phone: '+12025550123' });
const bob = await partner.client('bob');
const report = (body: object, as: Record<string, string> = headers) =>
  call('POST', '/api/partners/conversions/', { headers: as, body });
const at = (day: number, hour = 12) => new Date(Date.UTC(2026, 10, day, hour));
const [early, late] = [await seedMailing(sql, projectId), await seedMailing(sql, projectId)];

/** A message of a mailing that was sent then. */
async function sent(mailing: string, chat: string, when: Date, state = 'SENT'): Promise<void> {
  const [id = ''] = await seedMailingMessages(sql, projectId, mailing, [{ chat }]);
  for (const next of new Set(['IN_PROCESS', 'SENT', state])) {
    await sql`update messages set state = ${next}, sent_at = ${when}, due_at = null where id = ${id}`;
  }
}

await sent(early, ann.chat, at(20));
await sent(late, ann.chat, at(22));
await sent(late, bob.chat, at(22), 'UNDELIVERED');
const client = { profile: { phone_number: '+12025550123' } };
const converted = async (mailing: string) =>
  (await call('GET', `/api/partners/mailings/${mailing}/`, { headers })).body.statistics.count_converted;

test('a conversion counts for the mailing that the client got last before it', async () => {
  const { status, body } = await report({ key: 'order-1', ...client, name: 'order' });
  assert.equal(status, 201, JSON.stringify(body));
  assert.partialDeepStrictEqual(body, {
    key: 'order-1',
    name: 'order',
    profile: { uuid: ann.profile },
    mailing: { uuid: late },
    happened_at: clock.now().toISOString(),
  });
  const before = await report({
    key: 'order-2',
    chat: { uuid: ann.chat },
    happened_at: at(21).toISOString(),
  });
  assert.equal(before.body.mailing.uuid, early);
  const first = await report({
    key: 'order-3',
    profile: { uuid: ann.profile },
    happened_at: at(19).toISOString(),
  });
  assert.equal(first.body.mailing.uuid, null);
  assert.deepEqual([await converted(early), await converted(late)], [1, 1]);
});

test('a recipient counts once, whatever they do', async () => {
  assert.equal((await report({ key: 'order-4', ...client })).body.mailing.uuid, late);
  assert.equal(await converted(late), 1);
});

test('a key counts once: the first report is returned unchanged, and another client is refused', async () => {
  const { body: first } = await report({ key: 'order-1', ...client });
  const again = await report({ key: 'order-1', ...client, name: 'other', happened_at: at(21).toISOString() });
  assert.deepEqual([again.status, again.body], [201, first]);
  const other = await report({ key: 'order-1', profile: { uuid: bob.profile } });
  assert.deepEqual([other.status, other.body], [400, { key: ['This key belongs to another client.'] }]);
  const together = await Promise.all([1, 2, 3, 4].map(() => report({ key: 'order-5', ...client })));
  assert.deepEqual(new Set(together.map(({ status, body }) => `${status} ${body.uuid}`)).size, 1);
});

test('a mailing that failed, and one longer ago than the project’s days, count nothing', async () => {
  const failed = await report({ key: 'bob-1', profile: { uuid: bob.profile } });
  assert.deepEqual([failed.status, failed.body.mailing.uuid], [201, null]);
  clock.advance(5 * 86_400_000);
  assert.equal((await report({ key: 'late-1', ...client })).body.mailing.uuid, null);
  await sql`update projects set conversion_days = 9 where id = ${projectId}`;
  assert.equal((await report({ key: 'late-2', ...client })).body.mailing.uuid, late);
  await sql`update projects set conversion_days = 7 where id = ${projectId}`;
});

test('a conversion of a message that fails later counts for the mailing before, or else for none', async () => {
  const dan = await partner.client('dan');
  await sent(early, dan.chat, at(20));
  await sent(late, dan.chat, at(22));
  const counts = async () => [await converted(early), await converted(late)];
  const before = await counts();
  await report({ key: 'dan-1', profile: { uuid: dan.profile }, happened_at: at(23).toISOString() });
  const [first = 0, second = 0] = before;
  assert.deepEqual(await counts(), [first, second + 1]);
  const fail = (mailing: string) => sql`
    update messages set state = 'UNDELIVERED' where mailing_id = ${mailing} and chat_id = ${dan.chat}`;
  await fail(late);
  assert.deepEqual(await counts(), [first + 1, second]);
  await fail(early);
  assert.deepEqual(await counts(), before);
});

test(
  'a conversion that comes while its message fails counts for the mailing before',
  twoSessions,
  async () => {
    const fay = await partner.client('fay');
    await sent(early, fay.chat, at(20));
    await sent(late, fay.chat, at(22));
    const reporting = await sql.begin(async (transaction) => {
      await transaction`
      update messages set state = 'UNDELIVERED' where mailing_id = ${late} and chat_id = ${fay.chat}`;
      const answer = report({
        key: 'fay-1',
        profile: { uuid: fay.profile },
        happened_at: at(23).toISOString(),
      });
      await somebodyWaits(transaction);
      return { answer };
    });
    assert.equal((await reporting.answer).body.mailing.uuid, early);
  },
);

test('of a client’s chats the one with the latest mailing counts', async () => {
  await sql`update chats set profile_id = ${ann.profile} where id = ${bob.chat}`;
  await sent(early, bob.chat, at(24));
  const body = { key: 'chats', ...client, happened_at: at(25).toISOString() };
  assert.equal((await report(body)).body.mailing.uuid, early);
});

test('a moment in the future counts as now, and a client must be named once and exist', async () => {
  const future = await report({ key: 'future', ...client, happened_at: '2099-01-01T00:00:00Z' });
  assert.equal(future.body.happened_at, clock.now().toISOString());
  assert.equal((await report({ key: 'x' })).status, 400);
  assert.equal((await report({ ...client })).status, 400);
  assert.equal((await report({ key: 'x', profile: { uuid: ann.profile, external_id: 'a' } })).status, 400);
  assert.equal((await report({ key: 'x', profile: { phone_number: '+12025550199' } })).status, 404);
  const stranger = await createPartner({ after }, patchbay);
  assert.equal((await report({ key: 'order-1', profile: { uuid: ann.profile } }, stranger.key)).status, 404);
});

test('a conversion outlives a merge of its client, and its key still returns the first report', async () => {
  const eve = await partner.client('eve');
  await sent(late, eve.chat, clock.now());
  const { body: first } = await report({ key: 'merged', profile: { uuid: eve.profile } });
  const before = await converted(late);
  await sql`update chats set profile_id = ${ann.profile} where id = ${eve.chat}`;
  await sql`delete from profiles where id = ${eve.profile}`;
  const again = await report({ key: 'merged', chat: { uuid: eve.chat } });
  assert.deepEqual([again.status, again.body.uuid], [201, first.uuid]);
  assert.equal(await converted(late), before);
});

test('a mailing’s conversions are counted by an index', async () => {
  const plan = await planOf(
    sql,
    sql`select count(distinct message_id) from conversions where project_id = ${projectId} and mailing_id = ${late}`,
  );
  assert.match(plan, /conversions_of_mailing/);
});
