import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { Refused } from '../problem.ts';
import { type FileKey, openFile, sealFile } from './sealed-file.ts';

const piece = 64 * 1024;
const sealedPiece = piece + 16;
const key: FileKey = { secretKey: 'k'.repeat(32) };

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const seal = (plain: Buffer, by: FileKey = key): Promise<Buffer> =>
  buffer(sealFile(inChunks(plain, 10_000), by));
const open = (sealed: Buffer, by: FileKey = key): Promise<Buffer> =>
  buffer(openFile(inChunks(sealed, 99_991), by));

test('a sealed file opens with its key, whatever its length', async () => {
  for (const length of [0, 1, piece - 1, piece, piece + 1, 3 * piece]) {
    const plain = randomBytes(length);
    assert.ok((await open(await seal(plain))).equals(plain), `${length} bytes`);
  }
});

test('a file sealed with a passphrase opens with that passphrase alone', async () => {
  const sealed = await seal(Buffer.from('text'), { passphrase: 'été' });
  assert.equal(String(await open(sealed, { passphrase: 'e\u0301te\u0301' })), 'text');
  await assert.rejects(open(sealed, { passphrase: 'ete' }), Refused);
  await assert.rejects(open(sealed), /passphrase-stdin/);
  await assert.rejects(open(await seal(Buffer.from('text')), { passphrase: 'été' }), /PATCHBAY_SECRET_KEY/);
  await assert.rejects(open(await seal(Buffer.from('text')), { secretKey: 'l'.repeat(32) }), Refused);
});

test('an altered, shortened, extended or reordered file is refused', async () => {
  const plain = randomBytes(3 * piece + 1000);
  const sealed = await seal(plain);
  const head = sealed.length - 3 * sealedPiece - 1016;
  const everywhere = Array.from({ length: 500 }, (_, n) => Math.floor((n * sealed.length) / 500));
  for (const at of [0, 20, head - 1, head, head + sealedPiece + 5, sealed.length - 1, ...everywhere]) {
    const altered = Buffer.from(sealed);
    altered[at] = (altered[at] ?? 0) ^ 1;
    await assert.rejects(open(altered), Refused, `byte ${at}`);
  }
  for (const length of [
    0,
    5,
    head,
    head + 5,
    head + sealedPiece,
    head + 3 * sealedPiece,
    sealed.length - 1,
  ]) {
    await assert.rejects(open(sealed.subarray(0, length)), Refused, `${length} bytes`);
  }
  await assert.rejects(open(Buffer.concat([sealed, Buffer.alloc(1)])), Refused);
  const pieces = [0, 1, 2].map((n) => sealed.subarray(head + n * sealedPiece, head + (n + 1) * sealedPiece));
  const [first = sealed, second = sealed, third = sealed] = pieces;
  const last = sealed.subarray(head + 3 * sealedPiece);
  const start = sealed.subarray(0, head);
  await assert.rejects(open(Buffer.concat([start, second, first, third, last])), Refused);
  await assert.rejects(open(Buffer.concat([start, first, third, last])), Refused);
});

test('a file that was sealed with a name opens under that name only, and is no backup', async () => {
  const sealed = await buffer(sealFile(inChunks(Buffer.from('text'), 2), key, 'may'));
  const opened = (bytes: Buffer, name: string) => {
    const wanted = { name, unnamed: () => assert.fail('it has a name') };
    return buffer(openFile(inChunks(bytes, 7), key, wanted));
  };
  assert.equal(String(await opened(sealed, 'may')), 'text');
  await assert.rejects(opened(sealed, 'june'), Refused);
  await assert.rejects(open(sealed), /not a backup/);
  const asUnnamed = Buffer.concat([(await seal(Buffer.from('text'))).subarray(0, 18), sealed.subarray(18)]);
  await assert.rejects(open(asUnnamed), Refused);
});

test('a file without a name opens under any, and its reader can say so', async () => {
  const calls: string[] = [];
  const wanted = { name: 'may', unnamed: () => void calls.push('unnamed') };
  const sealed = await seal(Buffer.from('text'));
  assert.equal(String(await buffer(openFile(inChunks(sealed, 7), key, wanted))), 'text');
  assert.deepEqual(calls, ['unnamed']);
});

test('the same text never has the same sealed form', async () => {
  const plain = Buffer.from('text');
  assert.notDeepEqual(await seal(plain), await seal(plain));
});
