import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { seedMailing, seedMailingMessages } from '../../../test/mailing.ts';
import { signIn } from '../../../test/person.ts';
import { planOf } from '../../../test/plan.ts';
import { seedChat } from '../../../test/seed.ts';
import { answerWith } from '../../../test/stand-ins/messenger.ts';
import { addChannel } from '../../channels/connected/channels.ts';
import { capNow, overCap, overTopicCap, standingOf } from '../../mailings/frequency-cap.ts';
import { hasHadEnough } from '../../mailings/frequency-cap-store.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;
const { sql } = context;
const day = 86_400_000;

async function scene(t: TestContext, cap: { cap_messages: number; cap_days: number }) {
  const partner = await createPartner(t, patchbay);
  const { headers } = await signIn(context, { projectId: partner.projectId });
  const set = await call('PATCH', '/console/api/settings/', { headers, body: cap });
  assert.equal(set.status, 200, JSON.stringify(set.body));
  const mail = async (body: object = {}): Promise<string> => {
    const made = await call('POST', '/api/partners/mailings/', {
      headers: partner.key,
      body: { name: 'Sale', text: 'Hello', filter_chats: { all: [] }, ...body },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.uuid;
  };
  /** `[sent, undelivered]` of a mailing that has ended. */
  const ended = async (mailing: string): Promise<[number, number]> => {
    for (;;) {
      context.wake.wake('planning');
      context.wake.wake('sending');
      const { body } = await call('GET', `/api/partners/mailings/${mailing}/`, { headers: partner.key });
      const { count_sent, count_undelivered } = body.statistics;
      if (body.state === 'completed') return [count_sent, count_undelivered];
      await new Promise(setImmediate);
      clock.advance(50);
    }
  };
  const get = async (path: string) => (await call('GET', `/console/api/${path}`, { headers })).body;
  return { partner, headers, mail, ended, get };
}

test('a client over the cap gets no further mailing until days have passed, and every list says why', async (t) => {
  const { partner, mail, ended, get } = await scene(t, { cap_messages: 2, cap_days: 7 });
  const { chat } = await partner.client('ann');
  assert.deepEqual(await ended(await mail()), [1, 0]);
  clock.advance(day);
  assert.deepEqual(await ended(await mail()), [1, 0]);
  const third = await mail();
  assert.deepEqual(await ended(third), [0, 1]);
  const { reasons, resendable } = await get(`mailings/${third}/failures/`);
  assert.deepEqual([reasons, resendable], [[{ reason: overCap, count: 1 }], 1]);
  const { results } = await get(`mailings/${third}/recipients/?state=undelivered`);
  assert.deepEqual([results[0].state, results[0].reason], ['undelivered', overCap]);
  // It is no failure of the channel.
  assert.deepEqual((await get(`channels/${partner.channel.id}/failures/`)).results, []);
  const push = await call('POST', '/api/partners/push-messages/', {
    headers: partner.key,
    body: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Your code' } },
  });
  assert.equal(push.status, 201);
  await partner.messenger.received(3);
  // The first one is seven days old, and the second one is not.
  clock.advance(6 * day);
  assert.deepEqual(await ended(await mail()), [1, 0]);
  assert.deepEqual(await ended(await mail()), [0, 1]);
});

test('a topic has a cap of its own beside the project’s, and each refusal says which', async (t) => {
  const { partner, headers, mail, ended, get } = await scene(t, { cap_messages: 3, cap_days: 7 });
  const { profile } = await partner.client('ann');
  const topic = async (name: string, cap: object) => {
    const { status, body } = await call('POST', '/console/api/topics/', { headers, body: { name, ...cap } });
    assert.equal(status, 200, JSON.stringify(body));
  };
  await topic('Sales', { cap_messages: 1, cap_days: 2 });
  await topic('News', {});
  const reasonOf = async (mailing: string) =>
    (await get(`mailings/${mailing}/failures/`)).reasons.map(({ reason }: { reason: string }) => reason);
  assert.deepEqual(await ended(await mail({ topic: 'News' })), [1, 0]);
  assert.deepEqual(await ended(await mail({ topic: 'Sales' })), [1, 0]);
  const second = await mail({ topic: 'Sales', name: 'Second' });
  assert.deepEqual([await ended(second), await reasonOf(second)], [[0, 1], [overTopicCap]]);
  const { results } = await get(`profiles/${profile}/outcomes/`);
  const told = results.find(({ uuid }: { uuid: string }) => uuid === second);
  assert.deepEqual([told.code, told.detail], ['over_topic_cap', 'Sales']);
  clock.advance(3 * day);
  assert.deepEqual(await ended(await mail({ topic: 'Sales' })), [1, 0]);
  clock.advance(3 * day);
  const over = await mail({ topic: 'Sales' });
  assert.deepEqual([await ended(over), await reasonOf(over)], [[0, 1], [overCap]]);
  const half = await call('POST', '/console/api/topics/', { headers, body: { name: 'Half', cap_days: 2 } });
  assert.deepEqual([half.status, half.body], [400, { cap_messages: ['This field is required.'] }]);
});

test('a message that waited is held to its topic’s cap when it is sent', async (t) => {
  const { partner, headers, mail, ended } = await scene(t, { cap_messages: 100, cap_days: 7 });
  await partner.client('ann');
  await call('POST', '/console/api/topics/', {
    headers,
    body: { name: 'Sales', cap_messages: 1, cap_days: 7 },
  });
  // Both are planned before either is sent.
  await sql`update channels set state = 'paused', paused_by = 'test' where id = ${partner.channel.id}`;
  const both = [await mail({ topic: 'Sales' }), await mail({ topic: 'Sales' })];
  const planned = async () =>
    (
      await sql<[{ count: number }]>`
      select count(*)::int from messages where mailing_id = any (${both}::uuid[]) and state = 'PENDING'`
    )[0].count;
  while ((await planned()) < 2) {
    context.wake.wake('planning');
    await new Promise(setImmediate);
    clock.advance(50);
  }
  await sql`update channels set state = 'active', paused_by = null where id = ${partner.channel.id}`;
  context.wake.wake('sending');
  const outcomes = [await ended(both[0] ?? ''), await ended(both[1] ?? '')].map(String).toSorted();
  assert.deepEqual(outcomes, ['0,1', '1,0']);
});

test('what the messenger refused does not count', async (t) => {
  const { partner, mail, ended } = await scene(t, { cap_messages: 1, cap_days: 7 });
  await partner.client('ann');
  partner.messenger.behave(answerWith(422));
  assert.deepEqual(await ended(await mail()), [0, 1]);
  partner.messenger.behave(answerWith(200));
  assert.deepEqual(await ended(await mail()), [1, 0]);
  assert.deepEqual(await ended(await mail()), [0, 1]);
});

test('a client over the cap takes no promo code', async (t) => {
  const { partner, mail, ended } = await scene(t, { cap_messages: 1, cap_days: 7 });
  await partner.client('ann');
  const group = await call('POST', '/api/partners/promocode-groups/', {
    headers: partner.key,
    body: { name: 'Spring' },
  });
  const code = { code: 'SALE-1', group: group.body.uuid };
  await call('POST', '/api/partners/promocodes/', { headers: partner.key, body: code });
  assert.deepEqual(await ended(await mail()), [1, 0]);
  assert.deepEqual(await ended(await mail({ text: 'Take {{promocode:Spring}}' })), [0, 1]);
  const { body } = await call('GET', '/api/partners/promocodes/', { headers: partner.key });
  assert.equal(body.results[0].status, 'AVAILABLE');
});

test('mailings at the same time give no client more than the cap, in all of their chats', async (t) => {
  const { partner } = await scene(t, { cap_messages: 2, cap_days: 7 });
  const { projectId, messenger } = partner;
  const settings = { webhook_url: messenger.url, secret: 'a secret of more than 24 letters' };
  const other = await addChannel(context, {
    projectId,
    platform: 'API_Messenger',
    name: 'Second',
    settings,
  });
  const clients = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const { chat, profile } = await partner.client(`c${n}`);
      const second = await seedChat(sql, projectId, { channelId: other.id, profileId: profile });
      return { profile, chats: [chat, second] };
    }),
  );
  const mailings = await Promise.all(Array.from({ length: 6 }, () => seedMailing(sql, projectId)));
  await sql.begin(async (transaction) => {
    for (const [index, mailing] of mailings.entries()) {
      const chats = clients.map(({ chats }) => ({ chat: chats[index % 2] ?? '', due_at: clock.now() }));
      await seedMailingMessages(transaction, projectId, mailing, chats);
    }
  });
  for (;;) {
    context.wake.wake('sending');
    const [row] = await sql`
      select count(*)::int as left, count(lease)::int as leased from messages
      where project_id = ${projectId} and is_queued`;
    if (row?.left === 0) break;
    await new Promise(setImmediate);
    // A lease must not lapse while its result is being written.
    if (row?.leased === 0) clock.advance(200);
  }
  const got = await sql<{ sent: number; told: number }[]>`
    select count(*) filter (where messages.state = 'SENT')::int as sent,
      count(*) filter (where messages.state = 'UNDELIVERED' and state_detail = ${overCap})::int as told
    from messages join chats on chats.id = chat_id
    where messages.project_id = ${projectId} and mailing_id is not null group by profile_id`;
  assert.deepEqual(
    got.map(({ sent, told }) => [sent, told]),
    clients.map(() => [2, 4]),
  );
  assert.equal(messenger.deliveries.length, 2 * clients.length);
});

