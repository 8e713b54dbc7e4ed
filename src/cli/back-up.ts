import { existsSync } from 'node:fs';
import { readFiles } from '../messaging/attachments/backed-up-files.ts';
import { filesOf } from '../messaging/attachments/files.ts';
import { findStoredFiles } from '../messaging/attachments/store.ts';
import type { Config } from '../platform/config.ts';
import { databaseDirectory } from '../platform/database/data-folder.ts';
import type { Database } from '../platform/database/database.ts';
import { readApplied } from '../platform/database/migrate.ts';
import { takeSnapshot } from '../platform/database/snapshot.ts';
import { Refused } from '../platform/problem.ts';
import type { FileKey } from '../platform/secrets/sealed-file.ts';
import { type BackupPart, markOf, writeBackup } from './backup-file.ts';
import { commandLog, openPrepared } from './tools.ts';

type Saved = { rows: number; files: number; notes: string[]; bytes: number };

/** Files in object storage stay there. The database is left as it is, also at an earlier version. */
export async function backUp(config: Config, path: string, key: FileKey): Promise<Saved> {
  const { database } = await openExisting(config);
  try {
    return await writeBackup(path, key, async (put) => {
      await put({ keyMark: markOf(config.secretKey) });
      const { rows, list } = await takeSnapshot(database.longSql, async (snapshot, parts) => ({
        rows: await putAll(parts, put),
        list: await findStoredFiles(snapshot),
      }));
      // The files never change, so they need not be read in the transaction.
      const stays = config.s3 !== null && list.length > 0;
      const files = stays ? 0 : await putAll(readFiles(filesOf(config), list), put);
      const notes = stays
        ? [`The ${list.length} files in ${config.s3?.bucket} are not part of the backup.`]
        : [];
      return { rows, files, notes };
    });
  } finally {
    await database.close();
  }
}

/** A command in the wrong folder, or without its settings, finds no database. It must not keep an empty one. */
async function openExisting(config: Config): Promise<{ database: Database }> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === null && !existsSync(databaseDirectory(dataDir))) {
    throw nothingThere(`There is no database in ${dataDir}`);
  }
  return await openPrepared(config, commandLog(), async ({ longSql }) => {
    if ((await readApplied(longSql)).size === 0) throw nothingThere('The database has no tables');
  });
}

const nothingThere = (what: string): Refused =>
  new Refused(
    `${what}, so there is nothing to back up. Give this command the settings of the service: PATCHBAY_DATA_DIR or DATABASE_URL.`,
  );

/** Returns the number of rows or files. */
async function putAll(
  parts: AsyncIterable<BackupPart>,
  put: (part: BackupPart) => Promise<void>,
): Promise<number> {
  let count = 0;
  for await (const part of parts) {
    if ('rows' in part) count += part.rows.length;
    else if ('file' in part) count += 1;
    await put(part);
  }
  return count;
}
