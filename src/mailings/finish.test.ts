import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { createPartner, startPatchbay } from '../../test/harness.ts';
import { planAll } from '../../test/planning-scene.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] }, clock });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
for (const name of ['ann', 'bob', 'cid']) await partner.client(name);

const path = '/api/partners/mailings/';
const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString();
const make = (more: object, headers: Record<string, string> = partner.key) =>
  call('POST', path, { headers, body: { name: 'Sale', text: 'Hello', filter_chats: { all: [] }, ...more } });

test('a program makes a mailing with a moment, reads it everywhere, and the messages are spread until then', async () => {
  const finish_by = inMinutes(30);
  for (const headers of [partner.key, partner.token]) {
    const { status, body } = await make({ finish_by }, headers);
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.finish_by, finish_by);
    const one = await call('GET', `${path}${body.uuid}/`, { headers });
    assert.equal(one.body.finish_by, finish_by);
    const list = await call('GET', path, { headers });
    assert.equal(list.body.results[0].finish_by, finish_by);
    await planAll(context);
    const rows = await sql`select due_at from messages where mailing_id = ${body.uuid}`;
    assert.deepEqual(
      rows.map(({ due_at }) => due_at.toISOString()),
      [finish_by, finish_by, finish_by],
    );
  }
});

test('a moment has a zone, and is presented in UTC', async () => {
  const { body } = await make({ planned_at: '2099-01-01T00:00:00Z', finish_by: '2099-01-01T04:00:00+0300' });
  assert.equal(body.finish_by, '2099-01-01T01:00:00.000Z');
});

test('null and absent are no moment', async () => {
  for (const more of [{ finish_by: null }, {}]) {
    const { status, body } = await make({ planned_at: '2099-01-01T00:00:00Z', ...more });
    assert.deepEqual([status, body.finish_by], [201, null]);
  }
});

test('a moment without sense is refused at its field in the same words as in the console', async () => {
  const sample = { percent: 20, measure: 'read', wait_minutes: 5, otherwise: 'first' };
  const soon = 'Enter a moment at least a minute after the start.';
  const cases: [object, string][] = [
    [{ finish_by: inMinutes(-5) }, soon],
    [{ finish_by: inMinutes(0.5) }, soon],
    [{ planned_at: inMinutes(60), finish_by: inMinutes(60) }, soon],
    [{ finish_by: inMinutes(32 * 1_440) }, 'Enter a moment at most 31 days after the start.'],
    [
      { regular_cron: '0 9 * * *', finish_by: inMinutes(30) },
      'A mailing with a schedule has no moment to finish by.',
    ],
    [
      { ab_test: { variants: [{ share: 50, text: 'Hi' }], sample }, finish_by: inMinutes(30) },
      'A mailing whose sample decides about the rest has no moment to finish by.',
    ],
  ];
  const count = async () => (await call('GET', path, { headers: partner.key })).body.count;
  const before = await count();
  for (const [more, why] of cases) {
    const { status, body } = await make(more);
    assert.deepEqual([status, body], [400, { finish_by: [why] }]);
  }
  for (const finish_by of ['soon', '2099-02-30T00:00:00Z', '2099-01-01T00:00:00', 7]) {
    const { status, body } = await make({ finish_by });
    assert.deepEqual([status, Object.keys(body)], [400, ['finish_by']]);
  }
  assert.equal(await count(), before);
});

test('a test without a sample may have a moment', async () => {
  const finish_by = inMinutes(30);
  const { status, body } = await make({ ab_test: { variants: [{ share: 50, text: 'Hi' }] }, finish_by });
  assert.deepEqual([status, body.finish_by], [201, finish_by]);
});
