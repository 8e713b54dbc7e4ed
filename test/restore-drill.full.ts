import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import pino from 'pino';
import { openDatabase, type Sql } from '../src/platform/database/database.ts';
import { newPlace, testDatabaseKind } from './database.ts';
import { lapseClaims, makeHome } from './faults/home.ts';
import { type Environment, startProgram } from './faults/program.ts';
import { postAll, postMessage, slowProvider } from './faults/traffic.ts';
import { until } from './faults/until.ts';
import type { Call } from './harness.ts';
import { postgresBinaries } from './postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-drill-'));
after(() => rmSync(folder, { recursive: true }));
const otherKind = testDatabaseKind === 'embedded' ? 'server' : 'embedded';
const main = join(import.meta.dirname, '..', 'src', 'main.ts');
const { PATH, NODE_COMPILE_CACHE } = process.env;

/** Runs the command as a person does. Returns its JSON. */
async function patchbay(environment: Environment, ...words: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words, '--json'], {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
  });
  return JSON.parse(stdout);
}

type Row = { id: string; state: string };

const messagesIn = (sql: Sql) => sql<Row[]>`select id, state from messages where direction = 'out'`;

const isWaiting = ({ state }: Row): boolean => state === 'PENDING' || state === 'IN_PROCESS';

async function withDatabase<Result>(
  environment: Environment,
  use: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const { DATABASE_URL: databaseUrl, PATCHBAY_DATA_DIR: dataDir = '' } = environment;
  const { sql, close } = await openDatabase({ databaseUrl, dataDir, log: pino({ level: 'silent' }) });
  try {
    return await use(sql);
  } finally {
    await close();
  }
}

test('a backup made while messages are sent holds all accepted ones, and the restored program sends each that waited once', {
  skip: postgresBinaries() === undefined && 'PostgreSQL is not installed',
}, async (t) => {
  const home = await makeHome(t);
  const started = Promise.withResolvers<Call>();
  const partner = await home.addPartner(t, async (...request) => (await started.promise)(...request));
  const program = await startProgram(t, home.environment);
  started.resolve(program.call);
  const { chat } = await partner.client('ann');
  const { messenger } = partner;
  messenger.behave(slowProvider);

  const accepted: string[] = [];
  const later = new Date(Date.now() + 3_600_000).toISOString();
  for (let number = 0; number < 10; number += 1) {
    const { status, body } = await program.call('POST', '/api/partners/push-messages/', {
      headers: partner.key,
      body: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Later' }, launch_at: later },
    });
    assert.equal(status, 201);
    accepted.push(body.uuid);
  }
  const posting = postAll(200, messenger, async (number) => {
    const { status, body } = await postMessage(program.call, partner, chat, number);
    assert.equal(status, 201);
    accepted.push(body.uuid);
    return body.uuid;
  });
  await messenger.received(40);
  const before = [...accepted];
  const file = join(folder, 'running.backup');
  const saved = await patchbay(home.environment, 'backup', file);
  assert.ok(saved.rows > before.length);
  await posting;
  await program.end('SIGKILL');

  const { DATABASE_URL: _, PATCHBAY_DATA_DIR: __, ...settings } = home.environment;
  const place: Environment = {
    ...settings,
    PATCHBAY_DATA_DIR: join(folder, 'restored'),
    ...(await newPlace(t, otherKind)),
  };
  assert.equal((await patchbay(place, 'restore', file)).rows, saved.rows);

  const restored = await withDatabase(place, async (sql) => {
    const rows = await messagesIn(sql);
    // What an hour would do.
    await sql`update messages set due_at = ${new Date(0)} where state = 'PENDING'`;
    await lapseClaims(sql);
    return rows;
  });
  const ids = new Set(restored.map(({ id }) => id));
  assert.deepEqual(
    before.filter((uuid) => !ids.has(uuid)),
    [],
  );
  assert.ok(restored.every(({ id }) => accepted.includes(id)));
  const waiting = restored.filter(isWaiting).map(({ id }) => id);
  assert.ok(waiting.length >= 10);

  const earlier = messenger.deliveries.length;
  const successor = await startProgram(t, place);
  await withDatabase(place, (sql) => until(async () => !(await messagesIn(sql)).some(isWaiting)));
  assert.equal(await successor.end('SIGTERM'), 0);
  const sent = messenger.deliveries.slice(earlier).map(({ body }) => body.payload.message.uuid);
  assert.deepEqual(sent.toSorted(), waiting.toSorted());
});
