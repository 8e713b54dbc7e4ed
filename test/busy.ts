import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

/**
 * `node test/busy.ts <times> [--beside=<runs>] [file…]`: runs the suite, or these files, this often in a row while other
 * work keeps every core busy. The other work is an endless loop for each core. With `--beside` it is this number of
 * other rows of runs, which count too. Prints the last line of each run, and its failures. Keeps the whole output of a
 * run that fails.
 */

const { values, positionals } = parseArgs({
  options: { beside: { type: 'string' } },
  allowPositionals: true,
});
const [times = '20', ...files] = positionals;
const write = (line: string) => process.stdout.write(`${line}\n`);

let begun = 0;
let failures = 0;

async function runOnce(): Promise<void> {
  begun += 1;
  const number = begun;
  const run = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(run.stdout), once(run, 'close')]);
  const lines = printed.trimEnd().split('\n');
  write(`${number}: ${lines.at(-1)}`);
  if (run.exitCode === 0) return;
  failures += 1;
  const whole = join(mkdtempSync(join(tmpdir(), 'patchbay-busy-')), 'output.txt');
  writeFileSync(whole, printed);
  write(`The whole output is in ${whole}.`);
  for (const half of printed.split('On a PostgreSQL server:')) write(half.split('✖ failing tests:')[1] ?? '');
}

async function runInARow(): Promise<void> {
  while (begun < Number(times)) await runOnce();
}

if (values.beside === undefined) {
  const spin = 'for (;;) Math.sqrt(Math.random());';
  for (let core = 0; core < availableParallelism(); core += 1) new Worker(spin, { eval: true }).unref();
}
await Promise.all(Array.from({ length: 1 + Number(values.beside ?? 0) }, runInARow));
write(`${failures} of ${times} runs failed`);
process.exit(failures === 0 ? 0 : 1);
