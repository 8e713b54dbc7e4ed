import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../../test/harness.ts';
import { signIn } from '../../../../../test/person.ts';
import { planAll } from '../../../../../test/planning-scene.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] }, clock });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const { projectId, key } = partner;
const { headers } = await signIn(context, { projectId });
const calendar = (query: string, as = headers) =>
  call('GET', `/console/api/mailings/calendar/?${query}`, { headers: as });
const plan = async (name: string, body: object) => {
  const sale = { name, text: 'Hello', filter_chats: { all: [] } };
  return (await call('POST', '/api/partners/mailings/', { headers: key, body: { ...sale, ...body } })).body
    .uuid;
};
type Entry = {
  name: string;
  time: string;
  kind: string;
  is_quiet: boolean;
  collides_with: { name: string }[];
};
type Day = { day: string; entries: Entry[] };
const told = ({ body }: { body: { days: Day[] } }, tell: (entry: Entry) => unknown) =>
  body.days.flatMap(({ day, entries }) => entries.map((entry) => [day, entry.name, tell(entry)]));

await call('PATCH', '/console/api/settings/', {
  headers,
  body: { timezone: 'Asia/Tokyo', quiet_from: '21:00', quiet_until: '09:00' },
});
const morning = await plan('Morning', { planned_at: '2026-11-30T22:30:00Z' });
await plan('Same hour', { planned_at: '2026-11-30T22:50:00Z' });
await plan('Elsewhere', {
  planned_at: '2026-11-30T22:40:00Z',
  filter_chats: { all: [{ type: 'attribute', platform: 'Telegram' }] },
});
await plan('Daily', { regular_cron: '0 1 * * *' });
await plan('Draft', { filter_chats: null });

test('planned mailings stand on the day and at the time of the project’s zone', async () => {
  const week = await calendar('view=week&day=2026-12-01');
  assert.deepEqual(
    [week.body.start, week.body.previous, week.body.next, week.body.timezone],
    ['2026-11-30', '2026-11-23', '2026-12-07', 'Asia/Tokyo'],
  );
  assert.deepEqual(
    told(week, ({ time }) => time).filter(([, name]) => name !== 'Daily'),
    [
      ['2026-12-01', 'Morning', '07:30'],
      ['2026-12-01', 'Elsewhere', '07:40'],
      ['2026-12-01', 'Same hour', '07:50'],
    ],
  );
  const daily = told(week, ({ time }) => time).filter(([, name]) => name === 'Daily');
  assert.deepEqual([daily.length, daily[0]], [7, ['2026-11-30', 'Daily', '10:00']]);
});

test('two mailings of one hour that share a platform collide, and quiet hours are shown', async () => {
  const { body } = await calendar('view=month&day=2026-12-01');
  const first: Entry[] = body.days[0].entries;
  const names = first.map(({ name, collides_with }) => [name, collides_with.map((other) => other.name)]);
  assert.deepEqual(names, [
    ['Morning', ['Same hour']],
    ['Elsewhere', []],
    ['Same hour', ['Morning']],
    ['Daily', []],
  ]);
  assert.deepEqual(
    first.map(({ is_quiet }) => is_quiet),
    [true, true, true, false],
  );
  assert.deepEqual([body.quiet_from, body.quiet_until, body.days.length], ['21:00', '09:00', 31]);
});

test('a mailing that waits for approval, one that has begun, and one that was stopped are shown as such', async () => {
  await call('PATCH', '/console/api/settings/', { headers, body: { needs_approval: true } });
  await call('POST', '/console/api/mailings/', {
    headers,
    body: { name: 'Held', text: 'Hello', filter_chats: { all: [] }, planned_at: '2026-11-25T05:00:00Z' },
  });
  await call('POST', `/api/partners/mailings/${morning}/stop/`, { headers: key });
  await plan('Now', {});
  await planAll(context);
  const { body } = await calendar('');
  assert.equal(body.today, '2026-11-20');
  const kinds = told({ body }, ({ kind }) => kind).filter(([, name]) => name !== 'Daily');
  assert.deepEqual(kinds, [
    ['2026-11-20', 'Now', 'started'],
    ['2026-11-25', 'Held', 'awaits'],
  ]);
  const december = told(await calendar('day=2026-12-01'), ({ kind }) => kind);
  assert.ok(!december.some(([, name]) => name === 'Morning'));
});

test('a schedule that comes every minute is cut, and a day that does not exist is refused', async () => {
  await plan('Minute', { regular_cron: '* * * * *' });
  const { body } = await calendar('view=week&day=2027-06-01');
  assert.equal(body.is_cut, true);
  assert.equal((await calendar('day=2027-02-30')).status, 400);
  const stranger = await createPartner({ after }, patchbay);
  const their = await signIn(context, { projectId: stranger.projectId });
  assert.deepEqual(
    told(await calendar('view=week&day=2027-06-01', their.headers), () => null),
    [],
  );
});

test('a project of schedules that come every minute has a calendar as short as any', async () => {
  const busy = await createPartner({ after }, patchbay);
  const their = await signIn(context, { projectId: busy.projectId });
  for (let n = 0; n < 50; n += 1) {
    const minute = {
      name: `Minute ${n}`,
      text: 'Hello',
      filter_chats: { all: [] },
      regular_cron: '* * * * *',
    };
    await call('POST', '/api/partners/mailings/', { headers: busy.key, body: minute });
  }
  const { status, body } = await calendar('view=week&day=2027-06-01', their.headers);
  const entries: Entry[] = body.days.flatMap((day: Day) => day.entries);
  assert.deepEqual([status, body.is_cut], [200, true]);
  assert.ok(entries.length >= 50 && entries.length <= 2_000, String(entries.length));
  assert.ok(entries.every(({ collides_with }) => collides_with.length === 10));
});

test('the rest of an A/B test stands where its sample decides', async () => {
  const id = await plan('Tested', { planned_at: '2028-03-01T00:00:00Z' });
  await context.sql`
    update mailings set state = 'in_process', started_at = '2028-03-01', due_at = null,
      progress = ${context.sql.json({ part: 'sample', decide_at: Date.UTC(2028, 2, 2, 12) })}
    where id = ${id}`;
  const week = await calendar('view=week&day=2028-03-01');
  const kinds = told(week, ({ kind }) => kind).filter(([, name]) => name === 'Tested');
  assert.deepEqual(kinds, [
    ['2028-03-01', 'Tested', 'started'],
    ['2028-03-02', 'Tested', 'rest'],
  ]);
});
