import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import pino from 'pino';
import { backUp } from '../src/cli/back-up.ts';
import { writeBackup } from '../src/cli/backup-file.ts';
import { restore, restoring } from '../src/cli/restore.ts';
import { createAttachment, fileName } from '../src/messaging/attachments/create.ts';
import { filesOf } from '../src/messaging/attachments/files.ts';
import { findStoredFiles } from '../src/messaging/attachments/store.ts';
import { type Config, loadConfig } from '../src/platform/config.ts';
import { openDatabase, type Pool, type Sql } from '../src/platform/database/database.ts';
import { migrate, migrationsDirectory, readApplied } from '../src/platform/database/migrate.ts';
import { ensurePartitions } from '../src/platform/database/partitions.ts';
import {
  checkTarget,
  loadSnapshot,
  type SnapshotHead,
  type SnapshotPart,
  takeSnapshot,
} from '../src/platform/database/snapshot.ts';
import { sequencesOf, tablesOf } from '../src/platform/database/tables.ts';
import { Refused } from '../src/platform/problem.ts';
import { newPlace, testDatabase, testDatabaseKind } from './database.ts';
import { postgresBinaries } from './postgres.ts';
import { startScene } from './security/scene.ts';
import { seedProject } from './seed.ts';
import { twoSessions } from './waiting.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-backup-'));
after(() => rmSync(folder, { recursive: true }));
const otherKind = testDatabaseKind === 'embedded' ? 'server' : 'embedded';
const both = { skip: postgresBinaries() === undefined && 'PostgreSQL is not installed' };
const log = pino({ level: 'silent' });

const database = await testDatabase({ after });
const secretKey = 's'.repeat(40);
const configAt = (environment: Record<string, string>): Config =>
  loadConfig(
    {
      PATCHBAY_DATA_DIR: folder,
      PUBLIC_URL: 'https://patchbay.test',
      PATCHBAY_ALLOW_OUTBOUND: '127.0.0.0/8',
      TRUSTED_PROXIES: '127.0.0.0/8',
      PATCHBAY_SECRET_KEY: secretKey,
      ...environment,
    },
    'no .env file',
  );
const source = configAt(database.environment);
const scene = await startScene({ after }, { database, config: { ...source, port: 0, roles: ['api'] } });

/** Every row of every table that a backup has, as a text. */
async function contentOf(sql: Sql): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const { name } of await tablesOf(sql)) {
    const rows = await sql<{ row: string }[]>`select whole::text as row from ${sql(name)} as whole`;
    content[name] = rows.map(({ row }) => row).sort();
  }
  const partitions = await sql<{ name: string }[]>`
    select relname as name from pg_class where relispartition and relkind = 'r' order by relname`;
  const sequences = (await sequencesOf(sql)).map(({ name, value }) => `${name} ${value}`);
  return { ...content, sequences, partitions: partitions.map(({ name }) => name) };
}

async function lookAt<Result>(config: Config, look: (sql: Pool) => Promise<Result>): Promise<Result> {
  const opened = await openDatabase({ ...config, log });
  try {
    return await look(opened.longSql);
  } finally {
    await opened.close();
  }
}

const newConfig = async (kind: 'embedded' | 'server') => {
  const filesIn = mkdtempSync(join(folder, 'files-'));
  return configAt({ PATCHBAY_DATA_DIR: filesIn, ...(await newPlace({ after }, kind)) });
};

const key = { secretKey };
const saved = join(folder, 'saved.backup');
/** Many pieces long. */
const large = join(folder, 'large.backup');

test('every table is the same in the other kind of database, and again in the first kind', both, async () => {
  // A month of the past, which no new database has.
  await ensurePartitions(database.longSql, new Date('2025-02-01'), 1);
  const before = await contentOf(database.longSql);
  const filled = Object.values(before).filter((rows) => rows.length > 0).length;
  assert.ok(filled > Object.keys(before).length / 2, `${filled} tables have rows`);
  const { rows } = await backUp(source, saved, key);
  const there = await newConfig(otherKind);
  assert.equal((await restore(there, saved, key)).rows, rows);
  assert.deepEqual(await lookAt(there, contentOf), before);
  const second = join(folder, 'second.backup');
  await backUp(there, second, { passphrase: 'open' });
  const back = await newConfig(testDatabaseKind);
  await restore(back, second, { passphrase: 'open' });
  assert.deepEqual(await lookAt(back, contentOf), before);
});

