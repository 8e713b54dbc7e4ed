import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sealFile } from '../platform/secrets/sealed-file.ts';
import {
  ArchiveDamaged,
  archiveName,
  findManifest,
  type Manifest,
  readArchive,
  writeArchive,
} from './archive-files.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-archives-'));
after(() => rm(dataDir, { recursive: true }));
const config = { dataDir, s3: null, secretKey: 'k'.repeat(32) };
const project_id = '01890000-0000-7000-8000-000000000001';
const made_at = new Date('2027-03-10T12:00:00.000Z');

let month = 202600;

/** An archive of a month of its own with this row. */
async function stored(row: string): Promise<Manifest> {
  month += 1;
  const name = { project_id, table_name: 'messages', month: String(month), part: 1, made_at };
  const manifest = await writeArchive(config, name, Readable.from([row]));
  assert.ok(manifest);
  return manifest;
}

const pathOf = (manifest: Manifest): string => join(dataDir, 'archives', archiveName(manifest));

/** Puts these bytes and a manifest that fits them in the place of an archive, as anybody with the storage can. */
async function replace(manifest: Manifest, bytes: Buffer, changes: Partial<Manifest> = {}): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const forged = { ...manifest, ...changes, sha256, bytes: bytes.length };
  await writeFile(pathOf(forged), bytes);
  await writeFile(pathOf(manifest).replace('.jsonl.gz.sealed', '.json'), JSON.stringify(forged));
}

/** The rows of an archive as its manifest in the storage describes it, and the doubts about them. */
async function read(name: string): Promise<{ rows: string[]; doubts: string[] }> {
  const manifest = await findManifest(config, name);
  assert.ok(manifest);
  const doubts: string[] = [];
  const rows: string[] = [];
  for await (const row of readArchive(config, manifest, (doubt) => doubts.push(doubt))) rows.push(row);
  return { rows, doubts };
}

test('an archive of this version is read without doubts, by its name and by the part of it without an end', async () => {
  const archive = await stored('{"id":1}');
  for (const name of [archiveName(archive), archiveName(archive).replace('.jsonl.gz.sealed', '')])
    assert.deepEqual(await read(name), { rows: ['{"id":1}'], doubts: [] });
});

test('a plain archive in the place of an encrypted one is refused', async () => {
  const archive = await stored('{"id":1}');
  await replace(archive, gzipSync('{"forged":1}\n'), { is_sealed: false });
  const error = { constructor: ArchiveDamaged, message: /is not encrypted, although its name says so/ };
  await assert.rejects(read(archiveName(archive)), error);
});

test('a plain archive is read with a doubt', async () => {
  const archive = await stored('{"id":1}');
  await replace(archive, gzipSync('{"id":2}\n'), { is_sealed: false });
  const { rows, doubts } = await read(archiveName({ ...archive, is_sealed: false }));
  assert.deepEqual(rows, ['{"id":2}']);
  assert.match(doubts.join(), /is not encrypted\. Nothing proves/);
});

test('the file of another archive is refused under this name, whatever the manifest says', async () => {
  const [archive, other] = [await stored('{"id":1}'), await stored('{"id":2}')];
  await replace(archive, await readFile(pathOf(other)));
  await assert.rejects(read(archiveName(archive)), /does not open: .* or is of another archive/);
});

test('an archive that an earlier version encrypted without its name is read with a doubt', async () => {
  const archive = await stored('{"id":1}');
  const packed = Readable.from([gzipSync('{"id":2}\n')]);
  await replace(archive, await buffer(sealFile(packed, config)));
  const { rows, doubts } = await read(archiveName(archive));
  assert.deepEqual(rows, ['{"id":2}']);
  assert.match(doubts.join(), /is of an earlier version\. Nothing proves/);
});
