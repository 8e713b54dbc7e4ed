import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { seldom } from '../seldom.ts';
import { makeIndex, makeIndexAtOnce, newIndexOf, progressOfIndex } from './make-index.ts';
import type { Pool, Sql } from './pool.ts';

/** The program's own migrations. */
export const migrationsDirectory = join(import.meta.dirname, '..', '..', '..', 'migrations');

type Migration = { name: string; checksum: string; text: string };

/** The name of every migration that a database has, with its checksum. */
export type Applied = Map<string, string>;

export class MigrationChanged extends Error {
  constructor(name: string) {
    super(
      `The migration ${name} was changed after it had been applied. Restore it, and put the change into a new file.`,
    );
  }
}

/** Any number that nothing else in the database locks. It is a part of the word `patchbay`. */
const lockKey = 0x70617463;

export type MigrateOptions = {
  /** Applies those only. */
  wanted?: Applied;
  /** Hears of the progress, and what another process is at while this one waits for it. */
  say?: (text: string) => void;
  /** Other sessions use the tables: an index that a file makes `concurrently` holds off none of them. */
  isShared?: boolean;
};

/** Files before this one are applied together. From it on, each has a transaction of its own. */
const firstAlone = '0060';

/**
 * A migration waits for a table no longer than this: statements of the running version wait behind it. Then it gives
 * way, and tries again.
 */
const lockTimeoutMs = 2_000;
const mostTries = 30;
const lookEveryMs = 500;

/**
 * Applies the `NNNN_name.sql` files of a directory that this database has not seen, in order, and returns their names.
 * Of several processes that start at once one applies a file, and the others wait. Migrations may be slow, so pass
 * `longSql`.
 * @throws MigrationChanged
 */
export async function migrate(sql: Pool, directory: string, options: MigrateOptions = {}): Promise<string[]> {
  const { wanted, say = () => {}, isShared = false } = options;
  const known = await readMigrations(directory);
  const migrations = wanted ? known.filter(({ name }) => wanted.has(name)) : known;
  const applied: string[] = [];
  const [sayOwn, sayOther, sayLocked] = [seldom(say), seldom(say), seldom(say)];
  for (let tries = 0; ; ) {
    try {
      const step = await applyNext(sql, migrations, { say: sayOwn, isShared });
      if (step === 'done') return applied;
      if (step === 'busy') {
        const progress = await progressOfOther(sql);
        if (progress !== null) sayOther(`waiting for another process: ${progress}`);
        await delay(lookEveryMs);
      } else applied.push(...step);
    } catch (error) {
      tries += 1;
      if (!isLocked(error) || tries === mostTries) throw error;
      sayLocked('waiting for a table that statements of a running process use');
      await delay(lookEveryMs);
    }
  }
}

const isLocked = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55P03';

/** Applies the next migrations that belong together, and returns their names. `busy`: another process applies some. */
async function applyNext(
  sql: Pool,
  migrations: readonly Migration[],
  { say, isShared }: Required<Pick<MigrateOptions, 'say' | 'isShared'>>,
): Promise<string[] | 'done' | 'busy'> {
  return await sql.begin(async (transaction) => {
    const [{ isOurs }] = await transaction<[{ isOurs: boolean }]>`
      select pg_try_advisory_xact_lock(${lockKey}) as "isOurs"`;
    if (!isOurs) return 'busy';
    await makeTable(transaction);
    const missing = missingOf(migrations, await readApplied(transaction));
    const [first] = missing;
    if (!first) return 'done';
    const together = first.name < firstAlone ? missing.filter(({ name }) => name < firstAlone) : [first];
    await transaction.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
    for (const migration of together) {
      const place = migrations.indexOf(migration) + 1;
      const progress = `migration ${place} of ${migrations.length}, ${migration.name}`;
      say(progress);
      await transaction`select set_config('application_name', ${progressMark + progress}, true)`;
      await apply(transaction, migration, {
        beside: isShared ? sql : null,
        say: (detail) => say(`${progress}, ${detail}`),
      });
    }
    return together.map(({ name }) => name);
  });
}

function missingOf(migrations: readonly Migration[], applied: Applied): Migration[] {
  return migrations.filter(({ name, checksum }) => {
    const known = applied.get(name);
    if (known !== undefined && known !== checksum) throw new MigrationChanged(name);
    return known === undefined;
  });
}

/** A name of a connection is seen by others before its transaction commits. It has 63 characters. */
const progressMark = 'patchbay: ';

async function progressOfOther(sql: Sql): Promise<string | null> {
  const index = await progressOfIndex(sql);
  const rows = await sql<{ name: string }[]>`
    select application_name as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like ${`${progressMark}%`}`;
  const [row] = rows;
  if (!row) return null;
  const migration = row.name.slice(progressMark.length);
  return index === null ? migration : `${migration}, ${index}`;
}

export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8');
      return {
        name,
        text,
        checksum: createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex'),
      };
    }),
  );
}

/** Empty for a database without tables. */
export async function readApplied(sql: Sql): Promise<Applied> {
  const [{ isMade }] = await sql<[{ isMade: boolean }]>`
    select to_regclass('migrations') is not null as "isMade"`;
  if (!isMade) return new Map();
  const rows = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from migrations order by name`;
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

const makeTable = (sql: Sql) =>
  sql`create table if not exists migrations (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`;

/** An index is made by `beside`, outside the transaction, which holds the other processes off meanwhile. */
async function apply(
  transaction: Sql,
  { name, checksum, text }: Migration,
  { beside, say }: { beside: Pool | null; say: (detail: string) => void },
): Promise<void> {
  const index = newIndexOf(name, text);
  if (index && beside) {
    await transaction.unsafe('set local idle_in_transaction_session_timeout = 0');
    await makeIndex(beside, index, say);
  } else if (index) await makeIndexAtOnce(transaction, index);
  else await transaction.unsafe(text);
  await transaction`insert into migrations (name, checksum) values (${name}, ${checksum})`;
}
