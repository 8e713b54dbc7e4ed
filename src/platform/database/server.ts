import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ask, asLost, ConnectionLost } from './connection.ts';
import type { ServerAddress } from './server-address.ts';
import { types } from './types.ts';

/** A transaction that is idle for this long blocks others for nothing. */
export const idleTransactionMs = 10_000;

/** A client of node-postgres that limits the wait for a connection. */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig & { letInMs?: number }) {
    super({
      ...config,
      application_name: 'patchbay',
      connectionTimeoutMillis: config?.letInMs,
      keepAlive: true,
      types,
    });
  }
}

/** The embedded database reads no client while a statement runs. */
export const letInMsOf = ({
  isEmbedded,
  statementTimeoutMs,
  connectMs,
}: Omit<Requirements, 'isWritable'>): number =>
  isEmbedded ? Math.max(connectMs, statementTimeoutMs) : connectMs;

/** Facts about a connection. `prefix` begins the names of its prepared statements; null: it can have none. */
export type Greeting = { prefix: string | null };

/** How long a server may take for a statement, and to accept a client and to say what it is. */
export type Limits = { statementTimeoutMs: number; connectMs: number };

type Requirements = Limits & { isWritable: boolean; isEmbedded: boolean };

/** A reached server refuses writes, where a writable one is needed. */
export class TakesNoWrites extends ConnectionLost {}

type Facts = { pid: number; is_standby: boolean; is_read_only: boolean };

/**
 * Makes a new connection ready. Behind a pooler (PgBouncer) the next transaction may run in another server process.
 * Such connections keep no settings and no prepared statements. They are recognised by their process id, which the
 * pooler invents.
 * @throws TakesNoWrites
 */
export async function greet(
  client: pg.Client,
  { isWritable, isEmbedded, statementTimeoutMs, connectMs }: Requirements,
): Promise<Greeting> {
  const prefix = `${randomBytes(6).toString('hex')}_`;
  // The gateway's connections share one session, which has no timeouts of its own.
  if (isEmbedded) return { prefix };
  const facts = await readFacts(client, connectMs);
  if (isWritable && (facts.is_standby || facts.is_read_only)) {
    throw new TakesNoWrites(`${client.host}:${client.port} takes no writes`);
  }
  if (!('processID' in client) || client.processID !== facts.pid) return { prefix: null };
  await ask(client, { text: settings('set', statementTimeoutMs) }, connectMs);
  return { prefix };
}

/**
 * The settings of a session, or with `set local` of a transaction. Of a statement that seems to be long, PostgreSQL would
 * compile each condition (`jit`). That takes seconds, and our statements end in less.
 */
export const settings = (set: 'set' | 'set local', statementTimeoutMs: number): string =>
  `${set} statement_timeout = ${statementTimeoutMs};
  ${set} idle_in_transaction_session_timeout = ${idleTransactionMs};
  ${set} jit = off`;

async function readFacts(client: pg.Client, connectMs: number): Promise<Facts> {
  const text = `select pg_backend_pid() as pid, pg_is_in_recovery() as is_standby,
    current_setting('transaction_read_only')::boolean as is_read_only`;
  const {
    rows: [facts],
  } = await ask<Facts>(client, { text }, connectMs);
  if (!facts) throw new ConnectionLost('the server did not say what it is');
  return facts;
}

/** Opens a separate connection, encrypted if the address wants it and the server supports it. */
export async function connect(
  server: ServerAddress,
  letInMs: number,
): Promise<{ client: pg.Client; reached: ServerAddress }> {
  const client = new Client({ ...server, letInMs });
  // A pending statement fails with its own error.
  client.on('error', () => {});
  try {
    await client.connect();
    return { client, reached: server };
  } catch (error) {
    if (server.mayBePlain && isWithoutEncryption(error))
      return connect({ ...server, ssl: false, mayBePlain: false }, letInMs);
    throw asLost(error);
  }
}

const isWithoutEncryption = (error: unknown): boolean =>
  error instanceof Error && error.message === 'The server does not support SSL connections';
