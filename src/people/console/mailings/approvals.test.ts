import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { planAll } from '../../../../test/planning-scene.ts';
import { attachmentAddress } from '../../../messaging/attachments/address.ts';
import { importScenario } from '../../../scenarios/import.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] }, clock });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const { projectId, key } = partner;
const olga = await signIn(context, { projectId, name: 'Olga' });
const ivan = await signIn(context, { projectId, name: 'Ivan' });
await partner.client('ann');
type Person = typeof olga;

const ask = ({ headers }: Person, method: string, path: string, body?: object) =>
  call(method, `/console/api/mailings/${path}`, { headers, ...(body && { body }) });
const set = (body: object) => call('PATCH', '/console/api/settings/', { headers: olga.headers, body });
await set({ needs_approval: true });

const sale = { name: 'Sale', text: 'Hello', filter_chats: { all: [] } };
const make = async (body: object = {}) => (await ask(olga, 'POST', '', { ...sale, ...body })).body.uuid;
const approve = (who: Person, uuid: string, revision: number) =>
  ask(who, 'POST', `${uuid}/approve/`, { revision });
const read = async (who: Person, uuid: string) => (await ask(who, 'GET', `${uuid}/`)).body;
const stateOf = async (uuid: string) => {
  await planAll(context);
  const { body } = await call('GET', `/api/partners/mailings/${uuid}/`, { headers: key });
  return [body.state, body.next_run_at];
};
const publish = (text: string) =>
  importScenario(context, {
    projectId,
    file: Buffer.from(JSON.stringify({ name: 'Offer', steps: [{ id: 'a', type: 'message', text }] })),
  });
const own = 'Another administrator approves the mailing: nobody approves their own.';
const changed = 'The mailing has changed. Read it again before you approve it.';

test('a mailing waits for another administrator, and starts when they approve it', async () => {
  const uuid = await make();
  assert.deepEqual(await stateOf(uuid), ['planned', null]);
  assert.deepEqual((await approve(olga, uuid, 0)).body, { detail: own });
  assert.equal((await read(olga, uuid)).approval.may_approve, false);
  const { approval, summary } = await read(ivan, uuid);
  assert.partialDeepStrictEqual(approval, { is_awaited: true, revision: 0, may_approve: true });
  assert.equal(summary.awaits_approval, true);
  assert.equal((await approve(ivan, uuid, 0)).status, 204);
  assert.equal((await stateOf(uuid))[0], 'in_process');
  const at = clock.now().toISOString();
  assert.deepEqual((await read(olga, uuid)).approval.log, [
    { kind: 'asked', author: 'Olga', at },
    { kind: 'approved', author: 'Ivan', at },
  ]);
  assert.deepEqual((await approve(ivan, uuid, 0)).body, {
    detail: 'The mailing does not wait for approval.',
  });
});

test('each person reads how many mailings wait for their own approval', async () => {
  const stranger = await signIn(context, { ...(await createPartner({ after }, patchbay)), name: 'Eve' });
  const waiting = async (who: Person) => (await ask(who, 'GET', 'approvals/')).body;
  const before = [await waiting(olga), await waiting(ivan)];
  assert.deepEqual(before, [{ count: 0 }, { count: 0 }]);
  const later = { planned_at: '2099-01-01T00:00:00Z' };
  const [first] = [await make(later), await make(later)];
  await ask(olga, 'POST', '', { name: 'A draft' });
  assert.deepEqual([await waiting(olga), await waiting(ivan)], [{ count: 0 }, { count: 2 }]);
  assert.deepEqual(await waiting(stranger), { count: 0 });
  await approve(ivan, first, 0);
  assert.deepEqual(await waiting(ivan), { count: 1 });
  const operator = await signIn(context, { projectId, name: 'Oscar', role: 'operator' });
  assert.equal((await ask(operator, 'GET', 'approvals/')).status, 403);
});

test('a changed mailing needs another approval, by somebody other than who changed it', async () => {
  const uuid = await make({ planned_at: '2099-01-01T00:00:00Z' });
  assert.equal((await approve(ivan, uuid, 0)).status, 204);
  const body = { ...sale, text: 'Changed', planned_at: '2099-01-01T00:00:00Z' };
  assert.equal((await ask(ivan, 'PUT', `${uuid}/`, body)).status, 200);
  assert.deepEqual(await stateOf(uuid), ['planned', null]);
  assert.deepEqual((await approve(olga, uuid, 0)).body, { detail: changed });
  assert.deepEqual((await approve(ivan, uuid, 1)).body, { detail: own });
  assert.equal((await approve(olga, uuid, 1)).status, 204);
  assert.deepEqual(await stateOf(uuid), ['planned', '2099-01-01T00:00:00.000Z']);
});

