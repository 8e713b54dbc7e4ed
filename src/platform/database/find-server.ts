import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { ask, ConnectionLost } from './connection.ts';
import { connect, greet, type Limits, letInMsOf } from './server.ts';
import type { DatabaseAddress, ServerAddress } from './server-address.ts';

export type Search = Limits & {
  /** How long a server that takes writes waits for the answers of the others. */
  compareMs?: number;
  /** Hears of a split brain. */
  log?: Logger;
};

/** A promotion begins a new timeline. Hosts that lead to one server tell the same start. */
type Standing = { timeline: number; started: string };

type Candidate = Standing & { server: ServerAddress; place: number };

/** Every search beside a dead host takes this much longer, and a request waits 500 ms for one. */
const defaultCompareMs = 100;

/** Servers that cannot tell are no rivals of each other. */
const unknown: Standing = { timeline: 0, started: '' };

/**
 * Finds the server of an address that meets its requirements, and how to reach it. All servers are asked at once. If
 * several take writes, the latest promoted one is used. Of equals it is the first in the address, so that processes
 * agree.
 * @throws ConnectionLost, or the error of the only server.
 */
export async function findServer(address: DatabaseAddress, search: Search): Promise<ServerAddress> {
  const { compareMs = defaultCompareMs, log } = search;
  const failures = new Map<ServerAddress, unknown>();
  const found: Candidate[] = [];
  const attempts = address.servers.map(async (server, place) => {
    try {
      found.push({ ...(await tryServer(server, address, search)), place });
    } catch (error) {
      failures.set(server, error);
      throw error;
    }
  });
  await Promise.any(attempts).catch(() => {
    const [first, ...others] = failures;
    if (first && others.length === 0) throw first[1];
    const reasons = Array.from(failures, ([{ name }, error]) => `${name}: ${String(error)}`);
    throw new ConnectionLost(`no server takes writes (${reasons.join('; ')})`);
  });
  if (mayHaveRivals(address)) await allSettled(attempts, compareMs);
  return latest(found, log);
}

/** Where any server will do, standbys are no rivals. */
const mayHaveRivals = ({ servers, isWritable }: DatabaseAddress): boolean => isWritable && servers.length > 1;

async function tryServer(
  server: ServerAddress,
  address: DatabaseAddress,
  { statementTimeoutMs, connectMs }: Limits,
): Promise<Omit<Candidate, 'place'>> {
  const requirements = { ...address, statementTimeoutMs, connectMs };
  const { client, reached } = await connect(server, letInMsOf(requirements));
  try {
    await greet(client, requirements);
    const standing = mayHaveRivals(address) ? await readStanding(client, connectMs) : unknown;
    return { ...standing, server: reached };
  } finally {
    client.end().catch(() => {});
  }
}

/** The name of the current WAL file begins with the timeline. The last checkpoint may be older than the promotion. */
async function readStanding(client: pg.Client, connectMs: number): Promise<Standing> {
  const text = `select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline,
    extract(epoch from pg_postmaster_start_time())::text as started`;
  try {
    const { rows } = await ask<{ timeline: string; started: string }>(client, { text }, connectMs);
    const [row] = rows;
    return row ? { timeline: Number.parseInt(row.timeline, 16) || 0, started: row.started } : unknown;
  } catch {
    // A server that forbids the question, or does not know it, still takes writes.
    return unknown;
  }
}

async function allSettled(attempts: Promise<void>[], patienceMs: number): Promise<void> {
  const patience = new AbortController();
  await Promise.race([
    Promise.allSettled(attempts),
    delay(patienceMs, undefined, { signal: patience.signal }),
  ]);
  patience.abort();
}

function latest(found: Candidate[], log: Logger | undefined): ServerAddress {
  const [best, ...others] = found.toSorted((a, b) => b.timeline - a.timeline || a.place - b.place);
  if (!best) throw new Error('a search that succeeds has found a server');
  const rivals = others.filter(({ started }) => started !== best.started);
  if (rivals.length > 0) {
    const all = [best, ...rivals].map(inWords).join(' and ');
    log?.warn(`split brain: ${all} take writes. Patchbay uses ${best.server.name}. Stop the others.`);
  }
  return best.server;
}

const inWords = ({ server, timeline }: Candidate): string =>
  `${server.name} (timeline ${timeline === 0 ? 'unknown' : timeline})`;
