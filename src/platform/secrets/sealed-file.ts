import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { Refused } from '../problem.ts';

/**
 * A file of any length, encrypted in pieces. Head: name of the form (18 bytes) | key (1) | salt (32). Each piece is
 * 64 KiB of AES-256-GCM with its tag; the last one may be shorter. The nonce is the number of the piece, and says
 * which is the last: pieces that are missing, moved or added do not open. The salt makes a new key for each file, so
 * no nonce is used twice. The head is authenticated with every piece, and so is the name of a file that has one: the
 * file opens under that name only.
 */
export type FileKey = { secretKey: string } | { passphrase: string };

const forms = { unnamed: Buffer.from('patchbay-backup-1\n'), named: Buffer.from('patchbay-archive-1') };
const formBytes = forms.unnamed.length;
const kinds = { secretKey: 0, passphrase: 1 };
const saltBytes = 32;
const headBytes = formBytes + 1 + saltBytes;
const pieceBytes = 64 * 1024;
const tagBytes = 16;
const cipherName = 'aes-256-gcm';
/** 128 MB and about half a second for each guess. */
const stretching = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };

type Bytes = AsyncIterable<Buffer>;

export async function* sealFile(plain: Bytes, key: FileKey, name?: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes);
  const form = name === undefined ? forms.unnamed : forms.named;
  const head = Buffer.concat([form, Buffer.of(kindOf(key)), salt]);
  const shown = shownWith(head, name);
  const secret = keyOf(key, salt);
  yield head;
  for await (const { bytes, number, isLast } of pieces(plain, pieceBytes)) {
    const cipher = createCipheriv(cipherName, secret, nonce(number, isLast)).setAAD(shown);
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/** The name that a file must have. Files of earlier versions have none, and `unnamed` is called for them. */
export type Wanted = { name: string; unnamed(): void };

/** @throws Refused when the key or the name is another one, or when any byte was altered, added or lost. */
export async function* openFile(sealed: Bytes, key: FileKey, wanted?: Wanted): AsyncGenerator<Buffer> {
  const { head, rest } = await takeHead(sealed);
  const form = head.subarray(0, formBytes);
  const isNamed = wanted !== undefined && form.equals(forms.named);
  if (!isNamed && !form.equals(forms.unnamed)) throw new Refused('The file is not a backup of Patchbay.');
  if (head[formBytes] !== kindOf(key)) throw new Refused(wrongKind(key));
  if (!isNamed) wanted?.unnamed();
  const shown = shownWith(head, isNamed ? wanted.name : undefined);
  const secret = keyOf(key, head.subarray(formBytes + 1));
  for await (const { bytes, number, isLast } of pieces(rest, pieceBytes + tagBytes)) {
    if (bytes.length < tagBytes) throw new Refused(broken(number));
    const decipher = createDecipheriv(cipherName, secret, nonce(number, isLast), { authTagLength: tagBytes });
    decipher.setAAD(shown).setAuthTag(bytes.subarray(-tagBytes));
    const plain = decipher.update(bytes.subarray(0, -tagBytes));
    try {
      decipher.final();
    } catch {
      throw new Refused(broken(number));
    }
    yield plain;
  }
}

const kindOf = (key: FileKey): number => ('passphrase' in key ? kinds.passphrase : kinds.secretKey);

/** What is authenticated with every piece and is not secret. */
const shownWith = (head: Buffer, name = ''): Buffer => Buffer.concat([head, Buffer.from(name)]);

const keyOf = (key: FileKey, salt: Buffer): Buffer =>
  'passphrase' in key
    ? scryptSync(key.passphrase.normalize('NFC'), salt, 32, stretching)
    : Buffer.from(hkdfSync('sha256', key.secretKey, salt, 'patchbay backup', 32));

function nonce(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUIntBE(number, 5, 6);
  bytes.writeUInt8(isLast ? 1 : 0, 11);
  return bytes;
}

const wrongKind = (given: FileKey): string =>
  'passphrase' in given
    ? 'The backup was encrypted with PATCHBAY_SECRET_KEY, not with a passphrase.'
    : 'The backup was encrypted with a passphrase: add --passphrase-stdin.';

const broken = (number: number): string =>
  number === 0
    ? 'The backup does not open: the key is another one, or the file was altered.'
    : `The backup was altered or cut short near byte ${headBytes + number * (pieceBytes + tagBytes)}.`;

/** The head, and the bytes after it. */
async function takeHead(sealed: Bytes): Promise<{ head: Buffer; rest: Bytes }> {
  const source = sealed[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < headBytes) {
    const { value, done } = await source.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield start.subarray(headBytes);
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  }
  return { head: start.subarray(0, headBytes), rest: rest() };
}

/** Pieces of this size, and a last one that may be shorter. */
async function* pieces(
  source: Bytes,
  size: number,
): AsyncGenerator<{ bytes: Buffer; number: number; isLast: boolean }> {
  let pending: Buffer = Buffer.alloc(0);
  let number = 0;
  for await (const chunk of source) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length > size) {
      yield { bytes: pending.subarray(0, size), number, isLast: false };
      pending = pending.subarray(size);
      number += 1;
    }
  }
  yield { bytes: pending, number, isLast: true };
}
