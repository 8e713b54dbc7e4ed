import { hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { FilePart } from '../messaging/attachments/backed-up-files.ts';
import type { SnapshotHead, SnapshotPart } from '../platform/database/snapshot.ts';
import { linesOf } from '../platform/lines.ts';
import { Refused } from '../platform/problem.ts';
import { type FileKey, openFile, sealFile } from '../platform/secrets/sealed-file.ts';
import { seldom } from '../platform/seldom.ts';

/** The parts of a backup, in this order. Each is one line of JSON, compressed, then encrypted. */
export type BackupPart = { keyMark: string } | SnapshotHead | SnapshotPart | FilePart;

/** Tells whether two installations have the same secret key, without telling the key. */
export const markOf = (secretKey: string): string =>
  Buffer.from(hkdfSync('sha256', secretKey, 'patchbay backup', 'mark', 16)).toString('hex');

/** The file gets its name when it is complete. A failed backup leaves nothing. */
export async function writeBackup<Result>(
  path: string,
  key: FileKey,
  write: (put: (part: BackupPart) => Promise<void>) => Promise<Result>,
): Promise<Result & { bytes: number }> {
  if (existsSync(path)) throw new Refused(`There is already a file ${path}. A backup does not replace it.`);
  if (!existsSync(dirname(path))) throw new Refused(`There is no folder ${dirname(path)}.`);
  const draft = `${path}.part`;
  const lines = createZstdCompress();
  const file = createWriteStream(draft, { mode: 0o600, flush: true });
  const written = pipeline(lines, (plain) => sealFile(plain, key), file);
  written.catch(() => {});
  try {
    const result = await write(async (part) => {
      const hasRoom = lines.write(`${JSON.stringify(part)}\n`);
      if (!hasRoom) await Promise.race([once(lines, 'drain'), written]);
    });
    lines.end();
    await written;
    const { size: bytes } = await stat(draft);
    await rename(draft, path);
    return { ...result, bytes };
  } catch (error) {
    lines.destroy();
    await written.catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * Reads the whole file. `say` hears of the progress.
 * @throws Refused when the key is another one, or the file is not whole.
 */
export async function verifyBackup(
  path: string,
  key: FileKey,
  say: (text: string) => void = () => {},
): Promise<void> {
  if (!(await isFile(path))) throw new Refused(`There is no file ${path}.`);
  const { size } = await stat(path);
  const file = createReadStream(path);
  const tell = seldom(say);
  for await (const _ of openFile(file, key)) {
    tell(`${Math.floor((100 * file.bytesRead) / size)} % of the file is checked`);
  }
}

const Part = Compile(
  Type.Union([
    Type.Object({ keyMark: Type.String() }),
    Type.Object({
      migrations: Type.Array(Type.Tuple([Type.String(), Type.String()]), { minItems: 1 }),
      months: Type.Array(Type.String({ pattern: '^\\d{6}$' }), { maxItems: 600 }),
    }),
    Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) }),
    Type.Object({ rows: Type.Array(Type.String()) }),
    Type.Object({ sequence: Type.String(), value: Type.Integer() }),
    Type.Object({ file: Type.String(), mediaType: Type.String() }),
    Type.Object({ bytes: Type.String() }),
  ]),
);

/** Who knows the key may have written anything. */
function partIn(line: string): BackupPart {
  const part = jsonIn(line);
  if (!Part.Check(part)) throw ofAnotherForm();
  return part;
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw ofAnotherForm();
  }
}

export const ofAnotherForm = (): Refused =>
  new Refused('The backup has another form. Use the version of Patchbay that wrote it.');

export async function* readBackup(path: string, key: FileKey): AsyncGenerator<BackupPart> {
  const plain = createZstdDecompress();
  const opened = pipeline(createReadStream(path), (sealed) => openFile(sealed, key), plain);
  opened.catch(() => {});
  for await (const line of linesOf(plain)) {
    yield partIn(line);
  }
}
