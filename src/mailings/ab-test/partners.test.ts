import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;
const { projectId, key, token } = await createPartner({ after }, patchbay);

const path = '/api/partners/mailings/';
const sale = { name: 'Sale', text: 'First', filter_chats: { all: [] }, planned_at: '2099-01-01T00:00:00Z' };
const sample = { percent: 20, measure: 'read', wait_minutes: 60, otherwise: 'first' };
const other = { share: 40, text: 'Other' };
const make = (ab_test: object | null, more: object = {}) =>
  call('POST', path, { headers: key, body: { ...sale, ...more, ab_test } });
const readTest = (uuid: string, headers = key) => call('GET', `${path}${uuid}/ab-test/`, { headers });

test('a program makes a mailing with variants, and reads their counts', async () => {
  const { status, body } = await make({ variants: [other], sample });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body.state, body.text], ['planned', 'First']);
  assert.equal('ab_test' in body, false, 'the object of the contract stays as it is');
  for (const headers of [key, token]) {
    const result = await readTest(body.uuid, headers);
    assert.equal(result.status, 200);
    assert.equal(result.body.state, 'planned');
    assert.deepEqual(
      result.body.variants.map(({ variant, share, sent }: Record<string, number>) => [variant, share, sent]),
      [
        [1, 60, 0],
        [2, 40, 0],
      ],
    );
  }
});

test('a program reads what the sample showed', async () => {
  const { body } = await make({ variants: [other], sample });
  await sql`
    update mailings set state = 'in_process', stage = 'sending', run = 1, started_at = '2026-11-20',
      progress = '{"part": "rest", "variant": 2, "decide_at": 1}' where id = ${body.uuid}`;
  const counts = [
    { sent: 1_000, reacted: 100 },
    { sent: 1_000, reacted: 400 },
  ];
  await sql`
    insert into mailing_decisions (project_id, mailing_id, decided_at, counts, leaders, variant)
    values (${projectId}, ${body.uuid}, '2026-11-20', ${sql.json(counts)}, '{2}', 2)`;
  const { body: result } = await readTest(body.uuid);
  assert.equal(result.state, 'sending');
  assert.partialDeepStrictEqual(result.decision, { leaders: [2], variant: 2, author: null, measure: 'read' });
  assert.deepEqual([result.decision.shares[1].count, result.decision.shares[1].of], [400, 1_000]);
});

test('a test is refused at its field in the same words as in the console', async () => {
  const cron = await make({ variants: [other] }, { planned_at: null, regular_cron: '0 12 * * *' });
  assert.deepEqual(
    [cron.status, cron.body],
    [400, { ab_test: ['A mailing with a schedule has no A/B test.'] }],
  );
  const empty = await make({ variants: [{ share: 40 }] });
  assert.deepEqual(Object.keys(empty.body), ['ab_test']);
  assert.equal((await make({ variants: [] })).status, 400);
});

test('null is no test, and a mailing without a test has nothing to read', async () => {
  const { status, body } = await make(null);
  assert.equal(status, 201);
  assert.equal((await readTest(body.uuid)).status, 404);
  const stranger = await createPartner({ after }, patchbay);
  const mine = await make({ variants: [other] });
  assert.equal((await readTest(mine.body.uuid, stranger.key)).status, 404);
});
