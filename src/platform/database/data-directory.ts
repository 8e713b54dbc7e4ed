import { constants, existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

// Segments of 1 MB keep a new database small. Checksums would write a page of WAL for every page that is only read.
const initdbParameters = ['--wal-segsize=1', '--no-data-checksums'];

/**
 * Makes an empty database in a directory that does not exist yet. A kill in between leaves no half-finished one.
 * initdb takes seconds. `npm ci` therefore runs it once, and every first start copies the result if it exists.
 */
export async function makeDatabase(directory: string): Promise<void> {
  const draft = `${directory}.new`;
  await rm(draft, { recursive: true, force: true });
  if (existsSync(templateDirectory)) await copyDirectory(templateDirectory, draft);
  else await initialize(draft);
  await rename(draft, directory);
}

/** npm runs this after it has installed the packages. */
export async function makeTemplate(): Promise<void> {
  if (existsSync(templateDirectory)) return;
  await mkdir(dirname(templateDirectory), { recursive: true });
  await makeDatabase(templateDirectory);
}

export const copyDirectory = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });

async function initialize(directory: string): Promise<void> {
  const database = await PGlite.create(directory, { initDbStartParams: initdbParameters });
  await database.close();
}

const nodeModules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const templateDirectory = join(nodeModules, '.cache', 'patchbay', `database-${pgliteVersion()}`);

function pgliteVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return version;
}
