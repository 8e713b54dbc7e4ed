import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import pino from 'pino';
import postgres from 'postgres';
import { type Database, openDatabase } from '../src/storage/database.ts';
import { embeddedFolder } from './embedded-folder.ts';
import { postgresBinaries } from './postgres.ts';
import { addressOf, startTestServer, templateName } from './test-server.ts';

/** Something that ends: a test, or a whole file through `node:test`'s `after`. */
export type Lifetime = { after(cleanUp: () => Promise<void>): void };

export const testDatabaseKind = process.env.PATCHBAY_TEST_DATABASE === 'server' ? 'server' : 'embedded';

const log = pino({ level: 'silent' });

/** A migrated, empty database of its own, of the kind that PATCHBAY_TEST_DATABASE names; gone when the test ends. */
export async function testDatabase(lifetime: Lifetime): Promise<Database> {
  return testDatabaseKind === 'server' ? await serverDatabase(lifetime) : await embeddedDatabase(lifetime);
}

async function embeddedDatabase(lifetime: Lifetime): Promise<Database> {
  const dataDir = await embeddedFolder();
  const database = await openDatabase({ dataDir, log, exclusive: true });
  lifetime.after(async () => {
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  return database;
}

async function serverDatabase(lifetime: Lifetime): Promise<Database> {
  const server = await testServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const administrator = postgres(server, { max: 1, onnotice: () => {} });
  await administrator`create database ${administrator(name)} template ${administrator(templateName)}`;
  const database = await openDatabase({ databaseUrl: addressOf(server, name), dataDir: '', log });
  lifetime.after(async () => {
    await database.close();
    await administrator`drop database ${administrator(name)} with (force)`;
    await administrator.end();
  });
  return database;
}

let ownServer: Promise<string> | undefined;

/** The server that `test/run.ts` has started, or for a file that is run by hand one of its own. */
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
