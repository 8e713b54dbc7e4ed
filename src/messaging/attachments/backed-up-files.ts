import { isUuid } from '../../platform/id.ts';
import { Refused } from '../../platform/problem.ts';
import type { ReadAhead } from '../../platform/read-ahead.ts';
import { fileName } from './create.ts';
import { withDraft } from './draft.ts';
import type { Files } from './files.ts';
import type { StoredFile } from './store.ts';

/** A file of a backup: its name, then its bytes in base64. */
export type FilePart = { file: string; mediaType: string } | { bytes: string };

/** A file that was removed since the list was made is left out. */
export async function* readFiles(files: Files, list: readonly StoredFile[]): AsyncGenerator<FilePart> {
  for (const stored of list) {
    const bytes = await files.read(fileName(stored));
    if (bytes === null) continue;
    yield { file: fileName(stored), mediaType: stored.mediaType };
    for await (const piece of bytes) yield { bytes: Buffer.from(piece).toString('base64') };
  }
}

/** Puts the files of a backup where this installation keeps its own. Returns how many. */
export async function writeFiles<Part extends object>(
  files: Files,
  parts: ReadAhead<Part | FilePart>,
): Promise<number> {
  let count = 0;
  for await (const { file, mediaType } of parts.takeWhile(isFile)) {
    if (!isFileName(file)) throw new Refused('The backup has a file whose name Patchbay does not give.');
    await withDraft(files.drafts, bytesOf(parts), ({ path }) => files.take(file, path, mediaType));
    count += 1;
  }
  return count;
}

/** A backup can be written by anybody who knows its passphrase: a name must not lead out of the files. */
function isFileName(name: string): boolean {
  const parts = name.split('/');
  return parts.length === 2 && parts.every(isUuid);
}

async function* bytesOf<Part extends object>(parts: ReadAhead<Part | FilePart>): AsyncGenerator<Buffer> {
  for await (const { bytes } of parts.takeWhile(isBytes)) yield Buffer.from(bytes, 'base64');
}

const isFile = (part: object): part is { file: string; mediaType: string } => 'file' in part;
const isBytes = (part: object): part is { bytes: string } => 'bytes' in part;
