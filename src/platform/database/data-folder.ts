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
import { lockFolder } from './folder-lock.ts';

/** Another living process owns the data folder. */
export class DataFolderInUse extends Error {
  constructor(folder: string, owner: string) {
    super(
      `The data folder ${folder} is in use by ${owner}. Stop that process, or choose another PATCHBAY_DATA_DIR.`,
    );
  }
}

/** The lowest limit of a kernel for the path of a Unix socket is 104 bytes, including the final NUL. */
const maxSocketPathBytes = 103;
const socketName = '.s.PGSQL.5432';

export const databaseDirectory = (folder: string): string => join(folder, 'database');

/** Makes the folder, accessible to this user alone. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
}

/** The socket at which the running owner of the folder listens. */
export function socketPath(folder: string): string {
  const path = join(resolve(folder), socketName);
  return fits(path) ? path : (readIfThere(join(folder, 'socket')) ?? path);
}

/**
 * The socket path of a new owner. Removes the former owner's socket, and finds a shorter place when the path is too
 * long.
 */
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

/** Whether a process listens there. */
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
 * Makes this process the owner of the folder, and returns the function that gives it up. The lock decides. The file
 * with the owner's pid names it to others, and earlier versions know only that file and the socket. Of two versions
 * that start at once, at least one sees the other's file.
 * @throws DataFolderInUse
 */
export async function takeOwnership(folder: string): Promise<() => void> {
  const me = identity(process.pid);
  const claim = `owner.${me.replace(' ', '-')}`;
  const unlock = lockFolder(folder);
  if (!unlock) throw new DataFolderInUse(folder, nameOf(livingOwners(folder)));
  const giveUp = () => {
    rmSync(join(folder, claim), { force: true });
    unlock();
  };
  try {
    writeWhole(join(folder, claim), me);
    const others = livingOwners(folder, claim);
    if (others.length > 0 || (await isListening(socketPath(folder))))
      throw new DataFolderInUse(folder, nameOf(others));
    forgetTheDead(folder);
    return giveUp;
  } catch (error) {
    giveUp();
    throw error;
  }
}

/** The process of another container has a pid that means nothing here. */
const nameOf = ([pid]: readonly number[]): string =>
  pid === undefined ? 'a process of another container' : `process ${pid}`;

/** The pids of the living processes that claim the folder. */
function livingOwners(folder: string, except?: string): number[] {
  return claims(folder).flatMap(({ name, isAlive, pid }) => (isAlive && name !== except ? [pid] : []));
}

function forgetTheDead(folder: string): void {
  for (const { name, isAlive } of claims(folder)) if (!isAlive) rmSync(join(folder, name), { force: true });
}

/** Earlier versions have one claim, named `owner`. */
function claims(folder: string): { name: string; pid: number; isAlive: boolean }[] {
  const names = readdirSync(folder).filter((name) => name === 'owner' || name.startsWith('owner.'));
  return names.map((name) => {
    const recorded = readIfThere(join(folder, name));
    const pid = Number.parseInt(recorded ?? '', 10);
    return { name, pid, isAlive: pid > 0 && isAlive(pid) && identity(pid) === recorded };
  });
}

/** Readers never see half of the file. */
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

// Pids are reused, in a container at every restart. Where /proc exists, the start time is therefore part of the
// identity.
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
