import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** `failed` names the first test that did. */
export type Outcome = { passed: boolean; failed: string | null; tookMs: number };

type Run = { cwd: string; files: readonly string[]; environment: Record<string, string>; limitMs: number };

/** Runs test files until the first failure, or until the time is over. */
export async function runTests({ cwd, files, environment, limitMs }: Run): Promise<Outcome> {
  const begun = performance.now();
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', ...files], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, so that what the tests have started ends with them.
    detached: true,
  });
  const closed = once(child, 'close');
  let failed: string | null = null;
  const end = (why: string) => {
    if (failed !== null || child.pid === undefined) return;
    failed = why;
    killGroup(child.pid);
  };
  const timer = setTimeout(() => end(`nothing ended within ${Math.round(limitMs / 1000)} s`), limitMs);
  const endWithUs = () => end('this process ends');
  process.once('exit', endWithUs);
  createInterface(child.stdout).on('line', (line) => {
    const name = /^\s*not ok \d+ - (.*?)(?: # TODO.*)?$/.exec(line)?.[1];
    if (name !== undefined) end(name);
  });
  const [code] = await closed;
  clearTimeout(timer);
  process.off('exit', endWithUs);
  const tookMs = performance.now() - begun;
  return { passed: code === 0 && failed === null, failed, tookMs };
}

function killGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL');
  } catch (error) {
    // It has just ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
