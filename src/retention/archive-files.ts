import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { withDraft } from '../messaging/attachments/draft.ts';
import { type Files, filesOf } from '../messaging/attachments/files.ts';
import { filesInFolder } from '../messaging/attachments/files-in-folder.ts';
import { filesInS3 } from '../messaging/attachments/files-in-s3.ts';
import type { Config } from '../platform/config.ts';
import { linesOf } from '../platform/lines.ts';
import { Refused } from '../platform/problem.ts';
import { openFile, sealFile } from '../platform/secrets/sealed-file.ts';
import type { ArchiveRow } from './archives-store.ts';
import type { Line } from './rows-store.ts';

type Place = Pick<Config, 's3' | 'dataDir' | 'secretKey'>;

/** Archives are beside the uploaded files: in the data folder, or in the bucket. */
function archivesOf(config: Place): Files {
  const all = config.s3 ? filesInS3(config.s3) : filesInFolder(config.dataDir);
  const inFolder = (name: string) => join('archives', name);
  return {
    drafts: filesOf(config).drafts,
    take: (name, draft, mediaType) => all.take(inFolder(name), draft, mediaType),
    read: (name) => all.read(inFolder(name)),
    remove: (name) => all.remove(inFolder(name)),
  };
}

export type Manifest = Omit<ArchiveRow, 'removed_at'>;

type Name = Pick<Manifest, 'project_id' | 'table_name' | 'month' | 'part'>;

const stem = ({ project_id, table_name, month, part }: Name): string =>
  `${project_id}/${table_name}-${month}-${part}`;

export const archiveName = (archive: Name & Pick<Manifest, 'is_sealed'>): string =>
  `${stem(archive)}.jsonl.gz${archive.is_sealed ? sealedEnd : ''}`;
const sealedEnd = '.sealed';
const manifestName = (name: Name): string => `${stem(name)}.json`;

/** An archive that is not what its manifest says, or does not open. */
export class ArchiveDamaged extends Refused {
  constructor(name: string, why = 'is not what its manifest says') {
    super(`The archive ${name} ${why}. Nothing of it was removed.`);
  }
}

/**
 * Writes an encrypted archive and its manifest, and reads both back. Afterwards the rows may be removed. An archive of
 * the same name is what a crash left, and is replaced. Null without any rows.
 */
export async function writeArchive(
  config: Place,
  name: Name & { made_at: Date },
  lines: AsyncIterable<Line>,
): Promise<Manifest | null> {
  const files = archivesOf(config);
  const written = { row_count: 0, bytes: 0, hash: createHash('sha256') };
  const packed = sealFile(through(numbered(lines, written), createGzip()), config, stem(name));
  const sealed = { ...name, is_sealed: true };
  const manifest = await withDraft(files.drafts, counted(packed, written), async ({ path }) => {
    if (written.row_count === 0) return null;
    await files.take(archiveName(sealed), path, 'application/octet-stream');
    const { row_count, bytes, hash } = written;
    return { ...sealed, row_count, bytes, sha256: hash.digest('hex') };
  });
  if (!manifest) return null;
  await withDraft(files.drafts, textOf(manifest), ({ path }) =>
    files.take(manifestName(name), path, 'application/json'),
  );
  await verifyArchive(config, manifest, silent);
  return manifest;
}

/** The manifest of an archive by its name. Null if there is none. Throws `ArchiveDamaged`. */
export async function findManifest(config: Place, name: string): Promise<Manifest | null> {
  const place = /^([0-9a-f-]{36}\/[a-z_]+-\d{6}-\d+)(?:\.jsonl\.gz(?:\.sealed)?)?$/.exec(name)?.[1];
  const stored = place === undefined ? null : await archivesOf(config).read(`${place}.json`);
  if (!stored) return null;
  const pieces: Buffer[] = [];
  for await (const piece of stored) pieces.push(piece);
  const manifest = readManifest(Buffer.concat(pieces).toString('utf8'));
  // It would lead to another file.
  if (!manifest || stem(manifest) !== place) throw new ArchiveDamaged(name);
  if (name.endsWith(sealedEnd) && !manifest.is_sealed) throw new ArchiveDamaged(name, notEncrypted);
  return manifest;
}

function readManifest(text: string): Manifest | null {
  try {
    // The first manifests are of plain archives, and do not say so.
    return { is_sealed: false, ...JSON.parse(text) };
  } catch {
    return null;
  }
}

async function* textOf(manifest: Manifest): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(manifest)}\n`);
}

async function* numbered(lines: AsyncIterable<Line>, written: { row_count: number }): AsyncGenerator<string> {
  for await (const line of lines) {
    written.row_count += 1;
    yield `${line}\n`;
  }
}

async function* counted(
  bytes: AsyncIterable<Buffer>,
  written: { bytes: number; hash: Hash },
): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    written.bytes += piece.length;
    written.hash.update(piece);
    yield piece;
  }
}

type Say = (doubt: string) => void;

const silent: Say = () => {};

/**
 * The lines of an archive, after its bytes were compared with its manifest. `say` gets what its bytes do not prove:
 * who can replace the file can replace the manifest, too.
 */
export async function* readArchive(
  config: Place,
  manifest: Manifest,
  say: Say = silent,
): AsyncGenerator<Line> {
  await verifyArchive(config, manifest, say);
  yield* linesIn(config, manifest, createHash('sha256'), silent);
}

/** @throws ArchiveDamaged */
export async function verifyArchive(config: Place, manifest: Manifest, say: Say): Promise<void> {
  const hash = createHash('sha256');
  let rows = 0;
  try {
    for await (const _ of linesIn(config, manifest, hash, say)) rows += 1;
  } catch (error) {
    if (error instanceof Refused && !(error instanceof ArchiveDamaged))
      throw new ArchiveDamaged(archiveName(manifest), doesNotOpen);
    if (isUnpacking(error)) throw new ArchiveDamaged(archiveName(manifest));
    throw error;
  }
  if (rows !== manifest.row_count || hash.digest('hex') !== manifest.sha256)
    throw new ArchiveDamaged(archiveName(manifest));
}

async function* linesIn(config: Place, manifest: Manifest, hash: Hash, say: Say): AsyncGenerator<Line> {
  const stored = await archivesOf(config).read(archiveName(manifest));
  if (!stored) throw new ArchiveDamaged(archiveName(manifest));
  const bytes = counted(stored, { bytes: 0, hash });
  const named = `The archive ${archiveName(manifest)}`;
  if (!manifest.is_sealed) say(`${named} is not encrypted. Nothing proves that its rows are genuine.`);
  const unnamed = (): void =>
    say(`${named} is of an earlier version. Nothing proves that it is not another archive.`);
  const wanted = { name: stem(manifest), unnamed };
  yield* linesOf(through(manifest.is_sealed ? openFile(bytes, config, wanted) : bytes, createGunzip()));
}

const notEncrypted = 'is not encrypted, although its name says so';

const doesNotOpen =
  'does not open: PATCHBAY_SECRET_KEY is another one, or the file was altered or is of another archive';

/** Its reader gets the errors of the source, too. */
function through(source: AsyncIterable<string | Buffer>, change: Duplex): Duplex {
  pipeline(source, change).catch(() => {});
  return change;
}

const isUnpacking = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
