import { createHash } from 'node:crypto';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { openDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { migrations } from './test-server.ts';

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * A data folder with a migrated, empty embedded database that is not open. It is deleted with the process at the
 * latest.
 */
export async function embeddedFolder(): Promise<string> {
  const dataDir = await newFolder();
  folders.push(dataDir);
  await keepCompiled();
  // A thousand small files, which this copies ten times as fast as the asynchronous function.
  cpSync(await template(), dataDir, { recursive: true });
  return dataDir;
}

/** Missing in Node's types. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

let compiled: Promise<object> | undefined;

/**
 * V8 compiles PGlite once for all of a process's databases while a reference is held. Otherwise it compiles again for
 * each database that is opened after another was closed. That costs more than most test files do.
 */
function keepCompiled(): Promise<object> {
  compiled ??= readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))).then((bytes) =>
    WebAssembly.compile(bytes),
  );
  return compiled;
}

const newFolder = () => mkdtemp(join(tmpdir(), 'patchbay-test-'));

let path: Promise<string> | undefined;

/**
 * The folder to copy, kept beside the packages. Its name changes with the migrations and the lockfile. All test
 * processes share it, and none gets a stale one.
 */
function template(): Promise<string> {
  path ??= findTemplate();
  return path;
}

async function findTemplate(): Promise<string> {
  const place = join(cache, `migrated-${await fingerprint()}`);
  if (!existsSync(place)) await build(place);
  return place;
}

const cache = join(import.meta.dirname, '..', 'node_modules', '.cache', 'patchbay');

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(migrations, '../package-lock.json')));
  for (const name of (await readdir(migrations)).sort()) {
    hash.update(name).update(await readFile(join(migrations, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function build(place: string): Promise<void> {
  const dataDir = await newFolder();
  const database = await openDatabase({ dataDir, log: pino({ level: 'silent' }), exclusive: true });
  await migrate(database.longSql, migrations);
  await database.close();
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'draft-'));
  cpSync(dataDir, draft, { recursive: true });
  await rm(dataDir, { recursive: true });
  // If several test files build it at the same time, the first wins. All are the same.
  await rename(draft, place).catch(() => rm(draft, { recursive: true }));
}
