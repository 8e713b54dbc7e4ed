import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { planAll, sumsOf } from '../../../../test/planning-scene.ts';
import { noon, seedChannel, seedChat, seedProfile } from '../../../../test/seed.ts';
import { addTemplate } from '../../../messaging/templates/templates.ts';
import { findAudience } from './audience.ts';

const clock = manualClock();
// Without workers: the test plans itself, and nothing is sent.
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;
const { projectId, key, channel } = await createPartner({ after }, patchbay);
const { headers } = await signIn(context, { projectId });
const mailings = '/console/api/mailings/';
const post = (path: string, body: object) => call('POST', mailings + path, { headers, body });

await addTemplate(context, { projectId, pid: 'order', body: 'Order', language: 'en', approval: 'approved' });
const whatsapp = await seedChannel(sql, projectId, 'Whatsapp');
const people = 60;
for (let n = 0; n < people; n += 1) {
  const profileId = await seedProfile(sql, projectId, {
    external_id: `client-${n}`,
    phone_number: `+1202555${String(n).padStart(4, '0')}`,
    tags: ['vip', 'new'].filter((_tag, index) => (n >> index) % 2 === 1),
  });
  const timezone = n % 3 === 0 ? 'Asia/Tokyo' : null;
  await sql`
    update profiles set attrs = ${sql.json({ age: n })}, timezone = ${timezone}
    where project_id = ${projectId} and id = ${profileId}`;
  await seedChat(sql, projectId, { channelId: channel.id, profileId });
  if (n % 2 === 0) await seedChat(sql, projectId, { channelId: whatsapp, profileId, platform: 'Whatsapp' });
  if (n % 7 === 0) await sql`update chats set stopped_at = ${clock.now()} where profile_id = ${profileId}`;
}
const idsOf = async (table: 'profiles' | 'chats') =>
  (await sql<{ id: string }[]>`select id from ${sql(table)} where project_id = ${projectId} order by id`).map(
    ({ id }) => id,
  );
const [profileIds, chatIds] = [await idsOf('profiles'), await idsOf('chats')];

const condition = fc.oneof(
  fc.constantFrom('vip', 'new', 'nobody').map((tag) => ({ type: 'profile_tag', tag })),
  fc.nat(people).map((age) => ({ type: 'profile_attribute', age__gte: age })),
  fc.constantFrom('Whatsapp', 'API_Messenger').map((platform) => ({ type: 'attribute', platform })),
  fc.constant({ type: 'profile_attribute', timezone__isnull: true }),
);
const filter = fc.oneof(
  fc.array(condition, { maxLength: 3 }).map((all) => ({ all })),
  fc.array(condition, { maxLength: 3 }).map((any) => ({ any })),
  fc.tuple(condition, fc.array(condition)).map(([one, any]) => ({ all: [one, { any }] })),
);
const someOf = (ids: readonly string[]) => fc.subarray([...ids], { maxLength: 30 });
const list = fc.oneof(
  someOf(profileIds).map((array) => ({
    customer_filter_field: 'UUID' as const,
    customer_filter_array: array,
  })),
  someOf(chatIds).map((array) => ({
    customer_filter_field: 'CHAT_UUID' as const,
    customer_filter_array: array,
  })),
  fc.array(fc.nat(people + 5)).map((numbers) => ({
    customer_filter_field: 'PHONE_NUMBER' as const,
    customer_filter_array: numbers.map((n) => `1 (202) 555-${String(n).padStart(4, '0')}`),
  })),
  fc.array(fc.nat(people + 5)).map((numbers) => ({
    customer_filter_field: 'EXTERNAL_ID' as const,
    customer_filter_array: numbers.map((n) => `client-${n}`),
  })),
);
const audience = fc.oneof(
  filter.map((filter_chats) => ({ filter_chats })),
  list,
  fc.tuple(filter, list).map(([filter_chats, listed]) => ({ filter_chats, ...listed })),
);
const content = fc.constantFrom<object>(
  { text: 'Hello' },
  { template_whatsapp: 'order' },
  { template_whatsapp: 'order', text: 'Hello' },
);

