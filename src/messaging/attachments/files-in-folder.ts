import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Files } from './files.ts';

/**
 * Files in a folder that only the service's own user can read. Drafts are beside the files, so that a rename moves
 * them.
 */
export const filesInFolder = (folder: string): Files => ({
  drafts: join(folder, 'drafts'),

  async take(name, draft) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(draft, path);
    await syncFolder(dirname(path));
  },

  async read(name) {
    try {
      const file = await open(join(folder, name));
      return file.createReadStream();
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  },

  remove: (name) => rm(join(folder, name), { force: true }),
});

/** A new name survives a power cut once its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