const filesIn = async (config: Config): Promise<string[]> => {
  const list = await lookAt(config, findStoredFiles);
  return Promise.all(
    list.map(async (stored) => {
      const bytes = await filesOf(config).read(fileName(stored));
      return `${fileName(stored)} ${bytes && (await buffer(bytes)).toString('hex')}`;
    }),
  );
};

test('uploaded files come along, also large ones', async () => {
  await createAttachment(scene.patchbay.context, {
    uploader: 'member',
    projectId: scene.alpha.projectId,
    name: 'large.bin',
    bytes: Readable.from([randomBytes(300_000), randomBytes(300_000)]),
    anyType: true,
  });
  const { files } = await backUp(source, large, key);
  const there = await newConfig(testDatabaseKind);
  assert.equal((await restore(there, large, key)).files, files);
  const before = await filesIn(source);
  assert.equal(before.length, files);
  assert.ok(before.some((file) => file.length > 1_000_000));
  assert.deepEqual(await filesIn(there), before);
});

/** The indexes, keys and triggers of all tables. */
async function rulesOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ rule: string }[]>`
    select concat_ws(' ', pg_get_indexdef(indexrelid), 'part of', inhparent::regclass, 'valid', indisvalid,
      'primary', indisprimary, 'identity', indisreplident, 'statistics', (
        select string_agg(attnum || ':' || attstattarget, ',' order by attnum) from pg_attribute
        where attrelid = indexrelid and attstattarget >= 0
      )) as rule
    from pg_index join pg_class on pg_class.oid = indexrelid
      left join pg_inherits on inhrelid = indexrelid
    where relnamespace = current_schema()::regnamespace
    union all
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid), conindid::regclass,
      conislocal, coninhcount, convalidated, 'part of', (
        select concat_ws(' ', parent.conrelid::regclass, parent.conname)
        from pg_constraint as parent where parent.oid = pg_constraint.conparentid
      ))
    from pg_constraint where connamespace = current_schema()::regnamespace
    union all
    select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
    order by rule`;
  return rows.map(({ rule }) => rule);
}

test('a restored database has the indexes, keys and triggers of a migrated one, with their names', async () => {
  const [migrated, restored] = [await newConfig(testDatabaseKind), await newConfig(testDatabaseKind)];
  const [head, ...rest] = await allParts(database.longSql);
  assert.ok(head && 'migrations' in head);
  const expected = await lookAt(migrated, async (sql) => {
    await migrate(sql, migrationsDirectory);
    for (const month of head.months)
      await ensurePartitions(sql, new Date(`${month.slice(0, 4)}-${month.slice(4)}-01`), 1);
    return rulesOf(sql);
  });
  const found = await lookAt(restored, async (sql) => {
    await loadSnapshot(sql, head, Readable.from(rest));
    return rulesOf(sql);
  });
  assert.ok(expected.length > 300, `${expected.length} rules`);
  assert.deepEqual(found, expected);
});

test('a restore tells every five seconds of rows, indexes and keys, which it makes in this order', async () => {
  const there = await newConfig(testDatabaseKind);
  const [head, ...rest] = await allParts(database.longSql);
  assert.ok(head && 'migrations' in head);
  const told: { at: number; text: string }[] = [];
  let ms = 0;
  const rows = await lookAt(there, (sql) =>
    loadSnapshot(sql, head, Readable.from(rest), {
      say: (text) => void told.push({ at: ms, text }),
      now: () => (ms += 400),
    }),
  );
  const texts = told.map(({ text }) => text);
  const stageOf = (text: string) => /^migration|rows are loaded$|^index|^foreign key/.exec(text)?.[0] ?? text;
  assert.deepEqual(
    [...new Set(texts.map(stageOf))],
    ['migration', 'rows are loaded', 'index', 'foreign key'],
  );
  assert.ok(texts.includes(`all ${rows} rows are loaded`));
  const seldom = told.filter(({ text }) => !/^(migration|all)/.test(text)).map(({ at }) => at);
  assert.ok(seldom.length > 10);
  for (const [place, at] of seldom.entries()) assert.ok(at - (seldom[place - 1] ?? -5_000) >= 5_000);
});

