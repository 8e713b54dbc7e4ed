import { dirname, extname } from 'node:path';
import type pg from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';

/** The address of one server, its credentials, and whether the connection is encrypted. */
export type ServerAddress = Pick<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'
> & {
  /** The name shown to people. */
  name: string;
  /** Whether to continue without encryption if the server has none. */
  mayBePlain: boolean;
};

export type DatabaseAddress = {
  servers: ServerAddress[];
  /** Whether only a server that takes writes is accepted. */
  isWritable: boolean;
  /** Whether this is our own gateway, whose connections share one session. */
  isEmbedded: boolean;
};

const encryptions = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
const ifOffered = ['allow', 'prefer'];
const anyServer = 'any';
const writableServers = ['read-write', 'primary'];

/**
 * Reads `postgres://user:password@host:port,host:port/database?sslmode=…&target_session_attrs=…` as libpq does. Two
 * defaults are ours. The connection is not encrypted, and of several servers the one that takes writes is used.
 * @throws when the address asks for an unknown setting.
 */
export function readDatabaseUrl(url: string): DatabaseAddress {
  const [, scheme = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  if (!/^postgres(ql)?:/.test(scheme)) throw new Error('DATABASE_URL must begin with postgres://');
  const asked = new URLSearchParams(rest.slice(rest.indexOf('?') + 1));
  const sessions = asked.get('target_session_attrs') ?? (hosts.includes(',') ? 'read-write' : anyServer);
  if (sessions !== anyServer && !writableServers.includes(sessions)) {
    throw new Error(`target_session_attrs=${sessions} in DATABASE_URL is not any, read-write or primary`);
  }
  return {
    servers: hosts.split(',').map((host) => readServer(`${scheme}${host}${rest}`)),
    isWritable: sessions !== anyServer,
    isEmbedded: false,
  };
}

/** The embedded database behind its socket. The socket is named as PostgreSQL names its own: `.s.PGSQL.<port>`. */
export function embeddedAddress(socketPath: string): DatabaseAddress {
  const server: ServerAddress = {
    name: socketPath,
    host: dirname(socketPath),
    port: Number(extname(socketPath).slice(1)),
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    mayBePlain: false,
  };
  return { servers: [server], isWritable: false, isEmbedded: true };
}

function readServer(url: string): ServerAddress {
  const given = parse(url, { useLibpqCompat: true });
  const mode = given.sslmode ?? (given.ssl === true ? 'require' : 'disable');
  if (typeof mode !== 'string' || !encryptions.includes(mode)) {
    throw new Error(`sslmode=${mode} in DATABASE_URL is unknown`);
  }
  const { host = 'localhost', port = 5432, user, password, database, ssl } = toClientConfig(given);
  const mayBePlain = ifOffered.includes(mode);
  const isPlain = mode === 'disable' || host.startsWith('/');
  const encryption = mayBePlain ? { rejectUnauthorized: false } : ssl;
  const name = `${host}:${port}`;
  return { name, host, port, user, password, database, ssl: isPlain ? false : encryption, mayBePlain };
}
