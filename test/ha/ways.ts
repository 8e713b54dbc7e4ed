import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../faults/program.ts';
import { freePort } from '../free-port.ts';
import type { Cluster } from './cluster.ts';
import { startPgbouncer } from './pgbouncer.ts';
import type { Workshop } from './processes.ts';

/** The program's connections to the database: the settings of each kind. */
export const ways = ['hosts', 'haproxy', 'pgbouncer'] as const;
export type Way = (typeof ways)[number];

/** Returns a way's settings for a database. */
export type Addresses = (way: Way, database: string) => Environment;

/** HAProxy connects to Patroni's primary, and PgBouncer connects to HAProxy. */
export async function openWays(workshop: Workshop, cluster: Cluster): Promise<Addresses> {
  const haproxy = await startHaproxy(workshop, cluster);
  const pgbouncer = await startPgbouncer(workshop, { server: `127.0.0.1:${haproxy}`, poolSize: 20 });
  return (way, database): Environment => {
    const through = (port: number) => `postgres://postgres@127.0.0.1:${port}/${database}`;
    switch (way) {
      case 'hosts':
        return { DATABASE_URL: cluster.address(database) };
      case 'haproxy':
        return { DATABASE_URL: through(haproxy) };
      case 'pgbouncer':
        return { DATABASE_URL: through(pgbouncer), DATABASE_LISTEN_URL: through(haproxy) };
    }
  };
}

async function startHaproxy({ directory, start }: Workshop, { nodes }: Cluster): Promise<number> {
  const port = await freePort();
  const settings = join(directory, 'haproxy.cfg');
  const servers = nodes.map(
    ({ name, host, port, restPort }) => `  server ${name} ${host}:${port} check port ${restPort}`,
  );
  writeFileSync(
    settings,
    `defaults
  mode tcp
  retries 0
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  );
  start('haproxy', 'haproxy', ['-db', '-f', settings]);
  return port;
}
