import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { settleAddresses } from '../access/operators/settle-addresses.ts';
import { type Config, loadConfig } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { databaseClock } from '../platform/database/clock.ts';
import { DataFolderInUse } from '../platform/database/data-folder.ts';
import { type Database, isDatabaseUnavailable, openDatabase } from '../platform/database/database.ts';
import { migrate, migrationsDirectory } from '../platform/database/migrate.ts';
import { uuidv7 } from '../platform/id.ts';
import { createLog } from '../platform/log.ts';
import { createVault } from '../platform/secrets/vault.ts';

/** The part of a service's context that a command needs. */
export type Tools = Pick<Context, 'config' | 'sql' | 'clock' | 'newId' | 'vault' | 'log'>;

const patienceMs = 10_000;
const stepMs = 100;

/** Logs warnings only, and to standard error: standard output belongs to the command's answer. */
export const commandLog = () => createLog('warn', pino.destination({ fd: 2, sync: true }));

/** Opens the configured installation while `work` runs, also beside a running server. */
export async function withTools<Result>(work: (tools: Tools) => Promise<Result>): Promise<Result> {
  const config = loadConfig();
  const log = commandLog();
  const { database } = await openMigrated(config, log);
  try {
    return await work(await toolsOf(config, database, log));
  } finally {
    await database.close();
  }
}

/** Opens the database and migrates it to this version. */
export async function openMigrated(
  config: Config,
  log: Context['log'],
  say = (progress: string): void => log.info(progress),
): Promise<{ database: Database; applied: string[] }> {
  const { database, prepared } = await openPrepared(config, log, async ({ kind, longSql }) => {
    const applied = await migrate(longSql, migrationsDirectory, { say, isShared: kind === 'server' });
    await settleAddresses(longSql);
    return applied;
  });
  return { database, applied: prepared };
}

/**
 * Opens the database. The embedded one may just be changing its process. A server may be about to listen. A command
 * may be ending with the database that others had joined.
 */
export async function openPrepared<Prepared>(
  config: Config,
  log: Context['log'],
  prepare: (database: Database) => Promise<Prepared>,
): Promise<{ database: Database; prepared: Prepared }> {
  for (let waited = 0; ; waited += stepMs) {
    try {
      return await tryToOpen(config, log, prepare);
    } catch (error) {
      const isPassing = error instanceof DataFolderInUse || isDatabaseUnavailable(error);
      if (config.databaseUrl !== null || !isPassing || waited >= patienceMs) throw error;
      await pause(stepMs);
    }
  }
}

async function tryToOpen<Prepared>(
  config: Config,
  log: Context['log'],
  prepare: (database: Database) => Promise<Prepared>,
): Promise<{ database: Database; prepared: Prepared }> {
  const database = await openDatabase({ ...config, log });
  try {
    return { database, prepared: await prepare(database) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function toolsOf(config: Config, database: Database, log: Context['log']): Promise<Tools> {
  const clock = await databaseClock(database, log);
  clock.stop();
  const newId = () => uuidv7(clock.now());
  return { config, sql: database.sql, clock, newId, vault: createVault(config.secretKey), log };
}
