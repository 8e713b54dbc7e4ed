import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Rests } from '../rests.ts';
import { ask, ConnectionLost, endsConnection, isReadOnly, ServerSilent } from './connection.ts';
import { openCurrentServer } from './current-server.ts';
import type { Search } from './find-server.ts';
import { type Greeting, settings } from './server.ts';
import type { DatabaseAddress } from './server-address.ts';
import type { Taken } from './server-pool.ts';
import { type Answer, createSql, type Query, type Sql } from './sql.ts';
import { createStatementNames } from './statement-names.ts';
import { runTransaction } from './transaction.ts';

export type { Fragment, JSONValue, Sql } from './sql.ts';

/** Runs statements, each on any free connection, and begins transactions. */
export type Pool = Sql & {
  /** The embedded database: all statements of all callers run one after another. */
  readonly isOneSession: boolean;
  /** Whether somebody's statement or transaction is under way. */
  isBusy(): boolean;
  /**
   * Runs the body in a transaction. The transaction commits when the body resolves, and rolls back when it throws.
   * Its statements are sent one after another.
   */
  begin<Result>(body: (transaction: Sql) => Promise<Result>): Promise<Result>;
  /** Accepts nothing new, lets running work end, and gives up the rest after this many seconds. */
  end(options?: { timeout?: number }): Promise<void>;
};

export type PoolOptions = Pick<Search, 'compareMs' | 'log'> & {
  max: number;
  statementTimeoutMs: number;
  /** How long a server may take to accept a client. Two seconds, if absent. */
  connectMs?: number;
  /** Where one session serves all pools. */
  rests?: Rests;
};

/** Every statement is answered within its timeout. A server that stays silent this much longer is gone. */
const graceMs = 200;

/**
 * Connects to the server of an address that takes the statements. Every statement ends, whatever happens to the
 * server: with its own rows, or with an error. `isDatabaseUnavailable` recognises the errors after which a later
 * attempt may work. When the server is lost or becomes read-only, the pool looks for the server that takes writes.
 * @throws the server's error, or ConnectionLost when the server cannot be reached.
 */
export async function createPool(
  address: DatabaseAddress,
  { max, statementTimeoutMs, connectMs = 2_000, compareMs, log, rests }: PoolOptions,
): Promise<Pool> {
  const patienceMs = statementTimeoutMs + graceMs;
  const send = createSend(patienceMs);
  const work = createWork();
  const server = await openCurrentServer(address, {
    max,
    statementTimeoutMs,
    connectMs,
    patienceMs,
    compareMs,
    log,
    rests,
  });
  let isEnded = false;

  /** Lends a connection to some work. The work's errors decide what happens to the connection and its server. */
  async function borrow<Result>(use: (taken: Taken) => Promise<Result>): Promise<Result> {
    if (isEnded) throw new ConnectionLost('the pool has ended');
    const pool = await server.pool();
    const taken = await pool.take();
    let isSpent = false;
    try {
      return await use(taken);
    } catch (error) {
      isSpent = endsConnection(error) || isStalePlan(error);
      if (isServersEnd(error, address, taken.greeting)) pool.lose(new ConnectionLost(String(error)));
      throw error;
    } finally {
      taken.giveBack(isSpent);
    }
  }

  async function sendOnAny(query: Query): Promise<Answer<object[]>> {
    try {
      return await borrow((taken) => send(taken, query));
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return await borrow((taken) => send(taken, query));
    }
  }

  async function transact<Result>(body: (transaction: Sql) => Promise<Result>): Promise<Result> {
    return await borrow((taken) => {
      const tell = (text: string) => ask(taken.client, { text }, patienceMs);
      // Behind a pooler the settings last as long as the transaction.
      const begin =
        taken.greeting.prefix === null ? `begin; ${settings('set local', statementTimeoutMs)}` : 'begin';
      return runTransaction({ begin, tell, send: (query) => send(taken, query) }, body);
    });
  }

  return Object.assign(
    createSql((query) => work.note(sendOnAny(query))),
    {
      isOneSession: address.isEmbedded,
      isBusy: work.isUnderWay,
      begin: <Result>(body: (transaction: Sql) => Promise<Result>) => work.note(transact(body)),
      async end({ timeout = 5 }: { timeout?: number } = {}): Promise<void> {
        isEnded = true;
        await work.ended(timeout * 1_000);
        await server.end();
      },
    },
  );
}

/** Sends a statement under its name in the connection, if it has one. */
function createSend(patienceMs: number) {
  const nameOf = createStatementNames();
  return (
    { client, greeting: { prefix } }: Taken,
    { text, values, isOne }: Query,
  ): Promise<Answer<object[]>> => {
    const name = prefix !== null && isOne ? nameOf(text) : undefined;
    return ask(
      client,
      name === undefined ? { text, values } : { text, values, name: prefix + name },
      patienceMs,
    );
  };
}

/**
 * Whether the whole server is lost. Our gateway refuses writes while its disk is full, and has no other server. A
 * statement behind a pooler has no timeout on the server, so its slowness says nothing of the others.
 */
function isServersEnd(error: unknown, { isEmbedded }: DatabaseAddress, greeting: Greeting): boolean {
  if (isReadOnly(error)) return !isEmbedded;
  return error instanceof ServerSilent && greeting.prefix !== null;
}

/** Running work. */
function createWork() {
  const underWay = new Set<Promise<unknown>>();

  /** Notes work until it ends. */
  function note<Result>(work: Promise<Result>): Promise<Result> {
    underWay.add(work);
    const forget = () => underWay.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Waits until all of it has ended, but no longer than this. */
  async function ended(timeoutMs: number): Promise<void> {
    const patience = new AbortController();
    await Promise.race([
      Promise.allSettled(underWay),
      delay(timeoutMs, undefined, { signal: patience.signal }),
    ]);
    patience.abort();
  }

  return { note, ended, isUnderWay: () => underWay.size > 0 };
}

/** A prepared statement no longer fits the database, or is gone. A migration causes both. */
const stalePlan = { '26000': /prepared statement/, '0A000': /cached plan must not change result type/ };

const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  Object.entries(stalePlan).some(([code, text]) => error.code === code && text.test(error.message));
