import { TextDecoder } from 'node:util';
import { BadFile } from './bad-file.ts';

/**
 * The text of a file in UTF-8, or in UTF-16 if its first bytes say so. A byte order mark is dropped. Throws
 * `BadFile`.
 */
export async function* decoded(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
    yield textIn(decoder, piece);
  }
  if (decoder) yield textIn(decoder, null);
}

function encodingOf(first: Buffer): string {
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le';
  if (first[0] === 0xfe && first[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Null marks the end. Half a character there is an error, too. */
function textIn(decoder: TextDecoder, piece: Buffer | null): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
  } catch {
    throw new BadFile(
      decoder.encoding === 'utf-8'
        ? 'The file is not in UTF-8; it may be in Windows-1251 or another older encoding. Save it as "CSV UTF-8".'
        : `The file begins as one in ${decoder.encoding.toUpperCase()}, and is not. Save it as "CSV UTF-8".`,
    );
  }
}
