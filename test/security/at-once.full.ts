import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startService } from '../../src/service.ts';
import { testDatabase } from '../database.ts';
import { testConfig } from '../harness.ts';
import { twoProcesses } from '../waiting.ts';
import { assertHarmless, send } from './answers.ts';
import { heardLog } from './heard-log.ts';
import { renewed } from './places.ts';
import { type Probe, requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { startScene } from './scene.ts';

/** Calls of two processes on one server at the same moment. Nothing fails, and nothing waits in a circle. */

const { log, lines } = heardLog('error');
const database = await testDatabase({ after });
const scene = await startScene({ after }, { log, database, config: { roles: ['api', 'worker'] } });
const { patchbay, clock } = scene;
const { config, sql } = patchbay.context;
const shared = { ...database, close: async () => {} };
const second = await startService(testConfig({ ...config, port: 0 }), { log, clock, database: shared });
after(() => second.stop());

const writesOf = (own: typeof scene.alpha): Probe[] =>
  probesOf(own, scene.widgetVersion, scene.webhookUrl).filter(({ route }) => !route.startsWith('GET '));

/** These calls end what the others need. */
const ends = ({ route }: Probe): boolean => /^DELETE |\/(stop|revoke|sign-out|password)\//.test(route);

async function callAtOnce(calls: readonly Probe[]): Promise<void> {
  // Throttles reopen.
  clock.advance(11_000);
  await sql`delete from rates`;
  await sql`delete from sign_in_attempts`;
  await Promise.all(
    calls.map(async (probe, index) => {
      const { address } = index % 2 === 0 ? patchbay : second;
      assertHarmless(await send(address, requestOf(probe)));
    }),
  );
}

async function deadlocks(): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select deadlocks::int as count from pg_stat_database where datname = current_database()`;
  return row.count;
}

test('each write, twenty times at once, fails nowhere', twoProcesses, async () => {
  const probes = writesOf(scene.alpha).toSorted((one, other) => Number(ends(one)) - Number(ends(other)));
  for (const probe of probes) await callAtOnce(Array.from({ length: 20 }, () => probe));
  assert.equal(await deadlocks(), 0);
  assert.equal(lines(), '');
});

test('different writes of one project at once fail nowhere', twoProcesses, async () => {
  const probes = writesOf(scene.bravo);
  // Neighbours in the list concern the same things, and every third call is of another kind.
  for (let from = 0; from < probes.length; from += 6) {
    const together = [
      ...probes.slice(from, from + 12),
      ...probes.filter((_, index) => index % 12 === from % 12),
    ];
    await callAtOnce(together.flatMap((probe) => [probe, renewed(probe), probe, renewed(probe)]));
  }
  assert.equal(await deadlocks(), 0);
  assert.equal(lines(), '');
});
