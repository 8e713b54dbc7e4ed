import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { planAll } from '../../../../test/planning-scene.ts';
import { awakeMs } from '../../../mailings/quiet-hours.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] }, clock });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const { headers } = await signIn(context, { projectId, name: 'Olga' });
for (const name of ['ann', 'bob', 'cid']) await partner.client(name);

const ask = (method: string, path: string, body?: object) =>
  call(method, `/console/api/mailings/${path}`, { headers, ...(body && { body }) });
const minute = 60_000;
const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * minute).toISOString();
const sale = { name: 'Sale', text: 'Hello', filter_chats: { all: [] } };
const [{ channel }] = await sql<
  [{ channel: string }]
>`select id as channel from channels where project_id = ${projectId}`;

/** What both the plan and the start say of it. */
async function refusal(body: object) {
  const plan = await ask('POST', 'dry-run/', { ...sale, ...body });
  const start = await ask('POST', '', { ...sale, ...body });
  assert.equal(start.status, 400);
  return { finish: plan.body.finish ?? plan.body, start: start.body };
}

test('a mailing with a moment shows its pace in the plan and on its page, and is spread until then', async () => {
  const finish_by = inMinutes(30);
  const plan = await ask('POST', 'dry-run/', { ...sale, finish_by });
  assert.deepEqual(plan.body.finish, { per_second: 3 / 1_800, hindrances: [] });
  const made = await ask('POST', '', { ...sale, finish_by });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await planAll(context);
  const rows = await sql`select due_at from messages where mailing_id = ${made.body.uuid}`;
  assert.deepEqual(
    rows.map(({ due_at }) => due_at.toISOString()),
    [finish_by, finish_by, finish_by],
  );
  const { body } = await ask('GET', `${made.body.uuid}/`);
  assert.deepEqual(body.finish, { by: finish_by, per_second: 3 / 1_800, is_kept: true });
});

test('a running mailing says that its channels are too slow, and that again they are not', async () => {
  const { body } = await ask('POST', '', { ...sale, finish_by: inMinutes(30) });
  await planAll(context);
  const isKept = async () => (await ask('GET', `${body.uuid}/`)).body.finish.is_kept;
  await sql`update channels set state = 'paused' where id = ${channel}`;
  assert.equal(await isKept(), false);
  await sql`update channels set state = 'active' where id = ${channel}`;
  assert.equal(await isKept(), true);
  await sql`update channel_pace set rate = 0.0001, rate_ceiling = 0.0001 where channel_id = ${channel}`;
  assert.equal(await isKept(), false);
  await sql`update channel_pace set rate = null, rate_ceiling = null where channel_id = ${channel}`;
});

test('a moment that the channel cannot keep is refused, and the plan says why', async () => {
  await sql`delete from messages where channel_id = ${channel}`;
  await sql`update channel_pace set rate = 0.01, rate_ceiling = 0.01 where channel_id = ${channel}`;
  const { finish, start } = await refusal({ finish_by: inMinutes(2) });
  assert.deepEqual(finish.hindrances, [
    { code: 'too_slow', channel: 'Messenger', messages: 3, needed: 300, had: 120 },
  ]);
  assert.deepEqual(start, {
    finish_by: [
      'The mailing cannot be done by then: the channel "Messenger" needs 300 seconds for 3 messages, and has 120.',
    ],
  });
  assert.equal((await ask('POST', '', { ...sale, finish_by: inMinutes(6) })).status, 201);
  await sql`update channel_pace set rate = null, rate_ceiling = null where channel_id = ${channel}`;
});

test('a paused channel, and quiet hours until the moment, keep no moment', async () => {
  await sql`update channels set state = 'paused' where id = ${channel}`;
  assert.equal((await refusal({ finish_by: inMinutes(30) })).finish.hindrances[0].code, 'channel_paused');
  await sql`update channels set state = 'active' where id = ${channel}`;
  await sql`
    update projects set quiet_from = '11:00', quiet_until = '13:00', timezone = 'Etc/UTC' where id = ${projectId}`;
  const { finish } = await refusal({ finish_by: inMinutes(30) });
  assert.partialDeepStrictEqual(finish.hindrances, [{ code: 'asleep', messages: 3 }]);
  assert.equal((await ask('POST', '', { ...sale, finish_by: inMinutes(90) })).status, 201);
  await sql`update projects set quiet_from = null, quiet_until = null where id = ${projectId}`;
});

test('a moment before the start, too far away, with a schedule or with a sample is refused', async () => {
  const soon = 'Enter a moment at least a minute after the start.';
  const cases: [object, string][] = [
    [{ finish_by: inMinutes(-5) }, soon],
    [{ planned_at: inMinutes(60), finish_by: inMinutes(60) }, soon],
    [{ finish_by: inMinutes(32 * 1_440) }, 'Enter a moment at most 31 days after the start.'],
    [
      { regular_cron: '0 9 * * *', finish_by: inMinutes(30) },
      'A mailing with a schedule has no moment to finish by.',
    ],
    [
      {
        ab_test: {
          variants: [{ share: 50, text: 'Hi' }],
          sample: { percent: 20, measure: 'read', wait_minutes: 5, otherwise: 'first' },
        },
        finish_by: inMinutes(30),
      },
      'A mailing whose sample decides about the rest has no moment to finish by.',
    ],
  ];
  for (const [body, why] of cases) {
    const { finish, start } = await refusal(body);
    assert.deepEqual([finish, start], [{ finish_by: [why] }, { finish_by: [why] }]);
  }
});

test('the time without quiet hours is what the clocks of a zone leave', () => {
  const hours = { from: '21:00', until: '09:00', timezone: 'UTC' };
  const day = (text: string) => new Date(text);
  const awake = (from: string, to: string, zone = 'UTC') => awakeMs(hours, zone, day(from), day(to)) / minute;
  assert.equal(awake('2026-11-20T12:00:00Z', '2026-11-20T20:00:00Z'), 480);
  assert.equal(awake('2026-11-20T20:00:00Z', '2026-11-21T10:00:00Z'), 120);
  assert.equal(awake('2026-11-20T22:00:00Z', '2026-11-21T08:00:00Z'), 0);
  assert.equal(awake('2026-11-20T00:00:00Z', '2026-11-27T00:00:00Z'), 7 * 720);
  assert.equal(awake('2026-11-20T12:00:00Z', '2026-11-20T20:00:00Z', 'Asia/Tokyo'), 0);
});
