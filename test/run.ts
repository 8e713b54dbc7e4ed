import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { postgresBinaries } from './postgres.ts';
import { startTestServer } from './test-server.ts';

/**
 * `node test/run.ts [--full | --faults] [file…]`: runs the tests on the embedded database, then the database tests on
 * a private PostgreSQL. Ends with one line that counts both.
 * Suites that see the program from outside run once, on the faster database: the program is the same on both. Their
 * fault tests run on both. Quick tests are in `*.test.ts`. `--full` runs the large
 * ones, `*.full.ts`. `--faults` runs the ones that wait for real leases, `*.faults.ts`.
 */

type Counts = { passed: number; failed: number };

const root = join(import.meta.dirname, '..');
const write = (line: string) => process.stdout.write(`${line}\n`);

/** One more than most CI machines have cores: a file often waits for a process, a database or a timer. */
const lanes = 3;

// Otherwise every started program would be compiled anew.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');
process.env.TMPDIR = temporaryFolder();

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
  const named = args.filter((arg) => !arg.startsWith('--')).map((arg) => resolve(arg));
  if (named.length > 0) return named;
  const kind = args.includes('--full') ? 'full' : args.includes('--faults') ? 'faults' : 'test';
  // Slow files begin first, so that none of them runs alone at the end.
  return ['test', 'src', 'web']
    .flatMap((folder) => globSync(`${folder}/**/*.${kind}.ts`, { cwd: root }).sort())
    .map((file) => join(root, file));
}

/** A folder for this run, in memory if there is room: the tests make and delete hundreds of databases. */
function temporaryFolder(): string {
  const memory = '/dev/shm';
  const place = existsSync(memory) && freeBytes(memory) > 2 * 2 ** 30 ? memory : tmpdir();
  const folder = mkdtempSync(join(place, 'patchbay-tests-'));
  // PostgreSQL uses it as another user than root.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
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
  process.env.PATCHBAY_TEST_FILES = JSON.stringify(chosen);
  process.env.PATCHBAY_TEST_TAKEN = mkdtempSync(join(tmpdir(), 'taken-'));
  const stream = run({ files: Array(lanes).fill(join(import.meta.dirname, 'lane.ts')), concurrency: lanes });
  const counts = { passed: 0, failed: 0 };
  stream.on('test:pass', ({ nesting, details, skip, todo }) => {
    const isTest = details.type === 'test' && nesting > 0;
    if (isTest && skip === undefined && todo === undefined) counts.passed += 1;
  });
  stream.on('test:fail', ({ nesting, details }) => {
    // A file itself fails when it cannot be loaded, or when one of its hooks fails.
    const isFile =
      nesting === 0 && 'failureType' in details.error && details.error.failureType === 'subtestsFailed';
    if (details.type === 'test' && !isFile) counts.failed += 1;
  });
  for await (const text of stream.compose(spec)) process.stdout.write(text);
  return counts;
}

function isFromOutside(file: string): boolean {
  const path = relative(root, file);
  const suites = [
    'src/cli/commands.',
    'src/messaging/stream/processes.',
    'src/demo/',
    'src/scenarios/runs/crash.',
    'test/browser/',
    'test/channels/conversations.',
    'test/client/',
    'test/faults/mailing-',
    'test/faults/scenario-',
    'test/model/',
    'test/openapi/',
    'test/package.',
    'test/security/',
    'test/simulator/',
    'test/specification/',
  ];
  return !path.endsWith('.faults.ts') && suites.some((suite) => path.startsWith(suite));
}

/** Whether a file imports `test/database.ts`, directly or indirectly. */
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
