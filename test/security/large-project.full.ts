import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/platform/database/database.ts';
import { testDatabaseKind } from '../database.ts';
import { postgresBinaries } from '../postgres.ts';
import { addressOf, patient, templateName } from '../test-server.ts';
import { send } from './answers.ts';
import { type Explained, startExplainingServer } from './explained.ts';
import { heardLog } from './heard-log.ts';
import { multiply } from './multiply.ts';
import { renewed } from './places.ts';
import { requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { startScene } from './scene.ts';

/** Of each row that a project gathers it has so many more. */
const times = 6_000;
/** Less than there is, and more than twice the 10,000 rows at which some lists end. On the embedded database: 50 ms. */
const most = 25_000;

const onServer =
  testDatabaseKind === 'server' ? {} : { skip: 'Only a server says what each statement looks at.' };

/** One call of every route, in a project that has very much. Returns what the statements looked at. */
async function callEverything(): Promise<Explained[]> {
  const server = await startExplainingServer({ after }, postgresBinaries() ?? '');
  const { administrator } = server;
  await administrator`create database large template ${administrator(templateName)}`;
  const { log } = heardLog('error');
  const databaseUrl = addressOf(server.url, 'large');
  const database = await openDatabase({ databaseUrl, limits: patient, dataDir: '', log });
  after(() => database.close());
  const { patchbay, clock, alpha, ...scene } = await startScene(
    { after },
    { log, database, config: { roles: ['api'] } },
  );
  await multiply(database.longSql, alpha.projectId, times);
  await database.longSql`vacuum analyze`;
  await server.begin();
  for (const probe of probesOf(alpha, scene.widgetVersion, scene.webhookUrl)) {
    clock.advance(11_000);
    await database.sql`delete from rates`;
    await database.sql`delete from sign_in_attempts`;
    await server.label(probe.route);
    await send(patchbay.address, requestOf(renewed(probe)));
  }
  return server.read();
}

test('no statement of a call looks at everything that a project has gathered', onServer, async () => {
  const statements = await callEverything();
  assert.ok(statements.length > 3_000, `${statements.length} statements`);
  const large = statements.filter(({ rows }) => rows > most);
  assert.deepEqual(
    large.map(
      ({ during, text, rows }) => `${during}: ${rows} rows, ${text.replace(/\s+/g, ' ').slice(0, 200)}`,
    ),
    [],
  );
});
