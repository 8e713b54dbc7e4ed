import pg from 'pg';
import { errorText } from '../error-text.ts';
import type { Answer, Value } from './sql.ts';
import { Unreadable } from './types.ts';
import { readOnlyTransaction } from './unavailable.ts';

/** The database does not answer, or the connection to it is lost. */
export class ConnectionLost extends Error {
  readonly code = 'CONNECTION_LOST';
}

/**
 * A server owes an answer for longer than its limit. It has vanished, and every other connection to it waits in vain.
 */
export class ServerSilent extends ConnectionLost {}

/** Whether the statement could not be sent, or its end is unknown. */
export const isLost = (error: unknown): boolean => error instanceof ConnectionLost;

type Query = { text: string; values?: Value[]; name?: string };

/**
 * Sends a statement and returns its answer, or that of its last part. It ends within `patienceMs`, because nothing
 * else notices a server that vanishes silently. A connection that owes an answer is useless afterwards.
 * @throws ConnectionLost
 */
export async function ask<Row extends object>(
  client: pg.Client,
  query: Query,
  patienceMs: number,
): Promise<Answer<Row[]>> {
  let isOver = false;
  const watch = setTimeout(() => {
    // Answers that arrived while this process was busy are read first.
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

/** Ends a connection at once. Everything that it owes fails. */
export function cut(client: pg.Client, reason: ConnectionLost): void {
  client.connection.stream.destroy(reason);
}

/**
 * An error that the server reports is passed on unchanged. Every other error means that the server is unreachable.
 */
export function asLost(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof Unreadable || isLost(error)) return error;
  return new ConnectionLost(errorText(error), { cause: error });
}

/** Whether the server ends the connection after this. */
export const endsConnection = (error: unknown): boolean =>
  isLost(error) ||
  (error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC'));

/** Whether the server has become read-only. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === readOnlyTransaction;