test('a statement of a restore may take a day', { skip: testDatabaseKind === 'embedded' }, async () => {
  const opened = await openDatabase({ ...(await newConfig(testDatabaseKind)), log, ...restoring });
  const rows = await opened.longSql`select current_setting('statement_timeout') as limit`;
  await opened.close();
  assert.deepEqual([...rows], [{ limit: '1d' }]);
});

const allParts = (sql: Pool) =>
  takeSnapshot(sql, async (_, parts) => {
    const all: (SnapshotHead | SnapshotPart)[] = [];
    for await (const part of parts) all.push(part);
    return all;
  });

test('a snapshot is of one moment, whatever others write while it is read', twoSessions, async () => {
  const { later, rows } = await takeSnapshot(database.longSql, async (_, parts) => {
    const [later, rows]: [string[], string[]] = [[], []];
    for await (const part of parts) {
      if (later.length === 0) later.push(await seedProject(database.sql));
      if ('rows' in part) rows.push(...part.rows);
    }
    return { later, rows };
  });
  assert.ok(rows.length > 0);
  assert.ok(later.every((id) => !rows.some((row) => row.includes(id))));
});

/** The backup with one byte changed, or without its end. */
async function spoilt(name: string, spoil: (bytes: Buffer) => Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, spoil(await readFile(large)));
  return path;
}

test('a backup that is altered, cut short, or of another key changes nothing in the target', async () => {
  const there = await newConfig(testDatabaseKind);
  const altered = await spoilt('altered', (bytes) => {
    bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1;
    return bytes;
  });
  await assert.rejects(restore(there, altered, key), Refused);
  await assert.rejects(restore(there, await spoilt('short', (bytes) => bytes.subarray(0, -1)), key), Refused);
  await assert.rejects(restore(there, saved, { secretKey: 'o'.repeat(40) }), Refused);
  const tables = await lookAt(there, tablesOf);
  assert.deepEqual(tables, []);
});

test('a restore needs the secret key of the backup, whatever the file was encrypted with', async () => {
  const path = join(folder, 'by-passphrase.backup');
  await backUp(source, path, { passphrase: 'open' });
  const there = { ...(await newConfig(testDatabaseKind)), secretKey: 'o'.repeat(40) };
  await assert.rejects(restore(there, path, { passphrase: 'open' }), /belongs to another secret key/);
});

test('a restore refuses a database with rows, and a backup from a newer version, and changes neither', async () => {
  const before = await contentOf(database.longSql);
  const { longSql, kind } = database;
  const [head] = await allParts(longSql);
  assert.ok(head && 'migrations' in head);
  await assert.rejects(checkTarget(longSql, head), /not empty/);
  assert.deepEqual(await contentOf(longSql), before);
  const newer = { ...head, migrations: [...head.migrations, ['9999_later.sql', 'x'] as [string, string]] };
  const there = await newConfig(kind);
  await assert.rejects(
    lookAt(there, (sql) => checkTarget(sql, newer)),
    /newer version.*9999_later\.sql/,
  );
});

