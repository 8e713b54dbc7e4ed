import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';

// Half past ten in the evening.
const clock = manualClock(new Date('2026-11-20T22:30:00.000Z'));
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;

async function scene(t: TestContext, settings: object) {
  const partner = await createPartner(t, patchbay);
  const { projectId } = partner;
  const { headers } = await signIn(context, { projectId, name: 'Ada' });
  const operator = await signIn(context, { projectId, role: 'operator', name: 'Olga' });
  await call('PATCH', '/console/api/settings/', { headers, body: settings });
  const mail = async (body: object = {}): Promise<string> => {
    const made = await call('POST', '/api/partners/mailings/', {
      headers: partner.key,
      body: { name: 'Recall', text: 'Hello', filter_chats: { all: [] }, ...body },
    });
    return made.body.uuid;
  };
  const detail = async (mailing: string) =>
    (await call('GET', `/console/api/mailings/${mailing}/`, { headers })).body;
  const override = (mailing: string, body: object, as: Record<string, string> = headers) =>
    call('POST', `/console/api/mailings/${mailing}/overrides/`, { headers: as, body });
  return { partner, headers, operator: operator.headers, mail, detail, override };
}

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    context.wake.wake('planning');
    await new Promise(setImmediate);
  }
}

const night = { quiet_from: '21:00', quiet_until: '09:00' };

test('an administrator lets a running mailing ignore quiet hours: what waits is sent, and the reason stays', async (t) => {
  const { partner, operator, mail, detail, override } = await scene(t, night);
  for (const name of ['ann', 'bob', 'cid']) await partner.client(name);
  const [mailing, other] = [await mail(), await mail()];
  for (const uuid of [mailing, other]) await waitFor(async () => (await detail(uuid)).quiet?.count === 3);
  assert.deepEqual((await detail(mailing)).obeys, { quiet_hours: true, cap: false });

  assert.equal((await override(mailing, { quiet_hours: true, reason: 'x' }, operator)).status, 403);
  assert.deepEqual((await override(mailing, { quiet_hours: true })).body, {
    reason: ['This field is required.'],
  });
  assert.equal((await override(mailing, { quiet_hours: true, reason: ' ' })).status, 400);
  assert.equal((await override(mailing, { reason: 'A recall' })).status, 400);
  assert.equal(partner.messenger.deliveries.length, 0);

  assert.equal((await override(mailing, { quiet_hours: true, reason: 'A recall' })).status, 204);
  const allowedAt = clock.now().toISOString();
  clock.advance(2_000);
  await waitFor(async () => (await detail(mailing)).summary.counts.sent === 3);
  const { obeys, overrides, quiet } = await detail(mailing);
  assert.deepEqual([obeys.quiet_hours, quiet], [false, null]);
  assert.deepEqual(overrides, [
    { quiet_hours: true, cap: false, reason: 'A recall', author: 'Ada', at: allowedAt },
  ]);
  assert.equal((await detail(other)).quiet.count, 3);
  assert.equal(partner.messenger.deliveries.length, 3);
});

test('a planned mailing that may ignore the rules waits for nobody, and one that has ended is not changed', async (t) => {
  const { partner, mail, detail, override } = await scene(t, { ...night, cap_messages: 1, cap_days: 7 });
  await partner.client('ann');
  const planned_at = new Date(clock.now().getTime() + 60_000).toISOString();
  const [first, second] = [await mail({ planned_at }), await mail({ planned_at })];
  const body = { quiet_hours: true, cap: true, reason: 'A recall' };
  for (const mailing of [first, second]) assert.equal((await override(mailing, body)).status, 204);
  clock.advance(60_000);
  for (const mailing of [first, second]) {
    await waitFor(async () => {
      clock.advance(1_000);
      return (await detail(mailing)).summary.state === 'completed';
    });
    assert.equal((await detail(mailing)).summary.counts.sent, 1);
  }
  const late = await override(first, body);
  assert.deepEqual([late.status, (await detail(first)).overrides.length], [400, 1]);
});
