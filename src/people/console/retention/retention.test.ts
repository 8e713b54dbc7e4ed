import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';

const { call, context } = await startPatchbay({ after }, { config: { roles: ['api'] } });
const partner = await createPartner({ after }, { call, context });
const { headers } = await signIn(context, partner);
const path = '/console/api/retention/';
const forEver = {
  messages: null,
  files: null,
  events: null,
  attempts: null,
  audit: null,
  legal_hold: false,
  archives: true,
};
const put = (body: object) => call('PUT', path, { headers, body });

test('everything is kept for ever until an administrator says otherwise, and each change is recorded', async () => {
  const { body } = await call('GET', path, { headers });
  const { now, ...rest } = body;
  assert.deepEqual(rest, { ...forEver, changed_by: null, changed_at: null });
  assert.ok(Math.abs(Date.parse(now) - context.clock.now().getTime()) < 60_000);

  await put(forEver);
  assert.equal((await call('GET', path, { headers })).body.changed_by, null);
  const set = { ...forEver, messages: 12, events: 1 };
  assert.partialDeepStrictEqual((await put(set)).body, { ...set, changed_by: 'Olga' });
  await put(set);
  await put({ ...set, legal_hold: true });
  const changes = await context.sql`
    select author_name, was, becomes from retention_changes where project_id = ${partner.projectId} order by id`;
  assert.deepEqual(
    changes.map((row) => ({ ...row })),
    [
      { author_name: 'Olga', was: forEver, becomes: set },
      { author_name: 'Olga', was: set, becomes: { ...set, legal_hold: true } },
    ],
  );
});

test('a retention that is too short, and an operator, are refused', async () => {
  const { status, body } = await put({ ...forEver, messages: 2, audit: 0 });
  assert.equal(status, 400);
  assert.deepEqual(body, {
    messages: ['Ensure this value is greater than or equal to 3.'],
    audit: ['Ensure this value is greater than or equal to 1.'],
  });
  const operator = await signIn(context, { projectId: partner.projectId, role: 'operator' });
  assert.equal((await call('PUT', path, { headers: operator.headers, body: forEver })).status, 403);
  assert.equal((await call('GET', path, { headers: operator.headers })).status, 403);
});
