import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { copyDirectory } from '../src/storage/data-directory.ts';
import { openDatabase } from '../src/storage/database.ts';
import { migrate } from '../src/storage/migrate.ts';
import { migrations } from './test-server.ts';

/** A data folder with a migrated, empty embedded database that nobody has opened; gone at the latest with the process. */
export async function embeddedFolder(): Promise<string> {
  const dataDir = await newFolder();
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  await copyDirectory(await template(), dataDir);
  return dataDir;
}

const newFolder = () => mkdtemp(join(tmpdir(), 'patchbay-test-'));

/**
 * The folder to copy. It is kept in the temporary directory under a name that changes with the migrations and the
 * lockfile, so that all test processes share it and none gets a stale one.
 */
async function template(): Promise<string> {
  const path = join(tmpdir(), `patchbay-template-${await fingerprint()}`);
  if (!existsSync(path)) await build(path);
  return path;
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(migrations, '../package-lock.json')));
  for (const name of (await readdir(migrations)).sort()) {
    hash.update(name).update(await readFile(join(migrations, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function build(path: string): Promise<void> {
  const dataDir = await newFolder();
  const database = await openDatabase({ dataDir, log: pino({ level: 'silent' }), exclusive: true });
  await migrate(database.longSql, migrations);
  await database.close();
  // Of several test files that build it at the same time, the first to arrive wins; they are all the same.
  await rename(dataDir, path).catch(() => rm(dataDir, { recursive: true }));
}
