import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ask, asLost, ConnectionLost } from './connection.ts';
import type { DatabaseAddress, ServerAddress } from './server-address.ts';
import { types } from './types.ts';

/** How long a server may take to let a client in, and to say what it is. */
const connectMs = 2_000;
/** A transaction that does nothing for so long holds up others for nothing. */
export const idleTransactionMs = 10_000;

/** Speaks node-postgres's protocol, and never waits longer for a connection than it may. */
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

/** The embedded database hears nobody while a statement runs. */
export const letInMsOf = ({ isEmbedded, statementTimeoutMs }: Omit<Requirements, 'isWritable'>): number =>
  isEmbedded ? Math.max(connectMs, statementTimeoutMs) : connectMs;

/** What is known of a connection: the names of its prepared statements begin so, or null where it can have none. */
export type Greeting = { prefix: string | null };

type Requirements = { isWritable: boolean; isEmbedded: boolean; statementTimeoutMs: number };

/** A server was reached that takes no writes, where one is needed that does. */
export class TakesNoWrites extends ConnectionLost {}

type Facts = { pid: number; is_standby: boolean; is_read_only: boolean };

/**
 * Makes a new connection ready. Behind a pooler such as PgBouncer the next transaction may be another server process's:
 * such a connection keeps no settings and no prepared statements. It is known by its process id, which the pooler invents.
 * @throws TakesNoWrites
 */
export async function greet(
  client: pg.Client,
  { isWritable, isEmbedded, statementTimeoutMs }: Requirements,
): Promise<Greeting> {
  const prefix = `${randomBytes(6).toString('hex')}_`;
  // Its connections share one session, which times nothing out.
  if (isEmbedded) return { prefix };
  const facts = await readFacts(client);
  if (isWritable && (facts.is_standby || facts.is_read_only)) {
    throw new TakesNoWrites(`${client.host}:${client.port} takes no writes`);
  }
  if (!('processID' in client) || client.processID !== facts.pid) return { prefix: null };
  await ask(client, { text: settings('set', statementTimeoutMs) }, connectMs);
  return { prefix };
}

/** The settings of a session, or with `set local` of a transaction. */
export const settings = (set: 'set' | 'set local', statementTimeoutMs: number): string =>
  `${set} statement_timeout = ${statementTimeoutMs};
  ${set} idle_in_transaction_session_timeout = ${idleTransactionMs}`;

async function readFacts(client: pg.Client): Promise<Facts> {
  const text = `select pg_backend_pid() as pid, pg_is_in_recovery() as is_standby,
    current_setting('transaction_read_only')::boolean as is_read_only`;
  const {
    rows: [facts],
  } = await ask<Facts>(client, { text }, connectMs);
  if (!facts) throw new ConnectionLost('the server did not say what it is');
  return facts;
}

/**
 * Finds the server of an address that does what is wanted of it, and how it is reached. All are asked at once.
 * @throws ConnectionLost, or what the only server has said.
 */
export async function findServer(
  address: DatabaseAddress,
  statementTimeoutMs: number,
): Promise<ServerAddress> {
  const failures = new Map<ServerAddress, unknown>();
  const attempts = address.servers.map(async (server) => {
    try {
      return await tryServer(server, { ...address, statementTimeoutMs });
    } catch (error) {
      failures.set(server, error);
      throw error;
    }
  });
  return await Promise.any(attempts).catch(() => {
    const [first, ...others] = failures;
    if (first && others.length === 0) throw first[1];
    const reasons = Array.from(failures, ([{ name }, error]) => `${name}: ${String(error)}`);
    throw new ConnectionLost(`no server takes writes (${reasons.join('; ')})`);
  });
}

async function tryServer(server: ServerAddress, requirements: Requirements): Promise<ServerAddress> {
  const { client, reached } = await connect(server, letInMsOf(requirements));
  try {
    await greet(client, requirements);
    return reached;
  } finally {
    client.end().catch(() => {});
  }
}

/** A connection of its own, encrypted where that is wanted and the server can. */
export async function connect(
  server: ServerAddress,
  letInMs: number,
): Promise<{ client: pg.Client; reached: ServerAddress }> {
  const client = new Client({ ...server, letInMs });
  // What waits for an answer is told by its own error.
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
