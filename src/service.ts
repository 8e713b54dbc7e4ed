import type { Logger } from 'pino';
import { settleAddresses } from './access/operators/settle-addresses.ts';
import type { Connections } from './channels/connected/connections.ts';
import { startWebhooks } from './events/delivery/engine.ts';
import { housekeeping } from './housekeeping.ts';
import { startPlanning } from './mailings/planning/engine.ts';
import { startFetching } from './messaging/inbound/fetching.ts';
import { startHolding } from './messaging/inbound/holding.ts';
import { startNaming } from './messaging/inbound/naming.ts';
import { startSending } from './messaging/sending/engine.ts';
import type { Config } from './platform/config.ts';
import type { Context } from './platform/context.ts';
import { databaseClock } from './platform/database/clock.ts';
import { type Database, isDatabaseUnavailable, openDatabase } from './platform/database/database.ts';
import { migrate, migrationsDirectory } from './platform/database/migrate.ts';
import { ping } from './platform/database/ping.ts';
import { startStatistics } from './platform/database/statistics.ts';
import { createWake } from './platform/database/wake.ts';
import { addHealthRoutes } from './platform/http/health.ts';
import { observeRequests } from './platform/http/observe.ts';
import { createServer } from './platform/http/server.ts';
import { uuidv7 } from './platform/id.ts';
import { startJobs } from './platform/jobs/jobs.ts';
import { createLog } from './platform/log.ts';
import { createOutbound } from './platform/outbound/outbound.ts';
import { createCell } from './platform/pump/suspects.ts';
import { createVault } from './platform/secrets/vault.ts';
import { createMetrics } from './platform/telemetry/metrics.ts';
import { startTraces } from './platform/telemetry/traces.ts';
import { addRoutes } from './routes.ts';
import { startScenarioRuns } from './scenarios/runs/engine.ts';
import { serveMetrics } from './telemetry/serve.ts';

export type Service = {
  context: Context;
  /** The address of the server. A process without the `api` role answers health checks only. */
  address: string;
  /** Accepts no new work, finishes running work, and releases everything. Safe to call twice. */
  stop(): Promise<void>;
};

/** Parts that a caller may inject: tests their time and ids, a test file its database. */
export type Parts = Partial<Pick<Context, 'clock' | 'newId' | 'log' | 'outbound'>> & { database?: Database };

/** Only `serve` and tests own a running service. It starts in order, unwinds on failure, and stops in reverse. */
export async function startService(config: Config, parts: Parts = {}): Promise<Service> {
  await using started = new AsyncDisposableStack();
  const log = parts.log ?? createLog(config.logLevel);
  const database = parts.database ?? (await openDatabase({ ...config, log, patient: true, exclusive: true }));
  if (!parts.database) started.defer(() => database.close());
  await migrate(database.longSql, migrationsDirectory, {
    say: (progress) => log.info(progress),
    isShared: database.kind === 'server',
  });
  await settleAddresses(database.longSql);

  const context = await createContext(config, database, log, parts, started);
  if (config.roles.includes('worker')) started.defer(startStatistics(database.longSql, log));
  const stopWorkers = config.roles.includes('worker') ? startWorkers(context) : async () => {};
  started.defer(stopWorkers);
  const address = await startServer(context, started);
  if (config.metrics !== null) {
    const metrics = await serveMetrics(context, config.metrics);
    started.defer(() => metrics.stop());
  }
  log.info({ address, database: database.kind, roles: config.roles }, 'ready');

  const stack = started.move();
  let stopped: Promise<void> | undefined;
  async function end(): Promise<void> {
    // Running requests may take their time. Nothing new begins meanwhile.
    await Promise.all([stopWorkers(), stack.disposeAsync()]);
  }
  return { context, address, stop: () => (stopped ??= end()) };
}

async function createContext(
  config: Config,
  database: Database,
  log: Logger,
  parts: Parts,
  started: AsyncDisposableStack,
): Promise<Context> {
  const traces = config.traces && (await startTraces(config.traces, log));
  if (traces) started.defer(() => traces.stop());
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
    metrics: createMetrics(),
    traces,
  };
}

async function startedClock(database: Database, log: Logger, started: AsyncDisposableStack) {
  const clock = await databaseClock(database, log);
  started.defer(() => clock.stop());
  return clock;
}

/** Returns the function that stops the workers: all at once, so that a slow one prolongs no other. */
function startWorkers(context: Context): () => Promise<void> {
  const cell = createCell();
  const connections: Connections = new Map();
  const engines = {
    planning: startPlanning(context),
    running: startScenarioRuns(context, cell),
    sending: startSending(context, { cell, connections }),
    webhooks: startWebhooks(context),
  };
  const forgets = Object.entries(engines).map(([topic, engine]) =>
    context.wake.subscribe(topic, engine.wake),
  );
  const workers = [
    ...Object.values(engines),
    startJobs(context, housekeeping),
    startHolding(context, connections),
    startFetching(context),
    startNaming(context),
  ];
  let stopped: Promise<unknown> | undefined;
  return async () => {
    for (const forget of forgets) forget();
    stopped ??= Promise.all(workers.map((worker) => worker.stop()));
    await stopped;
  };
}

async function startServer(context: Context, started: AsyncDisposableStack): Promise<string> {
  const { config, log, sql, metrics } = context;
  const server = createServer({ log, publicUrl: config.publicUrl, isUnavailable: isDatabaseUnavailable });
  observeRequests(server, metrics);
  addHealthRoutes(server, () => ping(sql));
  if (config.roles.includes('api')) addRoutes(server, context);
  started.defer(() => server.close());
  return server.listen({ port: config.port, host: config.host });
}
