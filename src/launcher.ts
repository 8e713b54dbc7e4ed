#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The command of the package. An older Node may run this file, but not the program: that one runs on the Node that npm
 * has installed beside it.
 */
const oldestNode = 24;

if (Number.parseInt(process.versions.node, 10) >= oldestNode) await import('./main.ts');
else runOnOwnNode();

function runOnOwnNode(): void {
  const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
  const program = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => program.kill(signal));
  program.on('error', ({ message }) => {
    process.stderr.write(
      `Patchbay needs Node ${oldestNode}: ${message}. Install it, or let npm do so: npm install-scripts approve node\n`,
    );
    process.exitCode = 1;
  });
  program.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
