import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasEnded, unprivilegedUser } from '../postgres.ts';
import { findProgram } from './packages.ts';

/** A folder, and processes that work in it as an unprivileged user. All of them end with this process. */
export type Workshop = {
  directory: string;
  /** Starts a program in its own process group. Its output is in `<name>.log`. */
  start(name: string, program: string, args: string[]): ChildProcess;
  /** A detached process of another one. The first line of a file has its id. */
  alsoEnd(pidFile: string): void;
  close(): Promise<void>;
};

export function openWorkshop(): Workshop {
  const directory = mkdtempSync(join(tmpdir(), 'patchbay-ha-'));
  const user = unprivilegedUser();
  if (user) chownSync(directory, user.uid, user.gid);
  const children: ChildProcess[] = [];
  const pidFiles: string[] = [];

  function killAll(): void {
    for (const child of children) killGroup(child);
    for (const file of pidFiles) {
      const pid = pidIn(file);
      if (pid) killFamily(pid);
    }
  }
  const cleanUp = () => {
    killAll();
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  process.once('exit', cleanUp);
  return {
    directory,
    start(name, program, args) {
      const path = findProgram(program);
      if (!path) throw new Error(`the program ${program} is not installed`);
      const log = openSync(join(directory, `${name}.log`), 'a');
      const child = spawn(path, args, {
        ...user,
        cwd: directory,
        env: { PATH: process.env.PATH, HOME: directory, LANG: 'C.UTF-8' },
        stdio: ['ignore', log, log],
        detached: true,
      });
      children.push(child);
      return child;
    },
    alsoEnd: (pidFile) => void pidFiles.push(pidFile),
    async close() {
      process.off('exit', cleanUp);
      killAll();
      await Promise.all(children.filter((child) => !hasEnded(child)).map((child) => once(child, 'exit')));
      cleanUp();
    },
  };
}

/** The process and all its children, except detached ones. */
export function killGroup(child: ChildProcess): void {
  if (child.pid && !hasEnded(child)) kill(-child.pid);
}

/** A forking server: its children would finish their work before they notice. */
export function killFamily(pid: number): void {
  const children = childrenOf(pid);
  kill(pid);
  for (const child of children) kill(child);
}

/** Suspends the processes, as if their machine stopped, until the result is called. */
export function standStill(pids: readonly number[]): () => void {
  const paused = pids.flatMap((pid) => [pid, ...childrenOf(pid)]);
  for (const pid of paused) signal(pid, 'SIGSTOP');
  return () => {
    for (const pid of paused) signal(pid, 'SIGCONT');
  };
}

/** The id in the first line of PostgreSQL's `postmaster.pid`. Null without such a process. */
export function pidIn(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

function childrenOf(pid: number): number[] {
  try {
    const text = execFileSync('ps', ['-o', 'pid=', '--ppid', `${pid}`], { encoding: 'utf8' });
    return text.trim().split(/\s+/).map(Number);
  } catch {
    return [];
  }
}

const kill = (pid: number): void => signal(pid, 'SIGKILL');

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}
