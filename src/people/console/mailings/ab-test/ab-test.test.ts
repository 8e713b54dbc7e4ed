import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../../test/harness.ts';
import { seedMailingMessages } from '../../../../../test/mailing.ts';
import { signIn } from '../../../../../test/person.ts';
import { insertGroup } from '../../../../clients/promocodes/groups-store.ts';

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const { headers } = await signIn(context, { projectId });
const ann = await partner.client('ann');

const sample = { percent: 20, measure: 'read', wait_minutes: 60, otherwise: 'ask' };
const body = (ab_test: object | null, more: object = {}) => ({
  name: 'Sale',
  text: 'First https://shop.test/a',
  filter_chats: { all: [] },
  planned_at: '2099-01-01T00:00:00Z',
  ...more,
  ab_test,
});
const other = { share: 40, text: 'Other https://shop.test/b' };
const make = async (ab_test: object | null, more?: object) =>
  call('POST', '/console/api/mailings/', {
    headers: { ...headers, 'idempotency-key': context.newId() },
    body: body(ab_test, more),
  });
const read = (uuid: string, path = '') => call('GET', `/console/api/mailings/${uuid}/${path}`, { headers });
const choose = (uuid: string, variant: number) =>
  call('POST', `/console/api/mailings/${uuid}/ab-test/choose/`, { headers, body: { variant } });

test('a mailing has variants, which its page shows as they were given', async () => {
  const { status, body: made } = await make({ variants: [other], sample });
  assert.equal(status, 201, JSON.stringify(made));
  const { body: detail } = await read(made.uuid);
  assert.deepEqual(detail.ab_test.sample, sample);
  assert.deepEqual([detail.ab_test.variants[0].share, detail.ab_test.variants[0].text], [40, other.text]);
  const { body: result } = await read(made.uuid, 'ab-test/');
  assert.deepEqual([result.state, result.measures, result.decision], ['planned', [], undefined]);
  assert.deepEqual(
    result.variants.map(({ variant, share, planned }: Record<string, number>) => [variant, share, planned]),
    [
      [1, 60, 0],
      [2, 40, 0],
    ],
  );
  const [row] =
    await sql`select ab_test #>> '{variants,0,links,0}' as link from mailings where id = ${made.uuid}`;
  assert.equal(row?.link, 'https://shop.test/b');
});

test('a mailing without a test has none to show', async () => {
  const { body: made } = await make(null);
  assert.equal((await read(made.uuid, 'ab-test/')).status, 404);
  assert.equal((await read(made.uuid)).body.ab_test, null);
});

const refused: [promise: string, ab_test: object, more?: object][] = [
  ['no variant', { variants: [] }],
  ['six others', { variants: Array.from({ length: 6 }, () => ({ share: 1, text: 'x' })) }],
  [
    'shares that leave nothing to the first',
    {
      variants: [
        { share: 60, text: 'x' },
        { share: 40, text: 'y' },
      ],
    },
  ],
  ['a variant without text', { variants: [{ share: 50 }] }],
  ['a variant of another kind', { variants: [{ share: 50, node_name: 'Nothing' }] }],
  ['a sample of everybody', { variants: [other], sample: { ...sample, percent: 100 } }],
  ['a delivery that decides', { variants: [other], sample: { ...sample, measure: 'delivered' } }],
  ['no time for reactions', { variants: [other], sample: { ...sample, wait_minutes: 0 } }],
  ['a schedule', { variants: [other] }, { regular_cron: '0 12 * * *' }],
  ['codes that the first variant does not take', { variants: [{ share: 50, text: '{{promocode:Spring}}' }] }],
];
for (const [promise, ab_test, more] of refused) {
  test(`a test with ${promise} is refused, and says where`, async () => {
    const { status, body: answer } = await make(ab_test, more);
    assert.equal(status, 400, JSON.stringify(answer));
    assert.match(JSON.stringify(answer), /ab_test/);
  });
}

test('all variants take promo codes of the same groups, in any order', async () => {
  for (const name of ['Spring', 'Autumn'])
    await insertGroup(sql, projectId, { id: context.newId(), name, createdAt: context.clock.now() });
  const text = 'Take {{promocode:Spring}} or {{promocode:Autumn}}';
  const one = await make({ variants: [{ share: 50, text: 'Take {{promocode:Spring}}' }] }, { text });
  assert.equal(one.status, 400);
  assert.match(JSON.stringify(one.body), /same groups/);
  const both = { share: 50, text: '{{promocode:Autumn}} or {{promocode:Spring}}' };
  const made = await make({ variants: [both] }, { text });
  assert.equal(made.status, 201, JSON.stringify(made.body));
});

test('a started test cannot be changed', async () => {
  const { body: made } = await make({ variants: [other] });
  const changed = await call('PUT', `/console/api/mailings/${made.uuid}/`, {
    headers,
    body: body({ variants: [{ ...other, share: 10 }] }),
  });
  assert.equal(changed.status, 400, JSON.stringify(changed.body));
});

