import { writeFiles } from '../messaging/attachments/backed-up-files.ts';
import { filesOf } from '../messaging/attachments/files.ts';
import type { Config } from '../platform/config.ts';
import { openDatabase, type Pool } from '../platform/database/database.ts';
import {
  checkTarget,
  loadSnapshot,
  type SnapshotHead,
  type SnapshotPart,
} from '../platform/database/snapshot.ts';
import { Refused } from '../platform/problem.ts';
import { type ReadAhead, readAhead } from '../platform/read-ahead.ts';
import type { FileKey } from '../platform/secrets/sealed-file.ts';
import { type BackupPart, markOf, ofAnotherForm, readBackup, verifyBackup } from './backup-file.ts';
import { commandLog } from './tools.ts';

type Restored = { rows: number; files: number };

/** An index or a foreign key of years of messages takes as long as it takes. */
export const restoring = { exclusive: true, longStatementTimeoutMs: 24 * 3_600_000 };

/** Reads the whole file before it changes anything. `say` hears of the progress. */
export async function restore(
  config: Config,
  path: string,
  key: FileKey,
  say?: (text: string) => void,
): Promise<Restored> {
  await verifyBackup(path, key, say);
  const parts = readAhead(readBackup(path, key));
  const { keyMark } = await one(parts, isMark);
  if (keyMark !== markOf(config.secretKey)) {
    throw new Refused(
      'The backup belongs to another secret key, without which its channels cannot be used. Set PATCHBAY_SECRET_KEY to that key. An embedded database keeps it in secret.key of its data folder.',
    );
  }
  const database = await openDatabase({ ...config, log: commandLog(), ...restoring });
  try {
    return await restoreInto(database.longSql, config, parts, say);
  } finally {
    await database.close();
  }
}

async function restoreInto(
  sql: Pool,
  config: Config,
  parts: ReadAhead<BackupPart>,
  say?: (text: string) => void,
): Promise<Restored> {
  const head = await one(parts, isHead);
  await checkTarget(sql, head);
  let files = 0;
  const finish = async () => {
    files = await writeFiles(filesOf(config), parts);
    // Rows behind the files would be lost.
    for await (const _ of parts.takeWhile(isAny)) throw ofAnotherForm();
  };
  const rows = await loadSnapshot(sql, head, parts.takeWhile(isOfDatabase), { finish, say });
  return { rows, files };
}

async function one<Kind extends BackupPart>(
  parts: ReadAhead<BackupPart>,
  isKind: (part: BackupPart) => part is Kind,
): Promise<Kind> {
  for await (const part of parts.takeWhile(isKind)) return part;
  throw ofAnotherForm();
}

const isAny = (_part: BackupPart): _part is BackupPart => true;
const isMark = (part: BackupPart): part is { keyMark: string } => 'keyMark' in part;
const isHead = (part: BackupPart): part is SnapshotHead => 'migrations' in part;
const isOfDatabase = (part: BackupPart): part is SnapshotPart =>
  'table' in part || 'rows' in part || 'sequence' in part;
