import { Socket } from 'node:net';
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

/** A large answer on a slow network arrives for longer than a silent server is waited for. */
const mostPatience = 5;

/**
 * Sends a statement and returns its answer, or that of its last part. A server that sends nothing for `patienceMs` has
 * vanished, which nothing else notices. An answer that arrives slowly ends too, after five times as long. A connection
 * that owes an answer is useless afterwards.
 * @throws ConnectionLost
 */
export async function ask<Row extends object>(
  client: pg.Client,
  query: Query,
  patienceMs: number,
): Promise<Answer<Row[]>> {
  const release = watch(client, patienceMs);
  try {
    const result: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await client.query<Row>(query);
    const last = Array.isArray(result) ? result.at(-1) : result;
    return { rows: last?.rows ?? [], count: last?.rowCount ?? 0 };
  } catch (error) {
    throw asLost(error);
  } finally {
    release();
  }
}

/** Cuts the connection when its server is silent for so long. Returns a function that ends the watch. */
function watch(client: pg.Client, patienceMs: number): () => void {
  const { stream } = client.connection;
  const bytesRead = () => (stream instanceof Socket ? stream.bytesRead : 0);
  let read = bytesRead();
  let looks = 0;
  let timer: NodeJS.Timeout | undefined = setTimeout(look, patienceMs);
  function look(): void {
    // Bytes that arrived while this process was busy are read first.
    setImmediate(() => {
      if (timer === undefined) return;
      looks += 1;
      const isSilent = bytesRead() === read;
      read = bytesRead();
      if (isSilent || looks === mostPatience)
        cut(client, new ServerSilent(`the server has not answered for ${looks * patienceMs} ms`));
      else timer = setTimeout(look, patienceMs);
    });
  }
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
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
