import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import type { Workshop } from './processes.ts';

type Settings = {
  /** `host:port` */
  server: string;
  /** Connections to the server for each database. */
  poolSize: number;
};

/** In transaction mode: a client has a connection only during a transaction. Returns the port. */
export async function startPgbouncer(
  { directory, start }: Workshop,
  { server, poolSize }: Settings,
): Promise<number> {
  const port = await freePort();
  const [host, serverPort] = server.split(':');
  const settings = join(directory, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=${host} port=${serverPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
server_login_retry = 1
server_connect_timeout = 2
query_wait_timeout = 5
`,
  );
  start('pgbouncer', 'pgbouncer', [settings]);
  return port;
}
