import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Sql } from '../../src/platform/database/database.ts';
import type { Lifetime } from '../harness.ts';
import { answerWith, type Behaviour } from '../stand-ins/messenger.ts';
import { makeHome } from './home.ts';
import { startProgram } from './program.ts';
import { postMessage } from './traffic.ts';
import { until } from './until.ts';

type Plan = {
  messages: number;
  /** Whether the test ends the claims of the lost worker. Otherwise the other worker waits for their end. */
  lapse: boolean;
};

/** A call that lasts until the provider answers. */
type OpenCall = { id: string; response: ServerResponse };

/**
 * Kills one worker during its calls, beside another worker with its own calls. Resolves with the milliseconds until
 * the other has repeated the dead one's last message.
 */
export async function killOneOfTwo(lifetime: Lifetime, plan: Plan) {
  const scene = await setUp(lifetime);
  const { messenger, openCalls } = scene;
  const [killed, survivor] = [await scene.startWorker(), await scene.startWorker()];
  // A stopped process claims none of the messages that arrive meanwhile.
  survivor.signal('SIGSTOP');
  await scene.post(plan.messages);
  await messenger.received(plan.messages);
  const orphans = openCalls.splice(0);
  killed.signal('SIGSTOP');
  survivor.signal('SIGCONT');
  await scene.post(plan.messages);
  await messenger.received(2 * plan.messages);

  messenger.behave(answerWith(200));
  const killedAt = performance.now();
  await killed.end('SIGKILL');
  for (const { response } of openCalls) response.end('{}');
  if (plan.lapse) await scene.look((sql) => lapse(sql, orphans));
  await messenger.received(3 * plan.messages);
  const takenOverMs = Math.round(performance.now() - killedAt);

  await until(async () => (await scene.look(rowsOf)).every(({ state }) => state === 'SENT'));
  for (const { id } of orphans) assert.equal(scene.timesReceived(id), 2);
  for (const { id } of openCalls) assert.equal(scene.timesReceived(id), 1);
  return { orphans: orphans.length, others: openCalls.length, takenOverMs };
}

/** Pauses a worker until another has taken over its work, and lets it return with its own results. */
export async function pauseOneOfTwo(lifetime: Lifetime, plan: Plan) {
  const scene = await setUp(lifetime);
  const { messenger, openCalls } = scene;
  const paused = await scene.startWorker();
  await scene.post(plan.messages);
  await messenger.received(plan.messages);
  const late = openCalls.splice(0);

  paused.signal('SIGSTOP');
  await scene.startWorker();
  if (plan.lapse) await scene.look((sql) => lapse(sql, late));
  await messenger.received(2 * plan.messages);
  const rows = await scene.look(rowsOf);

  for (const { response } of late) response.writeHead(422).end('{}');
  paused.signal('SIGCONT');
  // A worker ends in order only when its results were written or refused.
  assert.equal(await paused.end('SIGTERM'), 0);
  assert.deepEqual(await scene.look(rowsOf), rows);

  // Calls beyond their time limit are repeated, so the test must end them.
  messenger.behave(answerWith(200));
  for (const { response } of openCalls) response.end('{}');
  await until(async () => (await scene.look(rowsOf)).every(({ state }) => state === 'SENT'));
  assert.equal(messenger.deliveries.length, 2 * plan.messages);
  return { late: late.length };
}

/** A program that accepts messages, and a provider that does not answer until the test lets it. */
async function setUp(lifetime: Lifetime) {
  const { environment, look, addPartner } = await makeHome(lifetime);
  const api = await startProgram(lifetime, { ...environment, PATCHBAY_ROLES: 'api' });
  const partner = await addPartner(lifetime, api.call);
  const { chat } = await partner.client('ann');
  const openCalls: OpenCall[] = [];
  const hold: Behaviour = ({ body }, response) =>
    void openCalls.push({ id: body.payload.message.uuid, response });
  partner.messenger.behave(hold);
  let posted = 0;
  return {
    look,
    openCalls,
    messenger: partner.messenger,
    startWorker: () => startProgram(lifetime, { ...environment, PATCHBAY_ROLES: 'worker' }),
    async post(count: number): Promise<void> {
      for (let number = 0; number < count; number += 1) {
        const { status } = await postMessage(api.call, partner, chat, posted);
        posted += 1;
        assert.equal(status, 201);
      }
    },
    timesReceived: (id: string) =>
      partner.messenger.deliveries.filter(({ body }) => body.payload.message.uuid === id).length,
  };
}

/** Only these claims: other workers continue with theirs. */
async function lapse(sql: Sql, calls: OpenCall[]): Promise<void> {
  const ids = calls.map(({ id }) => id);
  await sql`update messages set leased_until = ${new Date(Date.now() - 1000)} where id = any (${ids})`;
}

const rowsOf = (sql: Sql) => sql<{ state: string }[]>`
  select id, state, state_detail, lease, attempts, provider_id, sent_at
  from messages where direction = 'out' order by id`;
