import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answerWith, startMessenger as startReceiver } from '../../../test/stand-ins/messenger.ts';
import { startDeliveries } from '../../../test/webhook-harness.ts';
import { noteHealth } from './health.ts';

const { context, sql, clock, webhook, deliver, event, endpoint } = await startDeliveries({ after });
const hour = 3_600_000;

test('410 disables the endpoint at once, and its waiting events stay', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  receiver.behave(answerWith(410));
  const [id = ''] = await hook.announce(context.newId());
  await deliver();
  const state = await endpoint(hook);
  assert.deepEqual(state?.disabled_at, clock.now());
  assert.match(state?.disabled_reason ?? '', /410/);

  clock.advance(10_000);
  await deliver();
  assert.equal(receiver.deliveries.length, 1);
  assert.deepEqual(await event(id), { state: 'PENDING', attempts: 1, finished_at: null });
});

test('nothing but failures for exactly 120 hours disables the endpoint', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  receiver.behave(answerWith(500));
  const begun = clock.now();
  const fail = async () => {
    await hook.announce(context.newId());
    await deliver();
  };
  await fail();
  assert.deepEqual((await endpoint(hook))?.failing_since, begun);
  clock.advance(119 * hour);
  await fail();
  assert.deepEqual(
    [(await endpoint(hook))?.failing_since, (await endpoint(hook))?.disabled_at],
    [begun, null],
  );
  clock.advance(hour);
  await fail();
  assert.deepEqual((await endpoint(hook))?.disabled_at, clock.now());
  assert.match((await endpoint(hook))?.disabled_reason ?? '', /120 hours/);
});

test('one success in between restarts the 120 hours', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const one = async (status: number) => {
    receiver.behave(answerWith(status));
    await hook.announce(context.newId());
    await deliver();
  };
  await one(500);
  clock.advance(119 * hour);
  // The receiver is asked about the first event as well.
  await one(200);
  assert.deepEqual(await endpoint(hook), { failing_since: null, disabled_at: null, disabled_reason: null });
  clock.advance(2 * hour);
  await one(500);
  assert.deepEqual((await endpoint(hook))?.failing_since, clock.now());
  assert.equal((await endpoint(hook))?.disabled_at, null);
});

test('an old address’s answers do not count against its replacement', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  await sql`update endpoints set url = 'https://new.example/' where id = ${hook.endpointId}`;
  const called = (url: string) => ({
    id: hook.endpointId,
    project_id: hook.projectId,
    url,
    sealed_secrets: Buffer.alloc(0),
    failing_since: null,
  });
  const answered = (status: number) => ({
    startedAt: clock.now(),
    durationMs: 1,
    status,
    retryAfterMs: null,
    error: null,
    answer: '',
  });
  const old = called(receiver.url);
  await noteHealth(context, [{ endpoint: old, attempt: answered(500) }]);
  await noteHealth(context, [
    { endpoint: called('https://new.example/'), attempt: answered(200) },
    { endpoint: old, attempt: answered(410) },
  ]);
  assert.deepEqual(await endpoint(hook), { failing_since: null, disabled_at: null, disabled_reason: null });
});

test('outdated knowledge of an endpoint neither clears its failures nor disables it', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const longAgo = new Date(clock.now().getTime() - 200 * hour);
  const known = (url: string) => ({
    id: hook.endpointId,
    project_id: hook.projectId,
    url,
    sealed_secrets: Buffer.alloc(0),
    failing_since: longAgo,
  });
  const attempt = (status: number) => ({
    startedAt: clock.now(),
    durationMs: 1,
    status,
    retryAfterMs: null,
    error: null,
    answer: '',
  });
  // An endpoint that answers some of several calls with success is healthy.
  const healthy = { ...known(receiver.url), failing_since: null };
  await noteHealth(context, [
    { endpoint: healthy, attempt: attempt(500) },
    { endpoint: healthy, attempt: attempt(200) },
  ]);
  assert.equal((await endpoint(hook))?.failing_since, null);
  // The endpoint has had a success since, and has begun to fail again.
  await sql`update endpoints set failing_since = ${clock.now()} where id = ${hook.endpointId}`;
  await noteHealth(context, [{ endpoint: known(receiver.url), attempt: attempt(500) }]);
  await noteHealth(context, [{ endpoint: known('https://old.example/'), attempt: attempt(200) }]);
  const { failing_since, disabled_at } = (await endpoint(hook)) ?? {};
  assert.deepEqual([failing_since, disabled_at], [clock.now(), null]);
});