test('of two claims that see each other none goes first; within a claim the lower id does', () => {
  const [one, two] = [
    { id: '1', state: 'IN_PROCESS' },
    { id: '2', state: 'IN_PROCESS' },
  ];
  const sent = { id: '0', state: 'SENT' };
  const alone = new Set<string>();
  const together = new Set(['1', '2']);
  assert.deepEqual([standingOf('1', 1, [two], alone), standingOf('2', 1, [one], alone)], ['open', 'open']);
  assert.deepEqual(
    [standingOf('1', 1, [two], together), standingOf('2', 1, [one], together)],
    [null, 'open'],
  );
  assert.equal(standingOf('2', 2, [one], alone), null);
  assert.equal(standingOf('2', 2, [one, sent], alone), 'open');
  assert.equal(standingOf('2', 1, [one, sent], alone), 'over');
});

test('the cap reads only messages of the client’s own chats', async () => {
  const cap = capNow({ messages: 2, days: 7 }, clock.now());
  const [projectId, profileId] = ['00000000-0000-0000-0000-000000000000', sql`profiles.id`];
  const enough = hasHadEnough(sql, { projectId, profileId, cap });
  const plan = await planOf(sql, sql`select ${enough} from profiles where project_id = ${projectId}`);
  const conditions = plan.match(/(?<=on messages.*\n)\s+Index Cond: .*/g) ?? [];
  assert.ok(conditions.length > 0, plan);
  for (const condition of conditions) assert.match(condition, /chat_id = theirs\.id/);
});
