import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that is being received: nobody sees it yet. */
export type Draft = { path: string; size: number };

/** Writes the bytes down while they come, so that memory holds one piece of them, and takes away what is left in the end. */
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

/** Removes what a process that was killed has left, of which nothing has been written since that moment. */
export async function forgetDrafts(folder: string, before: Date): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtime < before) await rm(path, { force: true });
  }
}
