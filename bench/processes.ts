import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { freePort } from '../test/free-port.ts';

const root = join(import.meta.dirname, '..');

export type Report = { calls: number; first: number; last: number };

export type Receiver = { url: string; report(): Promise<Report>; reset(): Promise<void>; stop(): void };

/** It answers a call after this time. */
export async function startReceiver(latencyMs = 0): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, 'receiver.ts'), [String(latencyMs)]);
  const [{ url }] = await once(child, 'message');
  const ask = async (question: string) => {
    child.send(question);
    const [answer] = await once(child, 'message');
    return answer;
  };
  return { url, report: () => ask('report'), reset: () => ask('reset'), stop: () => child.disconnect() };
}

/** The storage of a measured program: a folder for the embedded database, or the address of a server. */
export type Storage = { name: 'embedded' | 'server'; environment: Record<string, string> };

/** A connection to the database of the measured program. */
export const openStorage = ({ environment }: Storage): Promise<Database> =>
  openDatabase({
    databaseUrl: environment.DATABASE_URL ?? null,
    dataDir: environment.PATCHBAY_DATA_DIR ?? '',
    log: pino({ level: 'silent' }),
  });

export type Program = {
  url: string;
  pid: number;
  /** Runs a command of the program beside it; returns its output. */
  command<Answer>(...words: string[]): Promise<Answer>;
  stop(): Promise<void>;
  /** Ends it at once (-9). */
  kill(): Promise<void>;
};

/** `patchbay serve` in its own process, as a person would run it. */
export async function startProgram(storage: Storage, roles = 'api,worker'): Promise<Program> {
  const port = await freePort();
  const environment = {
    ...process.env,
    ...storage.environment,
    PORT: String(port),
    PATCHBAY_ROLES: roles,
    PATCHBAY_ALLOW_OUTBOUND: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [join(root, 'src/main.ts'), 'serve'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await healthy(url, child);
  if (child.pid === undefined) throw new Error('the program did not start');
  const endBy = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    url,
    pid: child.pid,
    command: async (...words) =>
      JSON.parse(await run([join(root, 'src/main.ts'), ...words, '--json'], environment)),
    stop: () => endBy('SIGTERM'),
    kill: () => endBy('SIGKILL'),
  };
}

async function run(words: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${words.slice(1).join(' ')} failed`);
  return printed;
}

export async function healthy(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}`);
    const ready = await fetch(`${url}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await pause(50);
  }
}

/** Resident memory in MB, including threads. */
export function memoryOf(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}

/** CPU time used so far by all threads, in ms. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return ticks * 10;
}
