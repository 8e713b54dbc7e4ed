import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/**
 * Applies the `NNNN_name.sql` files of a directory that this database has not seen. Applies them in order, all or
 * none, and returns their names. Of several processes that start at once one applies them, and the others wait.
 * Migrations may be slow, so pass `longSql`. With `wanted`, applies those only.
 * @throws MigrationChanged
 */
export async function migrate(sql: Pool, directory: string, wanted?: Applied): Promise<string[]> {
  const known = await readMigrations(directory);
  const migrations = wanted ? known.filter(({ name }) => wanted.has(name)) : known;
  return await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${lockKey})`;
    await makeTable(transaction);
    const applied = await readApplied(transaction);
    const missing = migrations.filter(({ name, checksum }) => {
      const known = applied.get(name);
      if (known !== undefined && known !== checksum) throw new MigrationChanged(name);
      return known === undefined;
    });
    for (const migration of missing) await apply(transaction, migration);
    return missing.map(({ name }) => name);
  });
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

async function apply(sql: Sql, { name, checksum, text }: Migration): Promise<void> {
  await sql.unsafe(text);
  await sql`insert into migrations (name, checksum) values (${name}, ${checksum})`;
}