/** A mailing whose sample showed no difference. */
async function asking(): Promise<string> {
  const { body: made } = await make({ variants: [other], sample });
  await sql`
    update mailings set state = 'in_process', stage = 'sending', run = 1, started_at = '2026-11-20', due_at = null,
      progress = '{"part": "sample", "decide_at": 1}' where id = ${made.uuid}`;
  const counts = [
    { sent: 10, reacted: 3 },
    { sent: 10, reacted: 4 },
  ];
  await sql`
    insert into mailing_decisions (project_id, mailing_id, decided_at, counts, leaders)
    values (${projectId}, ${made.uuid}, '2026-11-20', ${sql.json(counts)}, '{1,2}')`;
  return made.uuid;
}

/** What people and partners see of a mailing's state. */
async function stateOf(uuid: string) {
  const { body: detail } = await read(uuid);
  const list = await call('GET', '/console/api/mailings/', { headers });
  const listed = list.body.results.find((one: { uuid: string }) => one.uuid === uuid);
  assert.deepEqual(listed.rests, detail.summary.rests);
  const told = await call('GET', `/api/partners/mailings/${uuid}/`, { headers: partner.key });
  return { rests: detail.summary.rests, state: told.body.state, detail: told.body.state_detail };
}

test('a mailing whose sample is sent says that the rest waits, and until when', async () => {
  const uuid = await asking();
  await sql`delete from mailing_decisions where mailing_id = ${uuid}`;
  await sql`update mailings set progress = '{"part": "sample"}' where id = ${uuid}`;
  assert.deepEqual(await stateOf(uuid), { rests: null, state: 'in_process', detail: '' });
  const until = '2026-11-20T13:00:00.000Z';
  await sql`
    update mailings set progress = ${sql.json({ part: 'sample', decide_at: Date.parse(until) })} where id = ${uuid}`;
  assert.deepEqual(await stateOf(uuid), {
    rests: { until },
    state: 'in_process',
    detail: `The sample is sent. The rest waits until ${until} for the result of the test.`,
  });
  await sql`
    insert into mailing_decisions (project_id, mailing_id, decided_at, counts, leaders)
    values (${projectId}, ${uuid}, ${until}, '[]', '{1,2}')`;
  assert.deepEqual(await stateOf(uuid), {
    rests: { until: null },
    state: 'in_process',
    detail: 'The test showed no difference. The rest waits until a person chooses its variant.',
  });
  await choose(uuid, 1);
  assert.equal((await stateOf(uuid)).rests, null);
  await sql`update mailings set state = 'stopped' where id = ${uuid}`;
  assert.deepEqual(await stateOf(uuid), { rests: null, state: 'stopped', detail: '' });
});

test('no difference is an answer, and a person chooses for the rest once', async () => {
  const uuid = await asking();
  const before = (await read(uuid, 'ab-test/')).body;
  assert.deepEqual(
    [before.state, before.decision.leaders, before.decision.variant],
    ['asking', [1, 2], null],
  );
  assert.equal(before.decision.shares[1].count, 4);
  assert.equal((await choose(uuid, 3)).status, 400);
  assert.equal((await choose(uuid, 2)).status, 204);
  assert.equal((await choose(uuid, 1)).status, 400);
  const { decision } = (await read(uuid, 'ab-test/')).body;
  assert.equal(decision.variant, 2);
  const [row] = await sql`select due_at from mailings where id = ${uuid}`;
  assert.ok(row?.due_at);
});

test('nobody chooses for a mailing that was stopped', async () => {
  const uuid = await asking();
  await sql`update mailings set state = 'stopped' where id = ${uuid}`;
  assert.equal((await choose(uuid, 1)).status, 400);
});

test('without a sample a mailing is compared when it has ended, and not before', async () => {
  const { body: made } = await make({ variants: [other] });
  await sql`update mailings set state = 'in_process', run = 1, started_at = '2026-11-20' where id = ${made.uuid}`;
  for (const [variant, count] of [
    [1, 400],
    [2, 100],
  ]) {
    await sql`
      select add_to_mailing_counts(${projectId}, ${made.uuid}, ${variant}::smallint,
        array[1000, 1000, 1000, ${count}::integer, 0, 0, 0, 0, 0])`;
  }
  assert.deepEqual((await read(made.uuid, 'ab-test/')).body.measures, []);
  await sql`update mailings set state = 'completed', due_at = null where id = ${made.uuid}`;
  const { measures } = (await read(made.uuid, 'ab-test/')).body;
  assert.deepEqual(
    measures.map(({ measure, leaders }: { measure: string; leaders: number[] }) => [measure, leaders]),
    [
      ['read', [1]],
      ['jumped', [1, 2]],
      ['clicked', [1, 2]],
      ['replied', [1, 2]],
      ['converted', [1, 2]],
    ],
  );
});

test('recipients and their file name the variant', async () => {
  const { body: made } = await make({ variants: [other] });
  const [id = ''] = await seedMailingMessages(sql, projectId, made.uuid, [{ chat: ann.chat }]);
  await sql`update messages set variant = 2 where id = ${id}`;
  const { body: listed } = await read(made.uuid, 'recipients/');
  assert.equal(listed.results[0].variant, 2);
  const file = await read(made.uuid, 'recipients/export/');
  assert.match(JSON.stringify(file.body ?? file), /variant/);
});
