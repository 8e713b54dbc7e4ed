import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { postgresBinaries } from './postgres.ts';
import { startTestServer } from './test-server.ts';

/**
 * `node test/run.ts [--faults] [file…]`: runs the tests on the embedded database, then those that touch a database on a
 * private PostgreSQL, and ends with one line that counts both. Suites that look at the program from outside, where it is
 * the same on both, run once, on the faster one; what is killed in small in the latter is killed in large on both.
 */

type Counts = { passed: number; failed: number };

const root = join(import.meta.dirname, '..');
const write = (line: string) => process.stdout.write(`${line}\n`);

// Every file is a process that would compile the whole program anew.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const files = chosenFiles(process.argv.slice(2));
const binaries = postgresBinaries();
const onServer = binaries ? files.filter(touchesDatabase) : [];
const onEmbedded = files.filter((file) => !(isFromOutside(file) && onServer.includes(file)));
write('On the embedded database:');
const counts = [await runOn('embedded', onEmbedded)];
if (binaries) counts.push(await runOnServer(binaries, onServer));
else write('PostgreSQL binaries not found: the suite ran on the embedded database only.');

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
write(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function chosenFiles(args: string[]): string[] {
  const faults = args.includes('--faults');
  const named = args.filter((arg) => arg !== '--faults').map((arg) => resolve(arg));
  if (named.length > 0) return named;
  const patterns = faults
    ? ['test/faults/*.faults.ts']
    : ['test/**/*.test.ts', 'web/**/*.test.ts', 'src/**/*.test.ts'];
  // Those that take long begin first, so that none of them is alone at the end.
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
    .map((file) => join(root, file));
}

async function runOnServer(binaries: string, chosen: string[]): Promise<Counts> {
  const server = await startTestServer(binaries);
  process.env.PATCHBAY_TEST_SERVER = server.url;
  write('On a PostgreSQL server:');
  const counts = await runOn('server', chosen);
  await server.remove();
  return counts;
}

async function runOn(kind: 'embedded' | 'server', chosen: string[]): Promise<Counts> {
  if (chosen.length === 0) return { passed: 0, failed: 0 };
  process.env.PATCHBAY_TEST_DATABASE = kind;
  const stream = run({ files: chosen, concurrency: 2 });
  const counts = { passed: 0, failed: 0 };
  stream.on('test:summary', (summary) => {
    // Each file has a summary too; the one without a file is of them all.
    if (summary.file !== undefined) return;
    counts.passed = summary.counts.passed;
    counts.failed =
      summary.counts.tests - summary.counts.passed - summary.counts.skipped - summary.counts.todo;
  });
  for await (const text of stream.compose(spec)) process.stdout.write(text);
  return counts;
}

function isFromOutside(file: string): boolean {
  const path = relative(root, file);
  const suites = [
    'browser/',
    'client/',
    'faults/mailing-',
    'faults/scenario-',
    'model/',
    'openapi/',
    'security/',
    'specification/',
  ];
  return path.endsWith('.test.ts') && suites.some((suite) => path.startsWith(`test/${suite}`));
}

/** Whether a file imports `test/database.ts`, itself or through others. */
function touchesDatabase(file: string): boolean {
  const seen = new Set<string>();
  const reaches = (path: string): boolean => {
    if (relative(root, path) === join('test', 'database.ts')) return true;
    if (seen.has(path)) return false;
    seen.add(path);
    return relativeImports(path).some(reaches);
  };
  return reaches(file);
}

function relativeImports(path: string): string[] {
  const imports = readFileSync(path, 'utf8').matchAll(/from '(\.[^']+\.ts)'/g);
  return Array.from(imports, ([, specifier = '']) => join(dirname(path), specifier));
}
