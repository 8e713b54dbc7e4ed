import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { until } from '../faults/until.ts';
import { freePort } from '../free-port.ts';
import { killFamily, killGroup, pidIn, standStill, type Workshop } from './processes.ts';

/** A PostgreSQL server and its Patroni, on their own loopback address. */
export type Node = {
  name: string;
  host: string;
  port: number;
  /** Of Patroni. */
  restPort: number;
  /** Kills PostgreSQL, and Patroni too if requested. */
  kill(what: 'postgres' | 'both'): Promise<void>;
  /** Starts Patroni if it is not running. */
  revive(): void;
  /** Both are suspended until the result is called, or Patroni alone. Its PostgreSQL then goes on as a primary. */
  sleep(who: 'both' | 'patroni'): () => void;
};

export type Cluster = {
  nodes: Node[];
  /** The address of a database, with all servers in it. */
  address(database: string): string;
  /** The node that accepts writes, beside a former one. Waits until there is one. */
  primary(former?: Node): Promise<Node>;
  /** Resolves when one node leads, one is its synchronous standby, and the third follows too. */
  whole(): Promise<void>;
};

/**
 * Patroni's defaults are 30, 10 and 10 s. Newer versions accept no ttl below 20 s. These low values keep the runs
 * short, and the measurements begin with the promotion.
 */
const times = { ttl: 6, loop_wait: 1, retry_timeout: 2 };

export async function startCluster(
  workshop: Workshop,
  { programs, isSynchronous }: { programs: string; isSynchronous: boolean },
): Promise<Cluster> {
  // Patroni needs more programs than those on the PATH.
  const binaries = dirname(realpathSync(join(programs, 'postgres')));
  const etcd = await startEtcd(workshop);
  const nodes: Node[] = [];
  for (const [index, name] of ['one', 'two', 'three'].entries()) {
    const host = `127.0.0.${11 + index}`;
    nodes.push(await startNode(workshop, { name, host, etcd, binaries, isSynchronous }));
    // The first node initializes the cluster, the others copy it.
    if (index === 0) await primaryOf(nodes);
  }
  const cluster: Cluster = {
    nodes,
    address: (database) =>
      `postgres://postgres@${nodes.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`,
    primary: (former) => primaryOf(nodes.filter((node) => node !== former)),
    whole: () => until(() => isWhole(nodes, isSynchronous)),
  };
  await cluster.whole();
  return cluster;
}

async function startEtcd({ start, directory }: Workshop): Promise<string> {
  const [clients, peers] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const url = (address: string) => `http://${address}`;
  start('etcd', 'etcd', [
    '--name=only',
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${url(clients)}`,
    `--advertise-client-urls=${url(clients)}`,
    `--listen-peer-urls=${url(peers)}`,
    `--initial-advertise-peer-urls=${url(peers)}`,
    `--initial-cluster=only=${url(peers)}`,
  ]);
  await until(() => isOk(`${url(clients)}/health`));
  return clients;
}

type NodePlan = { name: string; host: string; etcd: string; binaries: string; isSynchronous: boolean };

async function startNode(workshop: Workshop, plan: NodePlan): Promise<Node> {
  const { name, host } = plan;
  const [port, restPort] = [await freePort(), await freePort()];
  const data = join(workshop.directory, name);
  const settings = join(workshop.directory, `${name}.yml`);
  // JSON is also valid YAML.
  writeFileSync(settings, JSON.stringify(patroniSettings(plan, { port, restPort, data })));
  const pidFile = join(data, 'postmaster.pid');
  workshop.alsoEnd(pidFile);
  let patroni: ChildProcess | undefined;

  function revive(): void {
    if (patroni && patroni.exitCode === null && patroni.signalCode === null) return;
    patroni = workshop.start(`${name}-patroni`, 'patroni', [settings]);
  }
  revive();
  return {
    name,
    host,
    port,
    restPort,
    async kill(what) {
      const postgres = pidIn(pidFile);
      if (what === 'both' && patroni) {
        const ended = once(patroni, 'exit');
        killGroup(patroni);
        await ended;
      }
      if (postgres) killFamily(postgres);
    },
    revive,
    sleep(who) {
      const pids = [patroni?.pid, who === 'both' ? pidIn(pidFile) : null];
      return standStill(pids.filter((pid) => typeof pid === 'number'));
    },
  };
}

function patroniSettings(
  { name, host, etcd, binaries, isSynchronous }: NodePlan,
  { port, restPort, data }: { port: number; restPort: number; data: string },
): object {
  const rest = `${host}:${restPort}`;
  const server = `${host}:${port}`;
  const user = { username: 'postgres' };
  return {
    scope: 'patchbay',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { hosts: etcd },
    watchdog: { mode: 'off' },
    bootstrap: {
      dcs: {
        ...times,
        // A dead primary is replaced at once, and not restarted as the primary.
        primary_start_timeout: 0,
        maximum_lag_on_failover: 1_048_576,
        // Acknowledged writes are on two servers, and only one of these can be promoted.
        synchronous_mode: isSynchronous,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { wal_log_hints: 'on', max_connections: 200, fsync: 'off', wal_keep_size: '512MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: server,
      connect_address: server,
      bin_dir: binaries,
      data_dir: data,
      pgpass: `${data}.pgpass`,
      authentication: { superuser: user, replication: user, rewind: user },
      parameters: { unix_socket_directories: '' },
      pg_hba: ['host all all 127.0.0.0/8 trust', 'host replication all 127.0.0.0/8 trust'],
    },
  };
}

const askEveryMs = 20;

/** Asks the servers themselves, as programs do. Patroni's own report comes later. */
async function primaryOf(nodes: readonly Node[]): Promise<Node> {
  const found = new AbortController();
  try {
    return await Promise.any(nodes.map((node) => untilPrimary(node, found.signal)));
  } finally {
    found.abort();
  }
}

async function untilPrimary(node: Node, stop: AbortSignal): Promise<Node> {
  for (;;) {
    const client = new pg.Client({
      ...node,
      user: 'postgres',
      database: 'postgres',
      connectionTimeoutMillis: 1_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      for (;;) {
        stop.throwIfAborted();
        const { rows } = await client.query('select pg_is_in_recovery() as is_standby');
        if (!rows[0].is_standby) return node;
        await pause(askEveryMs);
      }
    } catch {
      stop.throwIfAborted();
      await pause(askEveryMs);
    } finally {
      client.end().catch(() => {});
    }
  }
}

type Member = { role: string; state: string };

async function isWhole(nodes: readonly Node[], isSynchronous: boolean): Promise<boolean> {
  const wanted = isSynchronous ? 'leader,replica,sync_standby' : 'leader,replica,replica';
  const asked = nodes.map(async ({ host, restPort }) => {
    const response = await fetch(`http://${host}:${restPort}/cluster`, {
      signal: AbortSignal.timeout(2_000),
    });
    const { members } = (await response.json()) as { members: Member[] };
    const follows = ({ state }: Member) => state === 'running' || state === 'streaming';
    const roles = members.filter(follows).map(({ role }) => role);
    return roles.sort().join() === wanted;
  });
  const said = await Promise.allSettled(asked);
  return said.every((one) => one.status === 'fulfilled' && one.value);
}

const isOk = async (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
