import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * One of the processes of `test/run.ts`. It loads the program once, and runs one test file after another, each as a test
 * that the file's own tests and hooks belong to, until all are taken.
 */

/** Only a file that hangs takes as long: it fails by its name, and the next one has its turn. Faults take their real time. */
const timeoutOf = (file: string): number => (file.endsWith('.faults.ts') ? 120 : 15) * 60_000;

const { PATCHBAY_TEST_FILES = '[]', PATCHBAY_TEST_TAKEN = '' } = process.env;
const files: string[] = JSON.parse(PATCHBAY_TEST_FILES);

/** A file whose test waits for nothing that will ever happen must not end the process for those that follow. */
const alive = setInterval(() => {}, 60_000);

for (const [index, file] of files.entries()) {
  if (!takes(index)) continue;
  const name = relative(process.cwd(), file);
  await test(name, { timeout: timeoutOf(file) }, () => import(pathToFileURL(file).href));
}
clearInterval(alive);

/** Whether no other process was faster. */
function takes(index: number): boolean {
  return mkdirSync(join(PATCHBAY_TEST_TAKEN, String(index)), { recursive: true }) !== undefined;
}
