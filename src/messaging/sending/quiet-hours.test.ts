import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { answerWith } from '../../../test/stand-ins/messenger.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;
const { sql } = context;

/** One for each hour between the first and the last clocks of the day. */
const zones = [
  'Pacific/Pago_Pago',
  'Pacific/Honolulu',
  'America/Anchorage',
  'America/Los_Angeles',
  'America/Denver',
  'America/Chicago',
  'America/New_York',
  'America/Halifax',
  'America/Sao_Paulo',
  'America/Noronha',
  'Atlantic/Azores',
  'Europe/London',
  'Europe/Oslo',
  'Europe/Athens',
  'Europe/Moscow',
  'Asia/Dubai',
  'Asia/Karachi',
  'Asia/Dhaka',
  'Asia/Bangkok',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Brisbane',
  'Pacific/Noumea',
  'Pacific/Fiji',
  'Pacific/Tongatapu',
  'Pacific/Kiritimati',
];

const hourIn = (timeZone: string, at: Date): number =>
  Number(at.toLocaleString('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }));

const isNight = (timeZone: string, at: Date): boolean =>
  hourIn(timeZone, at) >= 21 || hourIn(timeZone, at) < 9;

async function scene(t: TestContext) {
  const partner = await createPartner(t, patchbay);
  const { headers } = await signIn(context, { projectId: partner.projectId });
  const settings = { quiet_from: '21:00', quiet_until: '09:00', timezone: 'Europe/Moscow' };
  const set = await call('PATCH', '/console/api/settings/', { headers, body: settings });
  assert.equal(set.status, 200, JSON.stringify(set.body));
  const client = async (name: string, facts: object) => {
    const known = await partner.client(name);
    const { status } = await call('PUT', `/api/partners/profiles/${known.profile}/`, {
      headers: partner.key,
      body: facts,
    });
    assert.equal(status, 200);
    return known;
  };
  const mail = async (body: object = { filter_chats: { all: [] } }): Promise<string> => {
    const made = await call('POST', '/api/partners/mailings/', {
      headers: partner.key,
      body: { name: 'Sale', text: 'Hello', ...body },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.uuid;
  };
  const statistics = async (mailing: string) =>
    (await call('GET', `/api/partners/mailings/${mailing}/`, { headers: partner.key })).body.statistics;
  const detail = async (mailing: string) =>
    (await call('GET', `/console/api/mailings/${mailing}/`, { headers })).body;
  return { partner, headers, client, mail, statistics, detail };
}

/** Resolves when nothing is left to do before the clock moves on. */
async function settled(projectId: string): Promise<void> {
  for (;;) {
    context.wake.wake('planning');
    context.wake.wake('sending');
    const [row] = await sql`
      select exists (
        select from messages where project_id = ${projectId} and is_queued
          and (due_at <= ${clock.now()} or lease is not null)
      ) or exists (
        select from mailings where project_id = ${projectId} and stage = 'planning'
          or project_id = ${projectId} and state = 'planned' and (due_at <= ${clock.now()} or lease is not null)
      ) as is_busy`;
    if (!row?.is_busy) return;
    await new Promise(setImmediate);
  }
}

const minute = 60_000;

test('in 26 time zones no mailing arrives between 21 and 9, and every planned message is sent', async (t) => {
  const { partner, client, mail, statistics, detail } = await scene(t);
  const { messenger, projectId } = partner;
  const zoneOf = new Map<string, string>();
  for (const zone of zones) {
    await client(zone, { timezone: zone });
    zoneOf.set(zone, zone);
  }
  await client('japan', { phone_number: '+819012345678' });
  zoneOf.set('japan', 'Asia/Tokyo');
  await client('unknown', {});
  zoneOf.set('unknown', 'Europe/Moscow');
  const arrivals: { mailing: string; to: string; at: Date; isNight: boolean }[] = [];
  let isDown = true;
  messenger.behave((delivery, response) => {
    const { chat, message } = delivery.body.payload;
    const [zone, at] = [zoneOf.get(chat.external_id) ?? '', clock.now()];
    arrivals.push({ mailing: message.text, to: chat.external_id, at, isNight: isNight(zone, at) });
    answerWith(isDown ? 503 : 200)(delivery, response);
  });

  // The first one is retried into the night of many, because the messenger is down for three hours.
  const first = await mail({ text: 'first', filter_chats: { all: [] } });
  let second = '';
  for (let step = 0; step < 2 * 40; step += 1) {
    if (step === 6) isDown = false;
    if (step === 10) second = await mail({ text: 'second', filter_chats: { all: [] } });
    await settled(projectId);
    if (step === 10) {
      const { quiet } = await detail(second);
      const asleep = [...zoneOf.values()].filter((zone) => isNight(zone, clock.now())).length;
      assert.equal(quiet.count, asleep);
      assert.ok(quiet.first_at > clock.now().toISOString() && quiet.last_at >= quiet.first_at);
    }
    clock.advance(30 * minute);
  }
  await settled(projectId);

  assert.deepEqual(
    arrivals.filter(({ isNight }) => isNight),
    [],
  );
  for (const mailing of [first, second]) {
    const { count_planned, count_sent, count_undelivered } = await statistics(mailing);
    assert.deepEqual([count_planned, count_sent, count_undelivered], [zoneOf.size, zoneOf.size, 0]);
    assert.equal((await detail(mailing)).quiet, null);
  }
  const got = arrivals.filter(({ mailing }) => mailing === 'second').map(({ to }) => to);
  assert.deepEqual(got.toSorted(), [...zoneOf.keys()].toSorted());
});

/** Moves the clock to this hour in UTC. */
function until(hour: number): void {
  const now = clock.now();
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour);
  clock.advance((today > now.getTime() ? today : today + 86_400_000) - now.getTime());
}

test('what a pause delays into the quiet hours waits for their end, and a push message does not', async (t) => {
  const { partner, headers, client, mail, detail } = await scene(t);
  const { chat } = await client('ann', { timezone: 'UTC' });
  until(20);
  const pause = async (verb: 'pause' | 'resume') =>
    call('POST', `/console/api/channels/${partner.channel.id}/${verb}/`, { headers });
  await pause('pause');
  const mailing = await mail();
  await waitFor(async () => (await detail(mailing)).summary.counts.planned === 1);
  assert.equal((await detail(mailing)).quiet, null);
  clock.advance(90 * minute);
  await pause('resume');
  await settled(partner.projectId);
  assert.equal(partner.messenger.deliveries.length, 0);
  const morning = new Date(Math.floor(clock.now().getTime() / 86_400_000) * 86_400_000 + 33 * 3_600_000);
  assert.deepEqual((await detail(mailing)).quiet, {
    count: 1,
    first_at: morning.toISOString(),
    last_at: morning.toISOString(),
  });
  const push = await call('POST', '/api/partners/push-messages/', {
    headers: partner.key,
    body: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Your code' } },
  });
  assert.equal(push.status, 201);
  await partner.messenger.received(1);
  until(9);
  await settled(partner.projectId);
  assert.deepEqual(
    partner.messenger.deliveries.map(({ body }) => body.payload.message.text),
    ['Your code', 'Hello'],
  );
});

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}

test('a stop takes back what waits for the end of the quiet hours', async (t) => {
  const { partner, client, mail, statistics, detail } = await scene(t);
  await client('ann', { timezone: 'UTC' });
  until(22);
  const mailing = await mail();
  await waitFor(async () => (await detail(mailing)).quiet?.count === 1);
  await call('POST', `/api/partners/mailings/${mailing}/stop/`, { headers: partner.key });
  assert.equal((await detail(mailing)).quiet, null);
  until(9);
  await settled(partner.projectId);
  assert.equal(partner.messenger.deliveries.length, 0);
  await waitFor(async () => (await detail(mailing)).summary.counts.stopped === 1);
  assert.equal((await statistics(mailing)).count_planned, 1);
});
