/**
 * `npm run bench`: one table, in which each row is a ratio of two measurements of the same run. It runs on the
 * embedded database, and on a private PostgreSQL server if its binaries are installed. `npm run bench -- accept
 * deliver` runs only those rows.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPool } from '../src/platform/database/pool.ts';
import { readDatabaseUrl } from '../src/platform/database/server-address.ts';
import { postgresBinaries, startPostgres } from '../test/postgres.ts';
import { type Storage, startReceiver } from './processes.ts';
import { type Fresh, measures, type Row } from './rows.ts';

const asked = process.argv.slice(2);
const wanted = (name: string): boolean => asked.length === 0 || asked.includes(name);

/** Runs with the maker of fresh storage of a kind; all of it is gone afterwards. */
async function withStorage(name: Storage['name'], use: (fresh: Fresh) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'patchbay-bench-'));
  const folder = (): Record<string, string> => ({
    PATCHBAY_DATA_DIR: mkdtempSync(join(root, 'data-')),
    PATCHBAY_SECRET_KEY: randomBytes(32).toString('base64'),
  });
  const binaries = postgresBinaries();
  if (name === 'embedded') {
    await use(async () => ({ name, environment: folder() }));
  } else if (binaries) {
    const server = await startPostgres(binaries);
    await use(async () => ({
      name,
      environment: { ...folder(), DATABASE_URL: await newDatabase(server.url) },
    }));
    await server.remove();
  } else {
    process.stdout.write('PostgreSQL binaries not found: the embedded database only.\n');
  }
  rmSync(root, { recursive: true, force: true });
}

async function newDatabase(server: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const administrator = await createPool(readDatabaseUrl(server), { max: 1, statementTimeoutMs: 60_000 });
  await administrator`create database ${administrator(name)}`;
  await administrator.end();
  const address = new URL(server);
  address.pathname = `/${name}`;
  return address.href;
}

const receiver = await startReceiver();
const rows: Row[] = [];
for (const name of ['embedded', 'server'] as const) {
  await withStorage(name, async (fresh) => {
    for (const [measure, rowsOf] of Object.entries(measures)) {
      if (!wanted(measure)) continue;
      for await (const row of rowsOf(fresh, receiver)) {
        process.stdout.write(`${Object.values(row).filter(Boolean).join(' · ')}\n`);
        rows.push(row);
      }
    }
  });
}
receiver.stop();
process.stdout.write(`\n${asTable(rows)}\n`);

function asTable(all: Row[]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  const heads = ['measured', 'database', 'ours', 'bare', 'ratio', 'goal'];
  return [line(heads), line(heads.map(() => '---')), ...all.map((row) => line(Object.values(row)))].join(
    '\n',
  );
}
