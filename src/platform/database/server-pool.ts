import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createOwnersInTurn, type OwnersInTurn } from '../owners-in-turn.ts';
import type { Rests } from '../rests.ts';
import { currentOwner } from '../work.ts';
import { asLost, ConnectionLost, cut } from './connection.ts';
import { Client, type Greeting, greet, type Limits, letInMsOf, TakesNoWrites } from './server.ts';
import type { DatabaseAddress, ServerAddress } from './server-address.ts';

/** A connection on loan to one caller until it is given back. */
export type Taken = {
  client: pg.Client;
  greeting: Greeting;
  /** `isSpent`: the connection is not used again. */
  giveBack(isSpent: boolean): void;
};

/** Connections to one server. It lasts until the server is lost. */
export type ServerPool = {
  readonly isLost: boolean;
  /**
   * The owners of the running works take turns.
   * @throws ConnectionLost when the server is lost, or none becomes free in time.
   */
  take(): Promise<Taken>;
  /** Fails everything that waits and runs: the server is gone, or has changed its role. */
  lose(reason: ConnectionLost): void;
  /** Says goodbye to the server, and waits only briefly for its answer. */
  end(): Promise<void>;
};

export type ServerPoolOptions = Limits & { max: number; patienceMs: number; rests?: Rests };

const tooManyConnections = '53300';
/** A full server gets no further connection attempts for this long. */
const fullMs = 5_000;
const goodbyeMs = 500;

export function createServerPool(
  address: DatabaseAddress,
  server: ServerAddress,
  options: ServerPoolOptions,
): ServerPool {
  const { max, patienceMs, rests } = options;
  const { pool, clients, greetings } = openConnections(address, server, options);
  const places = createOwnersInTurn(max, rests);
  const waiting = createWaiting(pool, places, patienceMs);
  let isLost = false;

  function lose(reason: ConnectionLost): void {
    if (isLost) return;
    isLost = true;
    waiting.end(reason);
    for (const client of clients) cut(client, reason);
    pool.end().catch(() => {});
  }

  /** A full server costs only the refused connection. The others continue. */
  async function connection(): Promise<Connection> {
    try {
      return await waiting.connect();
    } catch (error) {
      if (clients.size === 0 || error instanceof TakesNoWrites) lose(new ConnectionLost(String(error)));
      if (isLost || !isFull(error)) throw error;
      pool.options.max = clients.size;
      setTimeout(() => {
        pool.options.max = max;
      }, fullMs).unref();
      return await waiting.connect();
    }
  }

  return {
    get isLost() {
      return isLost;
    },
    async take() {
      const { client, leave } = await connection();
      const greeting = greetings.get(client) ?? { prefix: null };
      const giveBack = (isSpent: boolean): void => {
        client.release(isSpent || isLost);
        leave();
      };
      return { client, greeting, giveBack };
    },
    lose,
    async end() {
      if (isLost) return;
      await Promise.race([pool.end(), delay(goodbyeMs)]);
      lose(new ConnectionLost('the pool has ended'));
    },
  };
}

/** The connections, and the server's greeting of each. */
function openConnections(
  address: DatabaseAddress,
  server: ServerAddress,
  { max, statementTimeoutMs, connectMs }: ServerPoolOptions,
) {
  const greetings = new WeakMap<pg.Client, Greeting>();
  const clients = new Set<pg.Client>();

  const ofClient = { ...server, letInMs: letInMsOf({ ...address, statementTimeoutMs, connectMs }) };
  const pool = new pg.Pool({
    ...ofClient,
    Client,
    max,
    idleTimeoutMillis: 0,
    // Our gateway ends statements by their client's `statement_timeout`. A pooler would refuse the parameter.
    statement_timeout: address.isEmbedded && statementTimeoutMs,
    async onConnect(client) {
      if (!(client instanceof Client)) throw new TypeError('the pool has made another client');
      clients.add(client);
      client.once('end', () => clients.delete(client));
      greetings.set(client, await greet(client, { ...address, statementTimeoutMs, connectMs }));
    },
  });
  // A pending statement fails with its own error, and a connection that is lost while idle is replaced.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return { pool, clients, greetings };
}

/** A connection, and the function that gives its place back. */
type Connection = { client: pg.PoolClient; leave: () => void };

/** Callers that wait for a connection, for a limited time, and only until the server is lost. */
function createWaiting(pool: pg.Pool, places: OwnersInTurn, patienceMs: number) {
  const waiting = new Set<(reason: ConnectionLost) => void>();
  let isOver = false;

  function connect(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const giveUp = (reason: unknown): void => {
        clearTimeout(patience);
        if (waiting.delete(giveUp)) reject(asLost(reason));
      };
      const patience = setTimeout(
        () => giveUp(new ConnectionLost(`no connection has become free for ${patienceMs} ms`)),
        patienceMs,
      );
      waiting.add(giveUp);

      async function begin(leave: () => void): Promise<void> {
        try {
          if (!waiting.has(giveUp)) return leave();
          const client = await pool.connect();
          clearTimeout(patience);
          if (waiting.delete(giveUp)) return resolve({ client, leave });
          client.release(isOver);
          leave();
        } catch (error) {
          giveUp(error);
          leave();
        }
      }
      places.take(currentOwner(), begin);
    });
  }

  /** Fails all waiting callers. */
  function end(reason: ConnectionLost): void {
    isOver = true;
    for (const giveUp of waiting) giveUp(reason);
  }

  return { connect, end };
}

const isFull = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === tooManyConnections;
