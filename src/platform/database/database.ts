import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createRests } from '../rests.ts';
import { seldom } from '../seldom.ts';
import { DataFolderInUse, isListening, socketPath } from './data-folder.ts';
import { startEmbedded } from './embedded.ts';
import { startMaintenance } from './maintenance.ts';
import { createPool, type Pool, type PoolOptions } from './pool.ts';
import { type DatabaseAddress, embeddedAddress, readDatabaseUrl } from './server-address.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

export type { Fragment, JSONValue, Pool, Sql } from './pool.ts';
export { isDatabaseUnavailable };

export type Database = {
  /** For requests and workers. Every statement is answered within two seconds, or fails. */
  sql: Pool;
  /** For the few statements that may take minutes. The embedded database runs them in the same session. */
  longSql: Pool;
  kind: 'embedded' | 'server';
  address: DatabaseAddress;
  /** The address for LISTEN. */
  listenAddress: DatabaseAddress;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** Absent or null: the embedded database in `dataDir`. */
  databaseUrl?: string | null;
  /** The server itself, when `databaseUrl` leads to a pooler. */
  databaseListenUrl?: string | null;
  /** Connections of this process, beside two for long statements and one for LISTEN. */
  databasePoolSize?: number;
  /** How long a server may take for a statement, and to accept a client. Two seconds each, if absent. */
  limits?: Omit<PoolOptions, 'max' | 'log'>;
  dataDir: string;
  log: Logger;
  /** Waits for a server that does not answer yet, instead of failing. */
  patient?: boolean;
  /** The embedded database refuses writes while less is left on its disk. */
  diskReserveBytes?: number;
  /** Fails when another process owns the data folder, instead of working beside it. */
  exclusive?: boolean;
  /** The limit of a long statement. Ten minutes, if absent. */
  longStatementTimeoutMs?: number;
};

const embeddedPoolSize = 4;
const serverPoolSize = 10;
const statementTimeoutMs = 2_000;
/** Embedded statements wait for each other, and one that exceeds its limit ends the database's thread. */
const embeddedStatementTimeoutMs = 30_000;
const usualLongTimeoutMs = 600_000;
const startPatienceMs = 10_000;
const retryMs = 250;
const lookEveryMs = 50;

/**
 * Connects to the server at `databaseUrl`, or to the embedded database of `dataDir`. The embedded database is the
 * running one, or is started in this process and ends with it.
 * @throws DataFolderInUse
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl } = options;
  return databaseUrl ? openServer(databaseUrl, options) : openEmbedded(options);
}

async function openServer(
  url: string,
  {
    databaseListenUrl,
    databasePoolSize: max = serverPoolSize,
    limits = { statementTimeoutMs },
    longStatementTimeoutMs = usualLongTimeoutMs,
    log,
    patient,
  }: DatabaseOptions,
): Promise<Database> {
  const address = readDatabaseUrl(url);
  const listenAddress = databaseListenUrl ? readDatabaseUrl(databaseListenUrl) : address;
  // The pools search alike, and one of them tells.
  const open = () => createPool(address, { max, ...limits, log });
  const sql = await (patient ? onceThere(open, log) : open());
  const longSql = await createPool(address, {
    ...limits,
    // A migration, an index that it makes beside itself, and a look at its progress.
    max: 3,
    statementTimeoutMs: longStatementTimeoutMs,
  });
  return { sql, longSql, kind: 'server', address, listenAddress, close: () => endAll([sql, longSql]) };
}

/** A wrong address or password does not mend itself. A server that does not answer may come back. */
async function onceThere(open: () => Promise<Pool>, log: Logger): Promise<Pool> {
  const sayWhy = seldom((err: unknown) => log.warn({ err }, 'waiting for the database'));
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      sayWhy(error);
      await delay(retryMs);
    }
  }
}

async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  const { dataDir, exclusive } = options;
  if (exclusive) return ownEmbedded(options);
  const deadline = performance.now() + startPatienceMs;
  for (;;) {
    if (await isListening(socketPath(dataDir))) return joinEmbedded(options);
    try {
      return await ownEmbedded(options);
    } catch (error) {
      if (!(error instanceof DataFolderInUse) || performance.now() > deadline) throw error;
    }
    // The owner is about to listen, or to give the folder up.
    await delay(lookEveryMs);
  }
}

async function ownEmbedded(options: DatabaseOptions): Promise<Database> {
  const { dataDir, log, diskReserveBytes = 0 } = options;
  const server = await startEmbedded(dataDir, { log, reservedBytes: diskReserveBytes });
  const database = await joinEmbedded(options);
  const stopMaintenance = startMaintenance(database.longSql, log);
  return {
    ...database,
    async close() {
      stopMaintenance();
      await database.close();
      await server.close();
    },
  };
}

async function joinEmbedded({
  dataDir,
  longStatementTimeoutMs = usualLongTimeoutMs,
}: DatabaseOptions): Promise<Database> {
  const address = embeddedAddress(socketPath(dataDir));
  const rests = createRests();
  const connect = (max: number, statementTimeoutMs: number) =>
    createPool(address, { max, statementTimeoutMs, rests });
  const sql = await connect(embeddedPoolSize, embeddedStatementTimeoutMs);
  const longSql = await connect(1, longStatementTimeoutMs);
  const close = () => endAll([sql, longSql]);
  return { sql, longSql, kind: 'embedded', address, listenAddress: address, close };
}

async function endAll(pools: Pool[]): Promise<void> {
  await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })));
}