/** A busy machine does not end the search. */
const patient = { ms: 600_000, enough: null, isLeft: () => false };

test('the console counts the recipients that the mailing is then planned for, on the same platforms', async () => {
  await fc.assert(
    fc.asyncProperty(audience, content, async (whom, what) => {
      const { size: told } = await findAudience(context, projectId, { ...whom, ...what }, patient);
      const made = await call('POST', '/api/partners/mailings/', {
        headers: key,
        body: { name: 'Sale', ...whom, ...what },
      });
      await planAll(context);
      const read = await call('GET', `/api/partners/mailings/${made.body.uuid}/`, { headers: key });
      const { count_planned, count_platforms } = read.body.statistics;
      assert.deepEqual([told.count, told.is_exact], [count_planned, true]);
      const platforms = told.platforms.map(({ platform, count }) => [platform, count]);
      assert.deepEqual(Object.fromEntries(platforms), count_platforms);
      assert.equal((await sumsOf(context, made.body.uuid))[0], count_planned);
    }),
    { numRuns: 25 },
  );
});

test('of chats that were active at one moment the first made counts, however they are stored', async () => {
  for (const at of [new Date(noon.getTime() + 1_000), noon]) {
    await sql`update chats set last_active_at = ${at} where platform = 'API_Messenger'`;
  }
  const everybody = { text: 'Hello', template_whatsapp: 'order', filter_chats: { all: [] } };
  const { body } = await post('audience/', everybody);
  assert.deepEqual(body.platforms, [{ platform: 'API_Messenger', count: body.count }]);
  const pushed = await call('POST', '/api/partners/push-messages/', {
    headers: key,
    body: { profile: { external_id: 'client-2' }, content: { type: 'TEXT', text: 'Hello' } },
  });
  const [{ platform }] = await sql<[{ platform: string }]>`
    select platform from messages join chats on chats.id = chat_id where messages.id = ${pushed.body.uuid}`;
  assert.equal(platform, 'API_Messenger');
});

test('a draft is not counted, nor is a file before it is read', async () => {
  assert.equal((await post('audience/', { text: 'Hello' })).body.count, 0);
  const file = { customer_filter_field: 'UUID', customer_filter_file: 'https://shop.test/a.csv' };
  assert.equal((await post('audience/', file)).body.count, null);
  const wrong = await post('audience/', { filter_chats: { all: [{ type: 'profile_tag', town: 'Oslo' }] } });
  assert.equal(wrong.status, 400);
  assert.ok(wrong.body.filter_chats);
});

