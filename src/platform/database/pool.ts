import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ask, ConnectionLost, endsConnection, isReadOnly, ServerSilent } from './connection.ts';
import { findServer, settings } from './server.ts';
import type { DatabaseAddress } from './server-address.ts';
import { createServerPool, type ServerPool, type Taken } from './server-pool.ts';
import { type Answer, createSql, type Query, type Send, type Sql } from './sql.ts';
import { createStatementNames } from './statement-names.ts';

export type { Fragment, JSONValue, Sql } from './sql.ts';

/** Runs statements, each on any free connection, and begins transactions. */
export type Pool = Sql & {
  /**
   * Runs the body in a transaction. The transaction commits when the body resolves, and rolls back when it throws.
   * Its statements are sent one after another.
   */
  begin<Result>(body: (transaction: Sql) => Promise<Result>): Promise<Result>;
  /** Accepts nothing new, lets running work end, and gives up the rest after this many seconds. */
  end(options?: { timeout?: number }): Promise<void>;
};

export type PoolOptions = { max: number; statementTimeoutMs: number };

/** Every statement is answered within its timeout. A server that stays silent this much longer is gone. */
const graceMs = 200;
/**
 * A request may have waited for a statement without an answer before it needs the next one. It is refused in time if
 * that one fails soon. The search continues for later requests.
 */
const searchMs = 500;

/**
 * Connects to the server of an address that takes the statements. Every statement ends, whatever happens to the
 * server: with its own rows, or with an error. `isDatabaseUnavailable` recognises the errors after which a later
 * attempt may work. When the server is lost or becomes read-only, the pool looks for the server that takes writes.
 * @throws the server's error, or ConnectionLost when the server cannot be reached.
 */
export async function createPool(
  address: DatabaseAddress,
  { max, statementTimeoutMs }: PoolOptions,
): Promise<Pool> {
  const patienceMs = statementTimeoutMs + graceMs;
  const nameOf = createStatementNames();
  const underWay = new Set<Promise<unknown>>();
  let isEnded = false;
  let current = await open();
  let search: Promise<ServerPool> | null = null;

  async function open(): Promise<ServerPool> {
    const server = await findServer(address, statementTimeoutMs);
    return createServerPool(address, server, { max, statementTimeoutMs, patienceMs });
  }

  async function reopen(): Promise<ServerPool> {
    try {
      current = await open();
      return current;
    } finally {
      search = null;
    }
  }

  /**
   * Callers that find the server lost at the same time share one search. They wait for it less long than the search
   * may take.
   */
  async function serverPool(): Promise<ServerPool> {
    if (isEnded) throw new ConnectionLost('the pool has ended');
    if (!current.isLost) return current;
    search ??= reopen();
    const patience = new AbortController();
    const giveUp = delay(searchMs, undefined, { signal: patience.signal }).then(() => {
      throw new ConnectionLost(`no server has been found for ${searchMs} ms`);
    });
    return await Promise.race([search, giveUp]).finally(() => patience.abort());
  }

  /**
   * Whether the whole server is lost. Our gateway refuses writes while its disk is full, and has no other server. A
   * statement behind a pooler has no timeout on the server, so its slowness says nothing of the others.
   */
  function isServersEnd(error: unknown, { greeting }: Taken): boolean {
    if (isReadOnly(error)) return !address.isEmbedded;
    return error instanceof ServerSilent && greeting.prefix !== null;
  }

  /** Lends a connection to some work. The work's errors decide what happens to the connection and its server. */
  async function borrow<Result>(work: (taken: Taken) => Promise<Result>): Promise<Result> {
    const server = await serverPool();
    const taken = await server.take();
    let isSpent = false;
    try {
      return await work(taken);
    } catch (error) {
      isSpent = endsConnection(error) || isStalePlan(error);
      if (isServersEnd(error, taken)) server.lose(new ConnectionLost(String(error)));
      throw error;
    } finally {
      taken.giveBack(isSpent);
    }
  }

  function send(
    { client, greeting: { prefix } }: Taken,
    { text, values, isOne }: Query,
  ): Promise<Answer<object[]>> {
    const name = prefix !== null && isOne ? nameOf(text) : undefined;
    return ask(
      client,
      name === undefined ? { text, values } : { text, values, name: prefix + name },
      patienceMs,
    );
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
    return await borrow(async (taken) => {
      const transaction = openTransaction((query) => send(taken, query));
      const tell = (text: string) => ask(taken.client, { text }, patienceMs);
      // Behind a pooler the settings last as long as the transaction.
      await tell(
        taken.greeting.prefix === null ? `begin; ${settings('set local', statementTimeoutMs)}` : 'begin',
      );
      try {
        const result = await body(transaction.sql);
        await transaction.close();
        await tell('commit');
        return result;
      } catch (error) {
        await transaction.close().catch(() => {});
        if (!endsConnection(error)) await tell('rollback');
        throw error;
      }
    });
  }

  /** Notes work until it ends. */
  function note<Result>(work: Promise<Result>): Promise<Result> {
    underWay.add(work);
    const forget = () => underWay.delete(work);
    work.then(forget, forget);
    return work;
  }

  return Object.assign(
    createSql((query) => note(sendOnAny(query))),
    {
      begin: <Result>(body: (transaction: Sql) => Promise<Result>) => note(transact(body)),
      async end({ timeout = 5 }: { timeout?: number } = {}): Promise<void> {
        isEnded = true;
        const patience = new AbortController();
        await Promise.race([
          Promise.allSettled(underWay),
          delay(timeout * 1_000, undefined, { signal: patience.signal }),
        ]);
        patience.abort();
        await search?.catch(() => {});
        await current.end();
      },
    },
  );
}

/** The statements of a transaction, one at a time. A failed statement fails the transaction, caught or not. */
function openTransaction(send: Send): { sql: Sql; close(): Promise<void> } {
  let last: Promise<unknown> = Promise.resolve();
  let failure: { error: unknown } | null = null;
  let isOver = false;

  async function sendNext(before: Promise<unknown>, query: Query): Promise<Answer<object[]>> {
    await before;
    if (isOver) throw new Error('the transaction of this statement is over');
    if (failure) throw failure.error;
    try {
      return await send(query);
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  return {
    sql: createSql((query) => {
      const rows = sendNext(last, query);
      last = rows.catch(() => {});
      return rows;
    }),
    /**
     * Waits for the sent statements.
     * @throws their error.
     */
    async close() {
      await last;
      isOver = true;
      if (failure) throw failure.error;
    },
  };
}

/** A prepared statement no longer fits the database, or is gone. A migration causes both. */
const stalePlan = { '26000': /prepared statement/, '0A000': /cached plan must not change result type/ };

const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  Object.entries(stalePlan).some(([code, text]) => error.code === code && text.test(error.message));
