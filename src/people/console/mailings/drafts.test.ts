import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { planAll, recipientsOf } from '../../../../test/planning-scene.ts';

/** Source: docs/contract.md, section 5, "Audience": a draft needs only its name. */

const clock = manualClock();
// Without workers: the test plans itself.
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const { headers } = await signIn(context, partner);
const { headers: theirs } = await signIn(context, stranger);
const { profile } = await partner.client('ann');

const api = '/api/partners/mailings/';
const create = (body: object) => call('POST', api, { headers: partner.key, body });
const complete = (uuid: string, body: object, as = headers) =>
  call('PUT', `/console/api/mailings/${uuid}/`, { headers: as, body });
const filter_chats = { all: [] };

test('a mailing with only a name is a draft, which does not start', async () => {
  const { status, body } = await create({ name: 'Later' });
  assert.equal(status, 201, JSON.stringify(body));
  assert.partialDeepStrictEqual(body, {
    name: 'Later',
    state: 'planned',
    content_type: 'TEXT',
    text: null,
    filter_chats: null,
    planned_at: null,
  });
  await planAll(context);
  const read = await call('GET', `${api}${body.uuid}/`, { headers: partner.key });
  assert.deepEqual([read.status, read.body.state, read.body.statistics.count_planned], [200, 'planned', 0]);
});

test('a mailing with an audience needs content, and the content must be complete', async () => {
  const required = ['This field is required.'];
  assert.deepEqual((await create({ name: 'Sale', filter_chats })).body, { content_type: required });
  assert.deepEqual((await create({ name: 'Sale', content_type: 'TEXT' })).body, { text: required });
  assert.deepEqual((await create({ name: 'Sale', content_type: 'NODE' })).body, { node: required });
});

test('a draft gets its content and its audience in the console, and starts', async () => {
  const { body: draft } = await create({ name: 'Later' });
  const still = await complete(draft.uuid, { name: 'Spring', text: 'Hello' });
  assert.deepEqual(
    [still.status, still.body.uuid, still.body.name, still.body.created_at, still.body.state],
    [200, draft.uuid, 'Spring', draft.created_at, 'planned'],
  );
  await planAll(context);
  assert.deepEqual(await recipientsOf(context, draft.uuid), []);

  const body = { name: 'Spring', text: 'Hello', filter_chats };
  assert.deepEqual((await complete(draft.uuid, { ...body, text: '' })).status, 400);
  assert.equal((await complete(draft.uuid, body, theirs)).status, 404);
  assert.equal((await complete(draft.uuid, body)).status, 200);
  await planAll(context);
  assert.deepEqual(await recipientsOf(context, draft.uuid), [profile]);
  // It is still one mailing, and counted as one.
  const { body: list } = await call('GET', api, { headers: partner.key });
  assert.equal(list.count, list.results.length);
});

test('only a draft can be changed, and concurrent changes do not both succeed', async () => {
  const refusal = {
    detail:
      'Only a draft can be changed, or a mailing without a list of identifiers before its approval and start.',
  };
  const body = { name: 'Spring', text: 'Hello', filter_chats };
  const { body: planned } = await create({ ...body, planned_at: '2099-01-01T00:00:00Z' });
  const answer = await complete(planned.uuid, body);
  assert.deepEqual([answer.status, answer.body], [400, refusal]);
  const { body: empty } = await create({
    name: 'Nobody',
    text: 'Hello',
    customer_filter_field: 'UUID',
    customer_filter_array: [],
  });
  assert.equal((await complete(empty.uuid, body)).status, 400);
  const { body: draft } = await create({ name: 'Later' });
  const answers = await Promise.all([1, 2, 3].map(() => complete(draft.uuid, body)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400]);
  await planAll(context);
  assert.deepEqual(await recipientsOf(context, draft.uuid), [profile]);
});
