import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { openDatabase } from '../src/storage/database.ts';
import { migrate } from '../src/storage/migrate.ts';

/**
 * A migrated data folder to copy: initdb takes seconds, a copy a tenth of one. It is kept in the temporary directory
 * under a name that changes with the migrations and the lockfile, so that runs share it and none gets a stale one.
 */
export async function embeddedTemplate(migrations: string): Promise<string> {
  const template = join(tmpdir(), `patchbay-template-${await fingerprint(migrations)}`);
  if (!existsSync(template)) await build(template, migrations);
  return template;
}

async function fingerprint(migrations: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(migrations, '../package-lock.json')));
  for (const name of (await readdir(migrations)).sort()) hash.update(await readFile(join(migrations, name)));
  return hash.digest('hex').slice(0, 16);
}

async function build(template: string, migrations: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-test-'));
  const database = await openDatabase({ dataDir, log: pino({ level: 'silent' }), exclusive: true });
  await migrate(database.sql, migrations);
  await database.close();
  // Of several test files that build it at the same time, the first to arrive wins; they are all the same.
  await rename(dataDir, template).catch(() => rm(dataDir, { recursive: true }));
}
