import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Another living process has the data folder. */
export class DataFolderInUse extends Error {
  readonly pid: number;
  constructor(folder: string, pid: number) {
    super(
      `The data folder ${folder} is in use by process ${pid}. Stop that process, or choose another PATCHBAY_DATA_DIR.`,
    );
    this.pid = pid;
  }
}

/** The kernels' limit for the path of a Unix socket is 104 bytes at the lowest, its final NUL included. */
const maxSocketPathBytes = 103;
const socketName = '.s.PGSQL.5432';

export const databaseDirectory = (folder: string): string => join(folder, 'database');

/** Makes the folder, for this user alone. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
}

/** Where the running owner of the folder listens. */
export function socketPath(folder: string): string {
  const path = join(resolve(folder), socketName);
  return fits(path) ? path : (readIfThere(join(folder, 'socket')) ?? path);
}

/** The same for a new owner: removes what a former one left, and finds a shorter place when the path is too long. */
export function newSocketPath(folder: string): string {
  const path = join(resolve(folder), socketName);
  const former = socketPath(folder);
  rmSync(former === path ? path : dirname(former), { recursive: true, force: true });
  if (fits(path)) return path;
  const elsewhere = join(mkdtempSync(join(tmpdir(), 'patchbay-')), socketName);
  writeFileSync(join(folder, 'socket'), elsewhere);
  return elsewhere;
}

const fits = (path: string): boolean => Buffer.byteLength(path) <= maxSocketPathBytes;

/** Whether somebody listens there. */
export function isListening(path: string): Promise<boolean> {
  if (!fits(path)) return Promise.resolve(false);
  return new Promise((done) => {
    const socket = connect(path, () => {
      socket.destroy();
      done(true);
    });
    socket.on('error', () => done(false));
  });
}

/**
 * Makes this process the owner of the folder, and returns the function that gives it up.
 * @throws DataFolderInUse
 */
export function takeOwnership(folder: string): () => void {
  const file = join(folder, 'owner');
  const me = identity(process.pid);
  for (;;) {
    try {
      writeFileSync(file, me, { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (!isErrorCode(error, 'EEXIST')) throw error;
    }
    const owner = ownerOf(folder);
    if (owner !== undefined) throw new DataFolderInUse(folder, owner);
    rmSync(file, { force: true });
  }
}

/** The pid of the living process that has the folder. */
export function ownerOf(folder: string): number | undefined {
  const recorded = readIfThere(join(folder, 'owner'));
  const pid = Number.parseInt(recorded ?? '', 10);
  return pid > 0 && isAlive(pid) && identity(pid) === recorded ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isErrorCode(error, 'EPERM');
  }
}

// Pids come back, in a container with every restart: where /proc tells, the moment of the start belongs to the identity.
function identity(pid: number): string {
  const stat = readIfThere(`/proc/${pid}/stat`) ?? '';
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return `${pid} ${startTime}`.trim();
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isErrorCode(error, 'ENOENT') || isErrorCode(error, 'ESRCH')) return undefined;
    throw error;
  }
}

const isErrorCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
