import { join } from 'node:path';
import { postgresBinaries } from '../postgres.ts';
import { startTestServer } from '../test-server.ts';
import { complaintsAbout } from './complaints.ts';
import { type Copy, copyTree } from './copy.ts';
import { areas } from './list/areas.ts';
import type { Area, Mutation } from './mutation.ts';
import { report, type Tried } from './report.ts';
import { runTests } from './run-tests.ts';

/**
 * `npm run test:mutants [-- --list] [part of a name or of a file…]`: puts the faults of a written list into a copy of the
 * program, one at a time, and tells which of them the nearest tests do not notice.
 *
 * Why not Stryker: it runs `node:test` through its TAP runner, a whole file at a time and on one database, and its faults
 * are those of JavaScript. Of a statement in SQL it makes an empty text, which every test notices. What went unnoticed
 * here is in the SQL: a lock that is missing, a project that is not asked for, another order.
 */

const root = join(import.meta.dirname, '..', '..');
const write = (line: string) => process.stdout.write(`${line}\n`);
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const args = process.argv.slice(2);
const words = args.filter((arg) => !arg.startsWith('--'));
const chosen = areas
  .map(({ name, mutations }) => ({ name, mutations: mutations.filter((one) => isNamed(name, one)) }))
  .filter(({ mutations }) => mutations.length > 0);

function isNamed(area: string, { name, file }: Mutation): boolean {
  return words.length === 0 || words.some((word) => `${area}: ${name} ${file}`.includes(word));
}

const complaints = complaintsAbout(areas);
for (const complaint of complaints) write(complaint);
if (args.includes('--list')) {
  for (const { name, mutations } of chosen) {
    for (const one of mutations) write(`${name}: ${one.name} (${one.file})`);
  }
  process.exitCode = complaints.length > 0 ? 1 : 0;
} else if (complaints.length > 0 || chosen.length === 0) {
  write('Nothing was tried: the list does not fit the program, or the name fits none of the list.');
  process.exitCode = 1;
} else {
  process.exitCode = await tryAll();
}

async function tryAll(): Promise<number> {
  const binaries = postgresBinaries();
  if (!binaries) {
    write('PostgreSQL binaries not found: set PG_BIN to their directory.');
    return 1;
  }
  const copy = await copyTree(root);
  const tried: Tried[] = [];
  for (const area of chosen) {
    // Each area has a server of its own: a test that is killed leaves its database there.
    const server = await startTestServer(binaries);
    tried.push(...(await tryArea(copy, area, server.url)));
    await server.remove();
  }
  await copy.remove();
  return report(tried, write);
}

function isMigration(file: string): boolean {
  return file.endsWith('.sql');
}

async function tryArea(copy: Copy, { name, mutations }: Area, serverUrl: string): Promise<Tried[]> {
  const usual = new Map<string, number>();
  const tried: Tried[] = [];
  for (const mutation of mutations) {
    const { file, tests, on = 'server' } = mutation;
    const environment = {
      ...copy.environment,
      PATCHBAY_TEST_DATABASE: on,
      // The area's server was filled by the program's own migrations. Tests of another migration start their own.
      ...(!isMigration(file) && { PATCHBAY_TEST_SERVER: serverUrl }),
    };
    const run = (limitMs: number) => runTests({ cwd: copy.tree, files: tests, environment, limitMs });

    const key = [on, isMigration(file), ...tests].join(' ');
    if (!usual.has(key)) {
      const { passed, failed, tookMs } = await run(300_000);
      if (!passed) throw new Error(`without any mutation ${key} fails: ${failed}`);
      usual.set(key, tookMs);
    }
    const limitMs = 20_000 + 2 * (usual.get(key) ?? 0);
    const outcome = await copy.withMutation(mutation, () => run(limitMs));
    await copy.tidy();
    const word = outcome.passed ? 'SURVIVED' : 'killed  ';
    const by = outcome.failed === null ? '' : `  ← ${outcome.failed}`;
    write(`${word} ${(outcome.tookMs / 1000).toFixed(1).padStart(5)} s  ${name}: ${mutation.name}${by}`);
    tried.push({ area: name, mutation, outcome });
  }
  return tried;
}
