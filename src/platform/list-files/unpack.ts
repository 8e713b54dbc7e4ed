import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { BadFile } from './bad-file.ts';

export const maxUnpackedBytes = 200 * 1024 * 1024;

const pieceBytes = 64 * 1024;

const isGzip = (file: Buffer): boolean => file[0] === 0x1f && file[1] === 0x8b;

/** The file in pieces, without gzip's wrapping. Other work runs between the pieces. Throws `BadFile`. */
export async function* unpacked(file: Buffer): AsyncGenerator<Buffer> {
  if (isGzip(file)) {
    // The first pass checks the size and the checksum to the end: unpacking a file is fast, and reading it is not.
    for await (const _ of gunzipped(file));
    yield* gunzipped(file);
    return;
  }
  for (let from = 0; from < file.length; from += pieceBytes) {
    yield file.subarray(from, from + pieceBytes);
    await nextTurn();
  }
}

async function* gunzipped(file: Buffer): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: pieceBytes });
  gunzip.end(file);
  let bytes = 0;
  try {
    for await (const piece of gunzip) {
      bytes += piece.length;
      if (bytes > maxUnpackedBytes) throw new BadFile('The file is larger than 200 MiB when it is unpacked.');
      yield piece;
    }
  } catch (error) {
    throw isZlibError(error) ? new BadFile('The file is damaged: it cannot be unpacked.') : error;
  }
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
