import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { startHousekeeping } from './housekeeping.ts';
import { addHealthRoutes } from './http/health.ts';
import { createServer } from './http/server.ts';
import { startPolling } from './inbound/polling.ts';
import { uuidv7 } from './lib/id.ts';
import { createLog } from './lib/log.ts';
import { createOutbound } from './lib/outbound.ts';
import { createVault } from './lib/vault.ts';
import { settleAddresses } from './operators/settle-addresses.ts';
import { startPlanning } from './planning/engine.ts';
import { addRoutes } from './routes.ts';
import { startRunning } from './running/engine.ts';
import { startSending } from './sending/engine.ts';
import { databaseClock } from './storage/clock.ts';
import { type Database, isDatabaseUnavailable, openDatabase } from './storage/database.ts';
import { migrate, migrationsDirectory } from './storage/migrate.ts';
import { ping } from './storage/ping.ts';
import { createWake } from './storage/wake.ts';
import { startWebhooks } from './webhooks/engine.ts';

export type Service = {
  context: Context;
  /** Where the server listens. A process without the `api` role answers health checks only. */
  address: string;
  /** Takes no new work, finishes what is under way, and lets go of everything. Safe to call twice. */
  stop(): Promise<void>;
};

/** What a caller may bring along: tests their own time and ids, a test file its own database. */
export type Parts = Partial<Pick<Context, 'clock' | 'newId' | 'log' | 'outbound'>> & { database?: Database };

/** Only `serve` and tests own a running service. Starts in order, unwinds on failure, stops in reverse. */
export async function startService(config: Config, parts: Parts = {}): Promise<Service> {
  await using started = new AsyncDisposableStack();
  const log = parts.log ?? createLog(config.logLevel);
  const database = parts.database ?? (await openDatabase({ ...config, log, patient: true, exclusive: true }));
  if (!parts.database) started.defer(() => database.close());
  await migrate(database.longSql, migrationsDirectory);
  await settleAddresses(database.longSql);

  const context = await createContext(config, database, log, parts, started);
  if (config.roles.includes('worker')) startWorkers(context, started);
  const address = await startServer(context, started);
  log.info({ address, database: database.kind, roles: config.roles }, 'ready');

  const stack = started.move();
  let stopped: Promise<void> | undefined;
  return { context, address, stop: () => (stopped ??= stack.disposeAsync()) };
}

async function createContext(
  config: Config,
  database: Database,
  log: Logger,
  parts: Parts,
  started: AsyncDisposableStack,
): Promise<Context> {
  const clock = parts.clock ?? (await startedClock(database, log, started));
  const wake = await createWake(database, log);
  started.defer(() => wake.close());
  const outbound = parts.outbound ?? createOutbound({ allow: config.allowOutbound, log });
  if (!parts.outbound) started.defer(() => outbound.close());
  return {
    config,
    sql: database.sql,
    clock,
    newId: parts.newId ?? (() => uuidv7(clock.now())),
    vault: createVault(config.secretKey),
    outbound,
    wake,
    log,
  };
}

async function startedClock(database: Database, log: Logger, started: AsyncDisposableStack) {
  const clock = await databaseClock(database, log);
  started.defer(() => clock.stop());
  return clock;
}

function startWorkers(context: Context, started: AsyncDisposableStack): void {
  const housekeeping = startHousekeeping(context);
  started.defer(() => housekeeping.stop());
  for (const [topic, start] of [
    ['planning', startPlanning],
    ['running', startRunning],
    ['sending', startSending],
    ['webhooks', startWebhooks],
  ] as const) {
    const engine = start(context);
    const forget = context.wake.subscribe(topic, engine.wake);
    started.defer(() => engine.stop());
    started.defer(forget);
  }
  const polling = startPolling(context);
  started.defer(() => polling.stop());
}

async function startServer(context: Context, started: AsyncDisposableStack): Promise<string> {
  const { config, log, sql } = context;
  const server = createServer({ log, publicUrl: config.publicUrl, isUnavailable: isDatabaseUnavailable });
  addHealthRoutes(server, () => ping(sql));
  if (config.roles.includes('api')) addRoutes(server, context);
  started.defer(() => server.close());
  return server.listen({ port: config.port, host: config.host });
}
