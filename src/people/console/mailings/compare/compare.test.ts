import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../../test/harness.ts';
import { seedMailing, seedMailingMessages } from '../../../../../test/mailing.ts';
import { signIn } from '../../../../../test/person.ts';
import { planOf } from '../../../../../test/plan.ts';
import { departuresSince } from './store.ts';

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const { headers } = await signIn(context, { projectId });
const compare = (ids: readonly string[], as = headers) =>
  call('GET', `/console/api/mailings/compare/?mailings=${ids.join(',')}`, { headers: as });
const [ann, bob] = [await partner.client('ann'), await partner.client('bob')];
const [one, other] = [await seedMailing(sql, projectId), await seedMailing(sql, projectId)];

test('mailings are compared side by side, in the order asked for', async () => {
  await sql`select add_to_mailing_counts(${projectId}, ${one}, array[1000, 1000, 900, 500, 0, 0, 100, 50, 10])`;
  await sql`select add_to_mailing_counts(${projectId}, ${other}, array[1000, 1000, 905, 300, 0, 0, 200, 55, 0])`;
  const { status, body } = await compare([other, one]);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.mailings.map(({ uuid, planned }: { uuid: string; planned: number }) => [uuid, planned]),
    [
      [other, 1_000],
      [one, 1_000],
    ],
  );
  const measures = body.measures.map(
    ({ measure, shares, leaders }: { measure: string; shares: { count: number }[]; leaders: number[] }) => [
      measure,
      shares.map(({ count }) => count),
      leaders,
    ],
  );
  assert.deepEqual(measures, [
    ['sent', [1_000, 1_000], [0, 1]],
    ['delivered', [905, 900], [0, 1]],
    ['read', [300, 500], [1]],
    ['jumped', [55, 50], [0, 1]],
    ['clicked', [200, 100], [0]],
    ['replied', [0, 10], [1]],
    ['converted', [0, 0], [0, 1]],
    ['unsubscribed', [0, 0], [0, 1]],
  ]);
});

test('sent messages are a share of the planned ones, and everything else of the sent ones', async () => {
  const third = await seedMailing(sql, projectId);
  await sql`select add_to_mailing_counts(${projectId}, ${third}, array[1000, 800, 400, 200, 0, 0, 0, 0, 0])`;
  const { body } = await compare([third, one]);
  const of = body.measures.map(({ shares }: { shares: { of: number }[] }) => shares[0]?.of);
  assert.deepEqual(of, [1_000, 800, 800, 800, 800, 800, 800, 800]);
});

test('who unsubscribed counts for the mailing that reached them last before', async () => {
  const [early = '', late = '', unsent = ''] = [
    ...(await seedMailingMessages(sql, projectId, one, [{ chat: ann.chat }])),
    ...(await seedMailingMessages(sql, projectId, other, [{ chat: ann.chat }, { chat: bob.chat }])),
  ];
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
  await sql`update messages set sent_at = ${at(13)} where id = ${early}`;
  await sql`update messages set sent_at = ${at(15)} where id = ${late}`;
  await sql`update messages set sent_at = ${at(18)} where id = ${unsent}`;
  await sql`update chats set unsubscribed_at = ${at(17)} where id in (${ann.chat}, ${bob.chat})`;
  const unsubscribed = async () =>
    (await compare([one, other])).body.measures.at(-1).shares.map(({ count }: { count: number }) => count);
  assert.deepEqual(await unsubscribed(), [0, 1]);
  await sql`update chats set unsubscribed_at = ${at(14)} where id = ${ann.chat}`;
  assert.deepEqual(await unsubscribed(), [1, 0]);
  await sql`update chats set unsubscribed_at = null where id = ${ann.chat}`;
  assert.deepEqual(await unsubscribed(), [0, 0]);
});

test('who left a topic counts for the last mailing about it, and once if they left everything too', async () => {
  const topic = context.newId();
  await sql`
    insert into topics (project_id, id, name, created_at) values (${projectId}, ${topic}, 'News', ${new Date()})`;
  await sql`update mailings set topic_id = ${topic} where id = ${one}`;
  const cid = await partner.client('cid');
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
  const count = async () =>
    (await compare([one, other])).body.measures.at(-1).shares.map(({ count }: { count: number }) => count);
  const before = await count();
  const [early = ''] = await seedMailingMessages(sql, projectId, one, [{ chat: cid.chat }]);
  const [late = ''] = await seedMailingMessages(sql, projectId, other, [{ chat: cid.chat }]);
  await sql`update messages set sent_at = ${at(13)} where id = ${early}`;
  await sql`update messages set sent_at = ${at(14)} where id = ${late}`;
  const leave = (departures: object) =>
    sql`update chats set left_topics = ${sql.json({ ...departures })} where id = ${cid.chat}`;
  const more = async () => (await count()).map((now: number, index: number) => now - before[index]);
  assert.deepEqual(await more(), [0, 0]);
  await leave({ [topic]: { at: at(17).toISOString(), by: 'link' } });
  assert.deepEqual(await more(), [1, 0]);
  await leave({ [context.newId()]: { at: at(17).toISOString(), by: 'link' } });
  assert.deepEqual(await more(), [0, 0]);
  await leave({ [topic]: { at: at(13).toISOString(), by: 'link' } });
  await sql`update chats set unsubscribed_at = ${at(13)} where id = ${cid.chat}`;
  assert.deepEqual(await more(), [1, 0]);
});

test('who left is found by indexes, and the other chats are not read', async () => {
  const plan = await planOf(
    context.sql,
    departuresSince(sql, projectId, sql`array[${one}]::text[]`, new Date(0)),
  );
  assert.match(plan, /chats_unsubscribed/);
  assert.match(plan, /chats_left_topics/);
  assert.doesNotMatch(plan, /Seq Scan on chats/);
});

test('two to six mailings of the project are compared, and no others', async () => {
  assert.equal((await compare([one, one])).status, 400);
  const many = [1, 2, 3, 4, 5, 6, 7].map(() => context.newId());
  assert.equal((await compare(many)).status, 400);
  assert.equal((await compare([one, context.newId()])).status, 404);
  assert.equal((await compare([one, 'x'])).status, 404);
  const stranger = await createPartner({ after }, patchbay);
  const their = await signIn(context, { projectId: stranger.projectId });
  assert.equal((await compare([one, other], their.headers)).status, 404);
});