test('of an approval and a change at the same time, the unread text never starts', async () => {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const uuid = await make();
    const [approval] = await Promise.all([
      approve(ivan, uuid, 0),
      ask(olga, 'PUT', `${uuid}/`, { ...sale, text: 'Unread' }),
    ]);
    const { mailing } = await read(ivan, uuid);
    if (mailing.text === 'Unread') assert.deepEqual(await stateOf(uuid), ['planned', null]);
    else assert.equal(approval.status, 204);
    await ask(olga, 'POST', `${uuid}/stop/`);
  }
});

test('two approvals at the same time start the mailing once', async () => {
  const eve = await signIn(context, { projectId, name: 'Eve' });
  const uuid = await make();
  const answers = await Promise.all([approve(ivan, uuid, 0), approve(eve, uuid, 0)]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 400]);
  assert.equal((await read(olga, uuid)).approval.log.length, 2);
});

test('a mailing that has begun cannot be changed, and one that was taken by its planner does not begin', async () => {
  const begun = await make();
  await approve(ivan, begun, 0);
  await planAll(context);
  assert.equal((await ask(olga, 'PUT', `${begun}/`, sale)).status, 400);
  const taken = await make();
  await approve(ivan, taken, 0);
  await context.sql`update mailings set lease = ${context.newId()} where id = ${taken}`;
  assert.equal((await ask(olga, 'PUT', `${taken}/`, sale)).status, 200);
  const [row] = await context.sql`select lease, due_at from mailings where id = ${taken}`;
  assert.deepEqual(row, { lease: null, due_at: null });
});

test('a start that was missed while a mailing waited happens at once, and a schedule goes on', async () => {
  const soon = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const once = await make({ planned_at: soon });
  const daily = await make({ regular_cron: '0 9 * * *' });
  clock.advance(2 * 86_400_000);
  for (const uuid of [once, daily]) assert.equal((await approve(ivan, uuid, 0)).status, 204);
  assert.equal((await stateOf(once))[0], 'in_process');
  assert.deepEqual(await stateOf(daily), ['planned', '2026-11-23T09:00:00.000Z']);
});

test('drafts, mailings of programs, and mailings without the rule are not held', async () => {
  const draft = await ask(olga, 'POST', '', { name: 'Draft' });
  assert.equal((await read(olga, draft.body.uuid)).approval, null);
  const { body } = await call('POST', '/api/partners/mailings/', { headers: key, body: sale });
  assert.equal((await stateOf(body.uuid))[0], 'in_process');
  const held = await make();
  await set({ needs_approval: false });
  assert.equal((await stateOf(await make()))[0], 'in_process');
  assert.equal((await approve(olga, held, 0)).status, 204, 'nobody is left to ask');
  await set({ needs_approval: true });
});

test('a mailing that waits can be stopped, and is then approved by nobody', async () => {
  const uuid = await make();
  assert.equal((await ask(ivan, 'POST', `${uuid}/stop/`)).body.state, 'stopped');
  assert.equal((await approve(ivan, uuid, 0)).status, 400);
  assert.equal((await stateOf(uuid))[0], 'stopped');
});

test('a resend waits for approval, too', async () => {
  const { body: first } = await call('POST', '/api/partners/mailings/', { headers: key, body: sale });
  await planAll(context);
  await context.sql`
    update messages set state = 'CANCELLED', due_at = null where mailing_id = ${first.uuid} and state = 'PENDING'`;
  await context.sql`
    insert into messages (
      project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state, mailing_id,
      mailing_run
    )
    select project_id, ${context.newId()}, chat_id, channel_id, 'out', 'mailing', 'TEXT', '{}', created_at,
      'UNDELIVERED', mailing_id, mailing_run
    from messages where mailing_id = ${first.uuid}`;
  await context.sql`update mailings set state = 'completed', stage = null, due_at = null where id = ${first.uuid}`;
  const { status, body } = await ask(olga, 'POST', `${first.uuid}/resend/`, { name: 'Again' });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(await stateOf(body.uuid), ['planned', null]);
});

const outside = 'https://8.8.8.8/list.csv';
const kept =
  'A file elsewhere can change after its approval. Enter the identifiers as a list, or use a file of this project.';
