import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from './database.ts';
import type { Sql } from './pool.ts';

export type DatabaseClock = Clock & { stop(): void };

const refreshMs = 1_000;
/** Measurements differ by this much even on a quiet machine. */
const toleratedMs = 50;

/**
 * The time of the database's server, so that machines with different clocks agree. It is measured at the start, and
 * follows this machine's monotonic clock. Each second it is compared: a server may take another's place, its clock may
 * be set, and this machine may have been suspended. The time of the embedded database is this machine's.
 */
export async function databaseClock(database: Database, log: Logger): Promise<DatabaseClock> {
  if (database.kind === 'embedded') return { now: () => new Date(), stop: () => {} };
  let origin = await measureOrigin(database.sql);
  let isAway = false;
  const compare = async () => {
    const seen = await measure(database.sql);
    isAway = false;
    // A measurement errs by half of its round trip at most.
    if (Math.abs(seen.origin - origin) <= seen.roundTripMs / 2 + toleratedMs) return;
    const before = origin;
    origin = await measureOrigin(database.sql);
    log.warn({ byMs: Math.round(origin - before) }, 'the time of the database changed');
  };
  const schedule = () => setTimeout(refresh, refreshMs).unref();
  let timer = schedule();
  let stopped = false;
  async function refresh(): Promise<void> {
    await compare().catch((err) => {
      if (!isAway) log.warn({ err }, 'the time of the database could not be read');
      isAway = true;
    });
    if (!stopped) timer = schedule();
  }
  return {
    now: () => new Date(origin + performance.now()),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
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
