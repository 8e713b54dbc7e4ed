import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

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

const longestPauseMs = 20;

/**
 * Makes this process the owner of the folder, and returns the function that gives it up. Whoever wants the folder first says
 * so by a file of its own and then looks for others: of several at once none can overlook all the others.
 * @throws DataFolderInUse
 */
export async function takeOwnership(folder: string): Promise<() => void> {
  const me = identity(process.pid);
  const claim = `owner.${me.replace(' ', '-')}`;
  const giveUp = () => rmSync(join(folder, claim), { force: true });
  for (;;) {
    const [owner] = livingOwners(folder);
    if (owner !== undefined) throw new DataFolderInUse(folder, owner);
    writeWhole(join(folder, claim), me);
    if (livingOwners(folder, claim).length === 0) {
      forgetTheDead(folder);
      return giveUp;
    }
    giveUp();
    await delay(Math.random() * longestPauseMs);
  }
}

/** The pids of the living processes that claim the folder. */
function livingOwners(folder: string, except?: string): number[] {
  return claims(folder).flatMap(({ name, isAlive, pid }) => (isAlive && name !== except ? [pid] : []));
}

function forgetTheDead(folder: string): void {
  for (const { name, isAlive } of claims(folder)) if (!isAlive) rmSync(join(folder, name), { force: true });
}

/** The one claim of earlier versions is named `owner`. */
function claims(folder: string): { name: string; pid: number; isAlive: boolean }[] {
  const names = readdirSync(folder).filter((name) => name === 'owner' || name.startsWith('owner.'));
  return names.map((name) => {
    const recorded = readIfThere(join(folder, name));
    const pid = Number.parseInt(recorded ?? '', 10);
    return { name, pid, isAlive: pid > 0 && isAlive(pid) && identity(pid) === recorded };
  });
}

/** Nobody reads half of it. */
function writeWhole(path: string, text: string): void {
  const draft = join(dirname(path), `new-${basename(path)}`);
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
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
