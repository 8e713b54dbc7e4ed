import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { type Call, caller, type Lifetime } from '../harness.ts';
import { hasEnded } from '../postgres.ts';

export type Environment = Record<string, string>;

/** `patchbay serve` as a separate process. */
export type Program = {
  pid: number;
  address: string;
  call: Call;
  /** Its log lines at the level error and above. */
  complaints: string[];
  /** All that it printed. */
  printed: string[];
  /** Resolves when the process has ended, however that came. */
  ended: Promise<void>;
  isRunning(): boolean;
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void;
  /** Resolves with the exit code when the process has ended, or with null after a kill. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
};

/** No child outlives the tests, however these end. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

const { PATH, NODE_COMPILE_CACHE } = process.env;
const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** A program whose machine has another time. SIGUSR2 sets its clock. */
export const clockAhead = (ms: number): Environment => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'clock-ahead.ts'))}`,
  CLOCK_AHEAD_MS: `${ms}`,
});

/** `entry` may be that of another version. `within` is a command that runs the one behind it. */
export type Start = { entry?: string; within?: readonly string[] };

/** Resolves when the program serves. Rejects when it ends instead. */
export async function startProgram(
  lifetime: Lifetime,
  environment: Environment,
  { entry = main, within = [] }: Start = {},
): Promise<Program> {
  const [command = '', ...words] = [...within, process.execPath, entry, 'serve'];
  const child = spawn(command, words, {
    // A folder without a `.env` file.
    cwd: tmpdir(),
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  lifetime.after(async () => {
    await end(child, 'SIGKILL');
    children.delete(child);
  });
  const complaints: string[] = [];
  const printed: string[] = [];
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const address = await addressOf(child, printed, complaints);
  return {
    pid: child.pid ?? 0,
    address,
    call: caller(address),
    complaints,
    printed,
    ended,
    isRunning: () => !hasEnded(child),
    signal: (signal) => void child.kill(signal),
    end: (signal) => end(child, signal),
  };
}

/** Follows the program's output, and resolves with the address that it prints. */
function addressOf(
  child: ReturnType<typeof spawn>,
  printed: string[],
  complaints: string[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface(stream).on('line', (line) => {
        printed.push(line);
        const entry = logEntry(line);
        if (!entry) return;
        if (entry.level >= errorLevel) complaints.push(line);
        if (entry.msg === 'ready' && entry.address) resolve(entry.address);
      });
    }
    child.once('exit', (code, signal) => {
      reject(new Error(`serve ended with ${code ?? signal} before it was ready:\n${printed.join('\n')}`));
    });
  });
}

const errorLevel = 50;

function logEntry(line: string): { level: number; msg?: string; address?: string } | null {
  return line.startsWith('{"level":') ? JSON.parse(line) : null;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (!hasEnded(child)) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}
