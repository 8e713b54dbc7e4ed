import { hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { FilePart } from '../messaging/attachments/backed-up-files.ts';
import type { SnapshotHead, SnapshotPart } from '../platform/database/snapshot.ts';
import { Refused } from '../platform/problem.ts';
import { type FileKey, openFile, sealFile } from '../platform/secrets/sealed-file.ts';

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

/** @throws Refused when the key is another one, or the file is not whole. */
export async function verifyBackup(path: string, key: FileKey): Promise<void> {
  if (!existsSync(path)) throw new Refused(`There is no file ${path}.`);
  for await (const _ of openFile(createReadStream(path), key));
}

export async function* readBackup(path: string, key: FileKey): AsyncGenerator<BackupPart> {
  const plain = createZstdDecompress();
  const opened = pipeline(createReadStream(path), (sealed) => openFile(sealed, key), plain);
  opened.catch(() => {});
  for await (const line of linesOf(plain)) {
    const part: BackupPart = JSON.parse(line);
    yield part;
  }
}

async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8');
      pieces = [];
      start = end + 1;
    }
    pieces.push(chunk.subarray(start));
  }
}
