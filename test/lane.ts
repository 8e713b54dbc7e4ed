import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * One of the processes of `test/run.ts`. It loads the program once, and then runs one test file after another. Each
 * file is a test, which its own tests and hooks belong to.
 */

/**
 * Only a file that hangs takes this long. It fails under its name, and the next file runs. Fault tests take their
 * real time.
 */
function timeoutOf(file: string): number {
  if (file.endsWith('.faults.ts')) return 120 * 60_000;
  return (file.endsWith('.full.ts') ? 30 : 15) * 60_000;
}

const { PATCHBAY_TEST_FILES = '[]', PATCHBAY_TEST_TAKEN = '' } = process.env;
const files: string[] = JSON.parse(PATCHBAY_TEST_FILES);

/** A process that has left nothing open ends at once. */
const farewellMs = 10_000;

/** A file whose test waits forever must not end the process before the next files. */
const alive = setInterval(() => {}, 60_000);

for (const [index, file] of files.entries()) {
  if (!takes(index)) continue;
  const name = relative(process.cwd(), file);
  await test(name, { timeout: timeoutOf(file) }, () => import(pathToFileURL(file).href));
}
clearInterval(alive);
// What a hanging file left open would keep this process, and with it the whole run, forever.
setTimeout(() => process.exit(), farewellMs).unref();

/** Whether this process is the first to take the file. */
function takes(index: number): boolean {
  return mkdirSync(join(PATCHBAY_TEST_TAKEN, String(index)), { recursive: true }) !== undefined;
}
