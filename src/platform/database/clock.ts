import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from './database.ts';
import type { Sql } from './pool.ts';

export type DatabaseClock = Clock & { stop(): void };

const refreshMs = 60_000;

/**
 * The time of the database's server, so that machines with different clocks agree. It is measured at the start and
 * every minute, and follows this machine's monotonic clock in between. The time of the embedded database is this
 * machine's.
 */
export async function databaseClock(database: Database, log: Logger): Promise<DatabaseClock> {
  if (database.kind === 'embedded') return { now: () => new Date(), stop: () => {} };
  let origin = await measureOrigin(database.sql);
  const refresh = async () => {
    origin = await measureOrigin(database.sql);
  };
  const timer = setInterval(() => {
    refresh().catch((err) => log.warn({ err }, 'the time of the database could not be read'));
  }, refreshMs).unref();
  return { now: () => new Date(origin + performance.now()), stop: () => clearInterval(timer) };
}

const samples = 5;

/**
 * The server's time, in milliseconds, at which this process's monotonic clock was zero. Of several measurements the
 * fastest errs the least: by half of its round trip at most.
 */
async function measureOrigin(sql: Sql): Promise<number> {
  let best = await measure(sql);
  for (let n = 1; n < samples; n += 1) {
    const next = await measure(sql);
    if (next.roundTripMs < best.roundTripMs) best = next;
  }
  return best.origin;
}

async function measure(sql: Sql): Promise<{ origin: number; roundTripMs: number }> {
  const askedAt = performance.now();
  const [row] = await sql<
    { ms: number }[]
  >`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  const answeredAt = performance.now();
  if (!row) throw new Error('the database returned no time');
  return { origin: row.ms - (askedAt + answeredAt) / 2, roundTripMs: answeredAt - askedAt };
}
