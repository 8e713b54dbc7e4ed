import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that is being received. It is not visible yet. */
export type Draft = { path: string; size: number };

/**
 * Writes the bytes to disk while they arrive, so that memory holds one piece at a time. Removes the draft at the end.
 */
export async function withDraft<Result>(
  folder: string,
  bytes: AsyncIterable<Buffer>,
  use: (draft: Draft) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  try {
    return await use({ path, size: await receive(path, bytes) });
  } finally {
    await rm(path, { force: true });
  }
}

async function receive(path: string, bytes: AsyncIterable<Buffer>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    let size = 0;
    for await (const piece of bytes) {
      await file.writeFile(piece);
      size += piece.length;
    }
    await file.sync();
    return size;
  } finally {
    await file.close();
  }
}

/** Removes the drafts of killed processes: those without a write since that time. */
export async function forgetDrafts(folder: string, before: Date): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtime < before) await rm(path, { force: true });
  }
}
