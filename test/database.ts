import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import postgres from 'postgres';
import { type Database, openDatabase } from '../src/storage/database.ts';
import { embeddedTemplate } from './embedded-template.ts';

/** Something that ends: a test, or a whole file through `node:test`'s `after`. */
type Lifetime = { after(cleanUp: () => Promise<void>): void };

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
const log = pino({ level: 'silent' });

/** A migrated, empty database of its own, of the kind that PATCHBAY_TEST_DATABASE names; gone when the test ends. */
export async function testDatabase(lifetime: Lifetime): Promise<Database> {
  return process.env.PATCHBAY_TEST_DATABASE === 'server'
    ? await serverDatabase(lifetime)
    : await embeddedDatabase(lifetime);
}

async function embeddedDatabase(lifetime: Lifetime): Promise<Database> {
  const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-test-'));
  await cp(await embeddedTemplate(migrations), dataDir, { recursive: true });
  const database = await openDatabase({ dataDir, log, exclusive: true });
  lifetime.after(async () => {
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  return database;
}

async function serverDatabase(lifetime: Lifetime): Promise<Database> {
  const address = process.env.PATCHBAY_TEST_SERVER;
  if (!address)
    throw new Error('PATCHBAY_TEST_DATABASE=server needs a server; run the tests through `npm test`.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const administrator = postgres(address, { max: 1, onnotice: () => {} });
  await administrator`create database ${administrator(name)} template patchbay_template`;
  const url = new URL(address);
  url.pathname = `/${name}`;
  const database = await openDatabase({ databaseUrl: url.href, dataDir: '', log });
  lifetime.after(async () => {
    await database.close();
    await administrator`drop database ${administrator(name)} with (force)`;
    await administrator.end();
  });
  return database;
}
