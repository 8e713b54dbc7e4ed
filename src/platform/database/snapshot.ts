import { Refused } from '../problem.ts';
import { seldom } from '../seldom.ts';
import { migrate, migrationsDirectory, readApplied, readMigrations } from './migrate.ts';
import { ensurePartitions } from './partitions.ts';
import type { Pool, Sql } from './pool.ts';
import {
  haveRows,
  insertRows,
  monthsOf,
  rowsOf,
  sequencesOf,
  setSequence,
  setUp,
  type Table,
  tablesOf,
} from './tables.ts';
import { withoutChecks } from './without-checks.ts';

export type SnapshotHead = { migrations: [name: string, checksum: string][]; months: string[] };

/** A part of a snapshot after its head. Rows belong to the table named last, and are as PostgreSQL writes them. */
export type SnapshotPart =
  | { table: string; columns: string[] }
  | { rows: string[] }
  | { sequence: string; value: number };

/** Rows may be large. */
const rowsAtOnce = 500;

/**
 * Passes on everything that the database held at one moment. On a server others go on writing meanwhile. The embedded
 * database has one session, so they wait.
 */
export async function takeSnapshot<Result>(
  sql: Pool,
  use: (snapshot: Sql, parts: AsyncIterable<SnapshotHead | SnapshotPart>) => Promise<Result>,
): Promise<Result> {
  return await sql.begin(async (transaction) => {
    await transaction.unsafe('set transaction isolation level repeatable read, read only');
    await setUp(transaction);
    return await use(transaction, partsOf(transaction));
  });
}

async function* partsOf(sql: Sql): AsyncGenerator<SnapshotHead | SnapshotPart> {
  yield { migrations: [...(await readApplied(sql))], months: await monthsOf(sql) };
  for (const table of await tablesOf(sql)) {
    yield { table: table.name, columns: table.columns };
    for await (const rows of rowsOf(sql, table, rowsAtOnce)) yield { rows };
  }
  for (const { name, value } of await sequencesOf(sql)) yield { sequence: name, value };
}

/** @throws Refused when this program cannot load the snapshot, or the database is not empty. Changes nothing. */
export async function checkTarget(sql: Sql, { migrations }: SnapshotHead): Promise<void> {
  const known = new Map(
    (await readMigrations(migrationsDirectory)).map(({ name, checksum }) => [name, checksum]),
  );
  const unknown = migrations.find(([name, checksum]) => known.get(name) !== checksum);
  if (unknown) {
    throw new Refused(
      `The backup is from a newer version of Patchbay: this one does not know its migration ${unknown[0]}. Install that version or a newer one.`,
    );
  }
  if (await haveRows(sql, await tablesOf(sql))) {
    throw new Refused(
      'The database is not empty. Restore into an empty one: another DATABASE_URL or PATCHBAY_DATA_DIR.',
    );
  }
  const inBackup = new Map(migrations);
  const further = [...(await readApplied(sql)).keys()].find((name) => !inBackup.has(name));
  if (further) {
    throw new Refused(
      `The database is of a newer version than the backup: it has the migration ${further}. Restore into a database without tables.`,
    );
  }
}

export type LoadOptions = {
  /** May still refuse it all. */
  finish?: () => Promise<void>;
  /** Hears of the progress. */
  say?: (text: string) => void;
  /** In milliseconds. */
  now?: () => number;
};

/**
 * Loads a snapshot into an empty database: all or nothing. The tables are first those of the snapshot's version, and
 * then migrated to this one. Returns the number of rows.
 */
export async function loadSnapshot(
  sql: Pool,
  head: SnapshotHead,
  parts: AsyncIterable<SnapshotPart>,
  { finish = async () => {}, say = () => {}, now }: LoadOptions = {},
): Promise<number> {
  const tell = seldom(say, now);
  await migrate(sql, migrationsDirectory, { wanted: new Map(head.migrations), say });
  const loading = sql.begin(async (transaction) => {
    await setUp(transaction);
    await ensureMonths(transaction, head.months);
    const tables = await tablesOf(transaction);
    let loaded = 0;
    const load = async () => {
      loaded = await loadParts(transaction, tables, parts, (rows) => tell(`${rows} rows are loaded`));
      say(`all ${loaded} rows are loaded`);
    };
    await withoutChecks(transaction, tables, load, tell);
    await finish();
    return loaded;
  });
  const count = await loading.catch((error: unknown) => {
    throw isUnfit(error) ? new Refused(unfit) : error;
  });
  const later = await migrate(sql, migrationsDirectory, { say });
  if (later.length > 0) await sql`analyze`;
  return count;
}

const unfit = 'A row of the backup has been changed by hand, and does not fit into its table.';

/** A value that is none of its column (22), or a row that breaks a rule of its table (23). */
const isUnfit = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^2[23]...$/.test(String(error.code));

/** Rows of a month without a partition would lie in the default one for ever. */
async function ensureMonths(sql: Sql, months: readonly string[]): Promise<void> {
  for (const month of months) {
    await ensurePartitions(sql, new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(4)) - 1)), 1);
  }
}

async function loadParts(
  sql: Sql,
  tables: readonly Table[],
  parts: AsyncIterable<SnapshotPart>,
  tell: (rows: number) => void,
): Promise<number> {
  let table: Table | undefined;
  let count = 0;
  for await (const part of parts) {
    if ('table' in part) table = sameTable(tables, part);
    else if ('sequence' in part) await setSequence(sql, { name: part.sequence, value: part.value });
    else if (table) {
      await insertRows(sql, table, part.rows);
      count += part.rows.length;
      tell(count);
    }
  }
  return count;
}

function sameTable(
  tables: readonly Table[],
  { table: name, columns }: { table: string; columns: string[] },
): Table {
  const table = tables.find((own) => own.name === name);
  if (!table || table.columns.join() !== columns.join()) {
    throw new Refused(
      `The table ${name} of the backup has been changed by hand. This program does not know it.`,
    );
  }
  return table;
}
