import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { idsOf } from './user-ids.ts';

const oldestVersion = 15;

/** A separate PostgreSQL server on a loopback port, with its data in a temporary directory. */
export type PrivateServer = {
  /** The address of its database `postgres`. Any password works. */
  url: string;
  start(): Promise<void>;
  /** A fast shutdown: transactions are rolled back, and clients are notified. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Kills it, and deletes its data. Also happens when this process ends. */
  remove(): Promise<void>;
};

/** The directory of PostgreSQL's programs: `PG_BIN`, on the PATH, or the paths of Debian, Fedora and Homebrew. */
export function postgresBinaries(): string | undefined {
  const places = [
    process.env.PG_BIN,
    ...(process.env.PATH ?? '').split(delimiter),
    ...globSync(['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql@*/bin']),
  ];
  return places
    .filter((place) => place !== undefined)
    .find((place) => existsSync(join(place, 'initdb')) && versionIn(place) >= oldestVersion);
}

function versionIn(binaries: string): number {
  const text = execFileSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number.parseInt(text.match(/\d+/)?.[0] ?? '0', 10);
}

export async function startPostgres(
  binaries: string,
  ownSettings: readonly string[] = [],
): Promise<PrivateServer> {
  const directory = mkdtempSync(join(tmpdir(), 'patchbay-postgres-'));
  const user = unprivilegedUser();
  if (user) chownSync(directory, user.uid, user.gid);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const run = (program: string, args: string[]) =>
    spawn(join(binaries, program), args, { ...user, cwd: directory, stdio: 'ignore' });

  const initdb = run('initdb', [
    '-D',
    join(directory, 'data'),
    '-U',
    'postgres',
    '-A',
    'trust',
    '-N',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ]);
  const [code] = await once(initdb, 'exit');
  if (code !== 0) throw new Error(`initdb of ${binaries} failed in ${directory}`);

  let child: ChildProcess | undefined;
  async function start(): Promise<void> {
    const settings = [
      ...['fsync=off', 'full_page_writes=off', 'max_connections=200', 'unix_socket_directories='],
      ...ownSettings,
    ];
    // After a kill the old server's children may hold its memory for a moment. The new one then refuses to start.
    for (let attempt = 0; attempt < 50; attempt += 1) {
      child = run('postgres', [
        '-D',
        join(directory, 'data'),
        '-h',
        '127.0.0.1',
        '-p',
        `${port}`,
        ...settings.flatMap((setting) => ['-c', setting]),
      ]);
      // The server ends with the test process, so the process need not wait for it.
      child.unref();
      if (await answers(url, child)) return;
    }
    throw new Error(`the private PostgreSQL in ${directory} does not start`);
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || hasEnded(child)) return;
    child.ref();
    child.kill(signal);
    await once(child, 'exit');
  }
  const cleanUp = () => {
    child?.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', cleanUp);
  await start();
  return {
    url,
    start,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    async remove() {
      await end('SIGKILL');
      process.off('exit', cleanUp);
      cleanUp();
    },
  };
}

export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/** Waits until the server accepts connections. False when it has exited instead. */
async function answers(url: string, child: ChildProcess): Promise<boolean> {
  while (!hasEnded(child)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
    const isThere = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end();
    if (isThere) return true;
    await delay(50);
  }
  await delay(100);
  return false;
}

/** PostgreSQL refuses to run as root. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      return idsOf(name);
    } catch {}
  }
  throw new Error('as root, the tests need a user `postgres` or `nobody` to run PostgreSQL as');
}
