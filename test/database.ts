import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Database, openDatabase, type Sql } from '../src/platform/database/database.ts';
import { createPool } from '../src/platform/database/pool.ts';
import { readDatabaseUrl } from '../src/platform/database/server-address.ts';
import { embeddedFolder } from './embedded-folder.ts';
import { postgresBinaries } from './postgres.ts';
import { addressOf, patient, startTestServer, templateName } from './test-server.ts';

/** The owner of a resource: a test, or a whole file through `node:test`'s `after`. */
export type Lifetime = { after(cleanUp: () => Promise<void>): void };

export const testDatabaseKind = process.env.PATCHBAY_TEST_DATABASE === 'server' ? 'server' : 'embedded';

const log = pino({ level: 'silent' });

export type TestDatabase = Database & {
  /** The environment in which programs find the database. */
  environment: { DATABASE_URL: string } | { PATCHBAY_DATA_DIR: string };
};

/** A new database, migrated and empty, of the kind in PATCHBAY_TEST_DATABASE. It is deleted when the test ends. */
export async function testDatabase(lifetime: Lifetime): Promise<TestDatabase> {
  return testDatabaseKind === 'server' ? await serverDatabase(lifetime) : await embeddedDatabase(lifetime);
}

async function embeddedDatabase(lifetime: Lifetime): Promise<TestDatabase> {
  const dataDir = await embeddedFolder();
  const database = await openDatabase({ dataDir, log, exclusive: true });
  lifetime.after(async () => {
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  return { ...database, environment: { PATCHBAY_DATA_DIR: dataDir } };
}

async function serverDatabase(lifetime: Lifetime): Promise<TestDatabase> {
  const server = await testServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const administrator = await createPool(readDatabaseUrl(server), { max: 1, ...patient });
  // The default strategy, which writes WAL page by page, would take five times as long.
  await administrator`
    create database ${administrator(name)} template ${administrator(templateName)} strategy file_copy`;
  const databaseUrl = addressOf(server, name);
  const database = await openDatabase({ databaseUrl, limits: patient, dataDir: '', log });
  lifetime.after(async () => {
    await database.close();
    const deadlocks = await deadlocksIn(administrator, name);
    await administrator`drop database ${administrator(name)} with (force)`;
    await administrator.end();
    assert.equal(deadlocks, 0, 'statements have waited for each other: lock rows in one order');
  });
  return { ...database, environment: { DATABASE_URL: databaseUrl } };
}

/** Sessions report theirs when they end. */
async function deadlocksIn(sql: Sql, database: string): Promise<number> {
  const [row] = await sql<[{ deadlocks: number }]>`
    select deadlocks::int as deadlocks from pg_stat_database where datname = ${database}`;
  return row.deadlocks;
}

/** Where programs find a new database of this kind. Nothing has been made in it yet. */
export async function newPlace(
  lifetime: Lifetime,
  kind: Database['kind'],
): Promise<TestDatabase['environment']> {
  if (kind === 'embedded') {
    const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-test-'));
    lifetime.after(() => rm(dataDir, { recursive: true, force: true }));
    return { PATCHBAY_DATA_DIR: dataDir };
  }
  const server = await testServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const administrator = await createPool(readDatabaseUrl(server), { max: 1, ...patient });
  await administrator`create database ${administrator(name)}`;
  lifetime.after(async () => {
    await administrator`drop database ${administrator(name)} with (force)`;
    await administrator.end();
  });
  return { DATABASE_URL: addressOf(server, name) };
}

let ownServer: Promise<string> | undefined;

/** The server that `test/run.ts` has started. A file that is run by hand starts its own. */
function testServer(): Promise<string> {
  const given = process.env.PATCHBAY_TEST_SERVER;
  if (given) return Promise.resolve(given);
  ownServer ??= startOwnServer();
  return ownServer;
}

async function startOwnServer(): Promise<string> {
  const binaries = postgresBinaries();
  if (!binaries) throw new Error('PostgreSQL binaries not found: set PG_BIN to their directory.');
  return (await startTestServer(binaries)).url;
}
