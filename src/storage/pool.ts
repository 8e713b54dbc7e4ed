import type { Logger } from 'pino';
import postgres from 'postgres';
import { type Endpoint, encryptionOf } from './dial.ts';
import { type BeginParameters, connectPool, type LivePool, type Template } from './live-pool.ts';

/** What runs statements: the pool, or a transaction begun on it. Stores take this. */
export type Sql = postgres.ISql;

/** A pool of connections, which can begin transactions. */
export type Pool = postgres.Sql;

export type Address = { url: string } | { socketPath: string };

export type PoolOptions = {
  max: number;
  statementTimeoutMs: number;
  log: Logger;
  /** What a connection that listens hears. */
  onMessage?: (payload: string) => void;
};

/** A transaction that does nothing for so long holds up others for nothing. */
const idleTransactionMs = 10_000;

/**
 * A pool whose statements end, whatever happens to the server: with an answer, or with an error that
 * `isDatabaseUnavailable` knows. When a connection is lost, all of its pool is replaced by a new one behind the same
 * object; see `Line` for the reason.
 *
 * `bigint` comes as a number, `timestamptz` as a Date, `jsonb` as what it holds, arrays as arrays.
 */
export async function createPool(address: Address, options: PoolOptions): Promise<Pool> {
  const template = await readTemplate(address, options);
  const connect = () => connectPool(template, options.statementTimeoutMs, replace);
  let closed = false;
  let current = connect();

  function replace(lost: LivePool): void {
    if (closed || lost !== current) return;
    current = connect();
    void lost.retire();
  }
  const replaced = {
    begin: (...parameters: BeginParameters) => current.begin(...parameters),
    end({ timeout = 5 }: { timeout?: number } = {}) {
      closed = true;
      return current.end(timeout);
    },
  };
  return new Proxy(current.sql, {
    apply: (_target, _this, parameters) => Reflect.apply(current.sql, undefined, parameters),
    get: (_target, key) => Reflect.get(key in replaced ? replaced : current.sql, key),
  });
}

/** Connects once. postgres.js would ask every new connection for the array types, and let nobody catch a failure of that. */
export async function readTemplate(address: Address, options: PoolOptions): Promise<Template> {
  const parsed = parseOptions(address, options);
  const endpoint = endpointOf(address, parsed);
  const once = connectPool(
    { endpoint, options: { ...parsed, max: 1, fetch_types: true } },
    options.statementTimeoutMs,
    () => {},
  );
  try {
    await once.sql`select 1`;
  } finally {
    await once.end(0);
  }
  return { endpoint, options: { ...once.sql.options, max: options.max, fetch_types: false } };
}

function parseOptions(address: Address, options: PoolOptions): postgres.ParsedOptions {
  const given = clientOptions(options);
  if ('url' in address) return postgres(address.url, given).options;
  return postgres({ ...given, path: address.socketPath, database: 'postgres', username: 'postgres' }).options;
}

function endpointOf(
  address: Address,
  { host: [host = 'localhost'], port: [port = 5432], path }: postgres.ParsedOptions,
): Endpoint {
  const directory = decodeURIComponent(host);
  if (path) return { path };
  if (directory.startsWith('/')) return { path: `${directory}/.s.PGSQL.${port}` };
  return { host, port, encryption: 'url' in address ? encryptionOf(address.url) : 'disable' };
}

const clientOptions = ({ statementTimeoutMs, log, onMessage }: PoolOptions) => ({
  types: { bigint },
  // `Line` watches over connecting and encrypts where it must.
  connect_timeout: 0,
  backoff: false,
  // Its timer would outlive a lost line, and keep the process alive.
  max_lifetime: null,
  ssl: false,
  // postgres.js 3.4.9 forgets to reserve the connection of a `begin` that is the last one a full pipeline takes: what
  // others then write on it is acknowledged and never committed. So no pipeline is ever full.
  max_pipeline: Number.MAX_SAFE_INTEGER,
  // An undefined parameter would make it reject another statement than the one that has it.
  transform: { undefined: null },
  onnotify: (_channel: string, payload: string) => onMessage?.(payload),
  onnotice: (notice: postgres.Notice) => log.debug({ notice }, 'database notice'),
  connection: {
    application_name: 'patchbay',
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionMs,
  },
});

const bigint: postgres.PostgresType<number> = {
  to: 20,
  from: [20],
  serialize: String,
  parse(text: string) {
    const value = Number(text);
    if (!Number.isSafeInteger(value))
      throw new RangeError(`the bigint ${text} is beyond what a number holds`);
    return value;
  },
};