const byFile = { name: 'Sale', text: 'Hello', customer_filter_field: 'PHONE_NUMBER' };

test('a mailing that waits for approval has no audience at an address outside', async () => {
  const draft = await ask(olga, 'POST', '', { name: 'Draft' });
  for (const field of ['customer_filter_file', 'phone_numbers_file']) {
    const body = { ...byFile, [field]: outside };
    const answers = [
      await ask(olga, 'POST', '', body),
      await ask(olga, 'PUT', `${draft.body.uuid}/`, body),
      await ask(olga, 'PUT', `${await make()}/`, body),
      await ask(olga, 'POST', 'dry-run/', body),
    ];
    const refused = { status: 400, body: { [field]: [kept] } };
    for (const { status, body: said } of answers) assert.deepEqual({ status, body: said }, refused);
  }
  assert.equal(
    (await ask(olga, 'POST', '', { ...byFile, customer_filter_array: ['+79161234567'] })).status,
    201,
  );
});

test('programs, and projects without the rule, may name a file outside', async () => {
  const body = { ...byFile, customer_filter_file: outside };
  assert.equal((await call('POST', '/api/partners/mailings/', { headers: key, body })).status, 201);
  await set({ needs_approval: false });
  assert.equal((await ask(olga, 'POST', '', body)).status, 201);
  await set({ needs_approval: true });
});

test('a file of the project may be the audience of a mailing that waits, and one of another project may not', async () => {
  const upload = async ({ headers }: Person): Promise<string> => {
    const sent = { ...headers, 'content-type': 'application/octet-stream' };
    const path = '/console/api/attachments/?name=list.csv';
    return (await call('POST', path, { headers: sent, body: Buffer.from('phone_number\n+79161234567\n') }))
      .body.url;
  };
  const ours = await upload(olga);
  const body = { ...byFile, customer_filter_file: ours };
  const { status, body: made } = await ask(olga, 'POST', '', body);
  assert.equal(status, 201, JSON.stringify(made));
  const stranger = await signIn(context, { ...(await createPartner({ after }, patchbay)), name: 'Eve' });
  const unstored = attachmentAddress(context.config, { projectId, id: context.newId() }, 'list.csv');
  const altered = ours.replace(/.(?=\/list)/, (last) => (last === '-' ? 'A' : '-'));
  for (const url of [unstored, await upload(stranger), altered]) {
    const { body: said } = await ask(olga, 'POST', '', { ...body, customer_filter_file: url });
    assert.deepEqual(said, { customer_filter_file: [kept] });
  }
});

test('an author who was removed and has come back does not approve their own mailing', async () => {
  const uuid = await make({ planned_at: '2099-01-01T00:00:00Z' });
  const { sql } = context;
  // The membership of somebody who is invited again is another one.
  const returned = context.newId();
  await sql`update mailings set author_id = ${returned} where id = ${uuid}`;
  assert.deepEqual((await approve(olga, uuid, 0)).body, { detail: own });
  assert.equal((await read(olga, uuid)).approval.may_approve, false);
  assert.equal((await approve(ivan, uuid, 0)).status, 204);
});

test('a version of a scenario that was published since the approver read the mailing is not approved', async () => {
  const { id } = await publish('Ten percent');
  const uuid = await make({ text: undefined, content_type: 'NODE', node: id });
  const { revision, scenarios } = (await read(ivan, uuid)).approval;
  assert.deepEqual(scenarios, [{ id, name: 'Offer', version: 1 }]);
  assert.equal((await approve(ivan, uuid, revision)).status, 400);
  await publish('Ninety percent');
  const late = await ask(ivan, 'POST', `${uuid}/approve/`, { revision, scenarios });
  assert.deepEqual(
    [late.status, late.body],
    [400, { detail: 'A scenario of the mailing has changed. Read it again before you approve it.' }],
  );
  const again = (await read(ivan, uuid)).approval;
  const [present] = again.scenarios;
  for (const besides of [{ id: id + 1, version: 1 }, { id, version: 1 }, present]) {
    const both = { revision, scenarios: [besides, present] };
    assert.deepEqual((await ask(ivan, 'POST', `${uuid}/approve/`, both)).body, late.body);
  }
  assert.equal(
    (await ask(ivan, 'POST', `${uuid}/approve/`, { revision, scenarios: again.scenarios })).status,
    204,
  );
  await publish('All of it');
  assert.deepEqual((await read(ivan, uuid)).approval.scenarios, [{ id, name: 'Offer', version: 2 }]);
});
