import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';

/**
 * `node test/busy.ts <times> [file…]`: runs the suite, or these files, this often in a row while other work keeps
 * every core busy. Prints the last line of each run, and its failures.
 */

const [times = '20', ...files] = process.argv.slice(2);
const spin = 'for (;;) Math.sqrt(Math.random());';
for (let core = 0; core < availableParallelism(); core += 1) new Worker(spin, { eval: true }).unref();

let failures = 0;
for (let time = 1; time <= Number(times); time += 1) {
  const run = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(run.stdout), once(run, 'close')]);
  const lines = printed.trimEnd().split('\n');
  process.stdout.write(`${time}: ${lines.at(-1)}\n`);
  if (run.exitCode === 0) continue;
  failures += 1;
  process.stdout.write(`${lines.filter((line) => line.includes('✖')).join('\n')}\n`);
}
process.stdout.write(`${failures} of ${times} runs failed\n`);
process.exit(failures === 0 ? 0 : 1);
