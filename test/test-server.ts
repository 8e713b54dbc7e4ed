import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { openDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { createPool } from '../src/platform/database/pool.ts';
import { readDatabaseUrl } from '../src/platform/database/server-address.ts';
import { type PrivateServer, startPostgres } from './postgres.ts';

export const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

/** The migrated, empty database that the tests' databases are copied from. */
export const templateName = 'patchbay_template';

/** A server whose machine is busy with other tests is slow. */
export const patient = { statementTimeoutMs: 60_000, connectMs: 60_000 };

/** A private PostgreSQL with the template. */
export async function startTestServer(
  binaries: string,
  settings: readonly string[] = [],
): Promise<PrivateServer> {
  const server = await startPostgres(binaries, settings);
  const administrator = await createPool(readDatabaseUrl(server.url), { max: 1, ...patient });
  await administrator`create database ${administrator(templateName)}`;
  await administrator.end();
  const databaseUrl = addressOf(server.url, templateName);
  const database = await openDatabase({
    databaseUrl,
    limits: patient,
    dataDir: '',
    log: pino({ level: 'silent' }),
  });
  await migrate(database.longSql, migrations);
  await database.close();
  return server;
}

export function addressOf(serverUrl: string, databaseName: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${databaseName}`;
  return url.href;
}
