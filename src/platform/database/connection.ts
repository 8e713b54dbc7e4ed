import pg from 'pg';
import type { Answer, Value } from './sql.ts';
import { Unreadable } from './types.ts';
import { readOnlyTransaction } from './unavailable.ts';

/** The database does not answer, or the connection to it is gone. */
export class ConnectionLost extends Error {
  readonly code = 'CONNECTION_LOST';
}

/** A server owes an answer for longer than it may: it has vanished, and with it what all other connections wait for. */
export class ServerSilent extends ConnectionLost {}

/** Of a statement that could not be sent, or whose end is unknown. */
export const isLost = (error: unknown): boolean => error instanceof ConnectionLost;

type Query = { text: string; values?: Value[]; name?: string };

/**
 * Sends a statement and gives its answer, or that of its last part. It ends within `patienceMs`: nothing else notices a
 * server that has vanished without a word, and a connection that owes an answer is of no use any more.
 * @throws ConnectionLost
 */
export async function ask<Row extends object>(
  client: pg.Client,
  query: Query,
  patienceMs: number,
): Promise<Answer<Row[]>> {
  let isOver = false;
  const watch = setTimeout(() => {
    // What came while this process was busy is read first.
    setImmediate(() => {
      if (!isOver) cut(client, new ServerSilent(`the server has not answered for ${patienceMs} ms`));
    });
  }, patienceMs);
  try {
    const result: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await client.query<Row>(query);
    const last = Array.isArray(result) ? result.at(-1) : result;
    return { rows: last?.rows ?? [], count: last?.rowCount ?? 0 };
  } catch (error) {
    throw asLost(error);
  } finally {
    isOver = true;
    clearTimeout(watch);
  }
}

/** Ends a connection at once: all that it owes fails. */
export function cut(client: pg.Client, reason: ConnectionLost): void {
  client.connection.stream.destroy(reason);
}

/** What the server has said of a statement is told as it is. All else means that there is no server. */
export function asLost(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof Unreadable || isLost(error)) return error;
  return new ConnectionLost(error instanceof Error ? error.message : String(error), { cause: error });
}

/** Whether the server ends the connection after this. */
export const endsConnection = (error: unknown): boolean =>
  isLost(error) ||
  (error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC'));

/** Whether the server has become one that takes no writes. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === readOnlyTransaction;