test('a backup of an earlier version is loaded into its own tables, which are then migrated', async () => {
  const wanted = new Map([...(await readApplied(database.longSql))].slice(0, 30));
  const [old, fresh] = [await newConfig(testDatabaseKind), await newConfig(testDatabaseKind)];
  const parts = await lookAt(old, async (sql) => {
    await migrate(sql, migrationsDirectory, { wanted });
    await sql`insert into projects (id, name, created_at) values (${randomUUID()}, 'Old shop', now())`;
    return allParts(sql);
  });
  const [head, ...rest] = parts;
  assert.ok(head && 'migrations' in head);
  await lookAt(fresh, async (sql) => {
    await loadSnapshot(sql, head, Readable.from(rest));
    assert.deepEqual(await readApplied(sql), await readApplied(database.longSql));
    const names = await sql<{ name: string }[]>`select name from projects`;
    assert.deepEqual(names, [{ name: 'Old shop' }]);
  });
  await assert.rejects(checkTarget(database.longSql, head), Refused);
});

test('a load that fails midway or at its end leaves an empty database, for which the next attempt works', async () => {
  const there = await newConfig(testDatabaseKind);
  const parts = await allParts(database.longSql);
  const [head, ...rest] = parts;
  assert.ok(head && 'migrations' in head);
  await lookAt(there, async (sql) => {
    const failing = loadSnapshot(sql, head, Readable.from(rest), {
      finish: () => Promise.reject(new Error('disk full')),
    });
    await assert.rejects(failing, /disk full/);
    await checkTarget(sql, head);
    async function* cutOff() {
      yield* rest.slice(0, rest.length / 2);
      throw new Error('cut off');
    }
    await assert.rejects(loadSnapshot(sql, head, Readable.from(cutOff())), /cut off/);
    await checkTarget(sql, head);
    await loadSnapshot(sql, head, Readable.from(rest));
  });
  assert.deepEqual(await lookAt(there, contentOf), await contentOf(database.longSql));
});

test('a row that was changed by hand is refused in words, and leaves no row', async () => {
  const there = await newConfig(testDatabaseKind);
  const [head, ...parts] = await allParts(database.longSql);
  assert.ok(head && 'migrations' in head);
  const changes: ((row: string) => string)[] = [
    (row) => row.replace(/\d{4}-\d\d-\d\d/, '2026-74-01'),
    (row) => row.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, randomUUID()),
    (row) => `${row.slice(0, -1)},)`,
  ];
  await lookAt(there, async (sql) => {
    for (const change of changes) {
      const changed = parts.map((part) => ('rows' in part ? { rows: part.rows.map(change) } : part));
      await assert.rejects(loadSnapshot(sql, head, Readable.from(changed)), Refused);
      await checkTarget(sql, head);
    }
  });
});

test('a backup of no installation is refused, and makes neither a file nor a database', async () => {
  const there = await newConfig(testDatabaseKind);
  const path = join(folder, 'nothing.backup');
  await assert.rejects(backUp(there, path, key), /nothing to back up/);
  assert.equal(existsSync(path), false);
  if (testDatabaseKind === 'embedded') assert.deepEqual(readdirSync(there.dataDir), []);
  assert.deepEqual(await lookAt(there, tablesOf), []);
});

test('a backup migrates nothing, and is made while nothing can be written', async () => {
  const wanted = new Map([...(await readApplied(database.longSql))].slice(0, 30));
  const old = await newConfig('embedded');
  await lookAt(old, (sql) => migrate(sql, migrationsDirectory, { wanted }));
  const path = join(folder, 'old.backup');
  await backUp({ ...old, diskReserveBytes: Number.MAX_SAFE_INTEGER }, path, key);
  assert.deepEqual(await lookAt(old, readApplied), wanted);
  const fresh = await newConfig(testDatabaseKind);
  await restore(fresh, path, key);
  assert.deepEqual(await lookAt(fresh, readApplied), await readApplied(database.longSql));
});

test('a backup does not replace a file, and leaves none when it fails', async () => {
  const before = await readFile(saved);
  await assert.rejects(backUp(source, saved, key), /already a file/);
  assert.deepEqual(await readFile(saved), before);
  await assert.rejects(backUp(source, join(folder, 'missing', 'x'), key), /There is no folder/);
  const failing = writeBackup(join(folder, 'failing'), key, () => Promise.reject(new Error('no rows')));
  await assert.rejects(failing, /no rows/);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('failing')),
    [],
  );
});