test('a dry run reports the duration and the problems, and creates nothing', async () => {
  await call('POST', '/api/partners/promocode-groups/', { headers: key, body: { name: 'Spring' } });
  await sql`update channel_pace set rate = 10, rate_ceiling = 10 where channel_id = ${channel.id}`;
  const [{ mailings: before }] = await sql<[{ mailings: number }]>`select count(*) as mailings from mailings`;
  const whom = {
    any: [
      { type: 'profile_tag', tag: 'vip' },
      { type: 'profile_tag', tag: 'nobody' },
    ],
  };
  const { body } = await post('dry-run/', {
    text: 'Hi {{name}}, {{profile.emial}} {{attrs.town}} {{promocode:Spring}}',
    filter_chats: { all: [whom, { type: 'attribute', platform: 'API_Messenger' }] },
    planned_at: '2026-11-21T15:00:00Z',
  });
  const [sending] = body.channels;
  assert.equal(sending.per_second, 10);
  assert.equal(sending.messages, body.audience.count);
  assert.equal(body.seconds, Math.ceil((sending.waiting + sending.messages) / 10));
  const told = new Map(
    body.warnings.map(({ code, names, count }: { code: string; names: string[]; count: number }) => [
      code,
      [names, count],
    ]),
  );
  assert.deepEqual(told.get('codes_short'), [['Spring'], body.audience.count]);
  assert.deepEqual(told.get('unknown_placeholder'), [['profile.emial', 'attrs.town'], null]);
  assert.deepEqual(told.get('unknown_tag'), [['nobody', 'vip'], null]);
  assert.ok(told.has('night'));
  assert.equal(body.quiet, null);

  // With quiet hours the messages wait instead, and the review says until when.
  await sql`
    update projects set quiet_from = '21:00', quiet_until = '09:00', timezone = 'Asia/Tokyo' where id = ${projectId}`;
  const quiet = await post('dry-run/', {
    text: 'Hi',
    filter_chats: { all: [] },
    planned_at: '2026-11-21T15:00:00Z',
  });
  assert.ok(quiet.body.quiet.count > 0 && quiet.body.quiet.count <= quiet.body.audience.count);
  // Americans wait until it is nine in Hawaii, Japanese until it is nine in Tokyo.
  const { first_at, last_at } = quiet.body.quiet;
  assert.deepEqual([first_at, last_at], ['2026-11-21T19:00:00.000Z', '2026-11-22T00:00:00.000Z']);
  assert.ok(quiet.body.warnings.every(({ code }: { code: string }) => code !== 'night'));
  await sql`update projects set quiet_from = null, quiet_until = null where id = ${projectId}`;

  await sql`update channels set state = 'paused' where id = ${channel.id}`;
  const paused = await post('dry-run/', { text: 'Hi', filter_chats: { all: [] } });
  assert.equal(paused.body.seconds, null);
  assert.deepEqual(paused.body.warnings[0], { code: 'channel_paused', names: ['Messenger'], count: null });
  const [{ mailings: afterwards }] = await sql<
    [{ mailings: number }]
  >`select count(*) as mailings from mailings`;
  assert.equal(afterwards, before);
});

test('a schedule shows its next five times, and an invalid one is refused', async () => {
  const next = (query: string) => call('GET', `${mailings}schedule/?${query}`, { headers });
  const { body } = await next('cron=0+9+*+*+1&after=2026-12-01T00:00:00Z');
  assert.deepEqual(
    body.moments.map((moment: string) => moment.slice(0, 10)),
    ['2026-12-07', '2026-12-14', '2026-12-21', '2026-12-28', '2027-01-04'],
  );
  assert.deepEqual((await next('cron=every+day')).status, 400);
});

test('a filter that exceeds its budget for one client is refused in interactive requests, with and without a list', async () => {
  // The first client that is read: the time may be over before that.
  const [{ id: chat }] = await sql<[{ id: string }]>`
    select id from chats where project_id = ${projectId} order by profile_id, id limit 1`;
  const found = { type: 'attribute', v__contains: `b${'a'.repeat(1_000)}` };
  const heavy = { any: [found, found] };
  const ask = (path: string, body: object) => post(path, { name: 'Heavy', text: 'Hi', ...body });
  const chats = { customer_filter_field: 'CHAT_UUID', customer_filter_array: [chat] };
  assert.equal((await ask('audience/', { filter_chats: heavy })).body.count, 0);
  await sql`
    update chats set variables = ${sql.json({ v: 'a'.repeat(65_000) })}, stopped_at = null where id = ${chat}`;
  for (const path of ['audience/', 'preview/', 'dry-run/']) {
    for (const list of [{}, chats]) {
      const { status, body } = await ask(path, { filter_chats: heavy, ...list });
      assert.deepEqual(
        [status, body],
        [
          400,
          {
            filter_chats: ['The filter looks at too much of one client: use fewer or shorter conditions.'],
          },
        ],
      );
      assert.equal((await ask(path, { filter_chats: { any: [found] }, ...list })).status, 200);
    }
  }
});
