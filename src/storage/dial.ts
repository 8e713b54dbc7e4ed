import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Whether the way to the server is encrypted, in the words of libpq's `sslmode`. */
export type Encryption = 'disable' | 'prefer' | 'require' | 'verify-full';

export type Endpoint = { path: string } | { host: string; port: number; encryption: Encryption };

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const keepAliveMs = 10_000;

/** Opens a connection to a PostgreSQL server, up to where the startup message may be sent. */
export async function dial(endpoint: Endpoint, signal: AbortSignal): Promise<Socket> {
  const socket = connect(endpoint);
  // Whoever waits is told by `once`, or by the close that follows.
  socket.on('error', () => {});
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  await once(socket, 'connect', { signal });
  if ('path' in endpoint) return socket;
  socket.setNoDelay(true).setKeepAlive(true, keepAliveMs);
  return endpoint.encryption === 'disable' ? socket : await encrypt(socket, endpoint, signal);
}

type EncryptedEndpoint = { host: string; encryption: Encryption };

async function encrypt(
  socket: Socket,
  { host, encryption }: EncryptedEndpoint,
  signal: AbortSignal,
): Promise<Socket> {
  socket.write(sslRequest);
  const [answer]: Buffer[] = await once(socket, 'data', { signal });
  if (answer?.toString('latin1') !== 'S') {
    if (encryption === 'prefer') return socket;
    throw new Error('the server does not encrypt connections, but DATABASE_URL asks for it');
  }
  const secured = connectTls({
    socket,
    servername: isIP(host) ? undefined : host,
    rejectUnauthorized: encryption === 'verify-full',
  });
  await once(secured, 'secureConnect', { signal });
  return secured;
}

/** @throws when the address asks for an encryption that does not exist. */
export function encryptionOf(databaseUrl: string): Encryption {
  const { searchParams } = new URL(databaseUrl);
  const mode = searchParams.get('sslmode') ?? (searchParams.get('ssl') === 'true' ? 'require' : 'disable');
  switch (mode) {
    case 'disable':
    case 'prefer':
    case 'require':
    case 'verify-full':
      return mode;
    case 'allow':
      return 'prefer';
    case 'verify-ca':
      return 'verify-full';
    default:
      throw new Error(`sslmode=${mode} in DATABASE_URL is unknown`);
  }
}
