import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, type Partner, startPatchbay } from '../../../test/harness.ts';
import { everybody, recipientsOf, seedMailing, stateOf } from '../../../test/planning-scene.ts';
import { startPlanning } from './engine.ts';

const mailings = '/api/partners/mailings/';

async function makeClients(partner: Partner, count: number): Promise<string[]> {
  const profiles: string[] = [];
  for (let n = 0; n < count; n += 1) profiles.push((await partner.client(`client-${n}`)).profile);
  return profiles.toSorted();
}

const until = async (isReached: () => Promise<boolean>): Promise<void> => {
  while (!(await isReached()));
};

test('a posted mailing reaches every client once, and completes by itself', async (t) => {
  const { call, context } = await startPatchbay(t);
  const partner = await createPartner(t, { call, context });
  const profiles = await makeClients(partner, 5);
  const { status, body } = await call('POST', mailings, {
    headers: partner.key,
    body: { name: 'Spring', text: 'Hello', filter_chats: { all: [] } },
  });
  assert.equal(status, 201);
  const deliveries = await partner.messenger.received(5);
  await until(async () => (await stateOf(context, body.uuid)).state === 'completed');
  assert.equal(deliveries.length, 5);
  assert.equal(partner.messenger.deliveries.length, 5);
  assert.deepEqual(await recipientsOf(context, body.uuid, 'SENT'), profiles);
  const answer = await call('GET', `${mailings}${body.uuid}/`, { headers: partner.key });
  assert.equal(answer.body.state, 'completed');
  assert.equal(answer.body.statistics.count_planned, 5);
  assert.equal(answer.body.statistics.count_sent, 5);
});

test('two profiles that merge between planning and sending get the mailing once', async (t) => {
  const clock = manualClock();
  const { call, context } = await startPatchbay(t, { clock });
  const { sql, wake } = context;
  const partner = await createPartner(t, { call, context });
  const [ann, bob] = [await partner.client('ann'), await partner.client('bob')];
  await sql`update channels set state = 'paused'`;
  const { body } = await call('POST', mailings, {
    headers: partner.key,
    body: { name: 'Spring', text: 'Hello', filter_chats: { all: [] } },
  });
  await until(async () => (await stateOf(context, body.uuid)).stage === 'sending');
  await sql`update chats set profile_id = ${ann.profile} where id = ${bob.chat}`;
  await sql`update channels set state = 'active'`;
  wake.wake('sending');
  // Time stands still while work runs, because work that outlives its lease is claimed again.
  const waiting = () => sql<{ state: string; due_at: Date }[]>`
    select state, due_at from messages where mailing_id = ${body.uuid} and state in ('PENDING', 'IN_PROCESS')`;
  await until(async () => {
    const messages = await waiting();
    const [putOff] = messages;
    if (messages.length === 1 && putOff?.state === 'PENDING' && putOff.due_at > clock.now()) {
      clock.advance(putOff.due_at.getTime() - clock.now().getTime());
      wake.wake('sending');
    }
    return messages.length === 0;
  });
  await until(async () => {
    clock.advance(1_000);
    wake.wake('planning');
    return (await stateOf(context, body.uuid)).state === 'completed';
  });
  const states = await sql`select state from messages where mailing_id = ${body.uuid} order by state`;
  assert.deepEqual(
    states.map(({ state }) => state),
    ['SENT', 'UNDELIVERED'],
  );
  assert.equal(partner.messenger.deliveries.length, 1);
});

test('several engines share the due mailings, and each run is begun by one of them', async (t) => {
  const { call, context } = await startPatchbay(t, { clock: manualClock(), config: { roles: ['api'] } });
  const partner = await createPartner(t, { call, context });
  const profiles = await makeClients(partner, 4);
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    ids.push(await seedMailing(context, partner.projectId, { filter_chats: everybody }));
  }
  const engines = [startPlanning(context), startPlanning(context), startPlanning(context)];
  for (const id of ids) await until(async () => (await stateOf(context, id)).stage === 'sending');
  await Promise.all(engines.map((engine) => engine.stop()));
  for (const id of ids) {
    assert.equal((await stateOf(context, id)).run, 1);
    assert.deepEqual(await recipientsOf(context, id), profiles);
  }
});

test('unavailable files delay no other mailing, and no other project’s files', async (t) => {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url === '/list') response.end('external_id\nnobody\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.closeAllConnections());
  t.after(() => void server.close());
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const file = (path: string) => ({
    field: 'EXTERNAL_ID' as const,
    customer_filter_file: `http://127.0.0.1:${address.port}${path}`,
  });

  const { call, context } = await startPatchbay(t, { clock: manualClock(), config: { roles: ['api'] } });
  const partner = await createPartner(t, { call, context });
  const neighbour = await createPartner(t, { call, context });
  const slow: string[] = [];
  for (let n = 0; n < 5; n += 1) slow.push(await seedMailing(context, partner.projectId, file('/never')));
  const engine = startPlanning(context);
  await once(server, 'request');
  const quick = await seedMailing(context, partner.projectId, { filter_chats: { any: [] } });
  const others = await seedMailing(context, neighbour.projectId, file('/list'));
  engine.wake();
  for (const id of [quick, others])
    await until(async () => (await stateOf(context, id)).state === 'completed');
  for (const id of slow) assert.equal((await stateOf(context, id)).stage, 'files');
  assert.deepEqual(asked.toSorted(), ['/list', '/never']);
  await engine.stop();
});

test('a stopping program leaves its mailing to the next one', async (t) => {
  const clock = manualClock();
  const first = await startPatchbay(t, { clock, config: { roles: ['api'] } });
  const partner = await createPartner(t, first);
  const profiles = await makeClients(partner, 3);
  const { body } = await first.call('POST', mailings, {
    headers: partner.key,
    body: { name: 'Spring', text: 'Hello', filter_chats: { all: [] } },
  });
  const ending = startPlanning(first.context);
  await ending.stop();
  const next = startPlanning(first.context);
  await until(async () => (await stateOf(first.context, body.uuid)).stage === 'sending');
  await next.stop();
  assert.deepEqual(await recipientsOf(first.context, body.uuid), profiles);
});
