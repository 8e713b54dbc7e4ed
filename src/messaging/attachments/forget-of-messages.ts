import type { Context } from '../../platform/context.ts';
import { deleteClientFiles } from './client-files-store.ts';
import { fileName } from './create.ts';
import { filesOf } from './files.ts';
import { deleteFiles, findOfMessages, freeRoom } from './store.ts';

/**
 * Removes some of the files that came with messages from before that moment. The bytes go first: a file without them
 * is merely not found, and the next run finds its row again. Returns how many are gone.
 */
export async function forgetFilesOfMessages(
  { sql, config }: Pick<Context, 'sql' | 'config'>,
  projectId: string,
  before: Date,
  most: number,
): Promise<number> {
  const files = filesOf(config);
  const found = await findOfMessages(sql, projectId, before, most);
  for (const key of found) await files.remove(fileName(key));
  const ids = found.map(({ id }) => id);
  await sql.begin(async (transaction) => {
    await deleteClientFiles(transaction, projectId, ids);
    await freeRoom(transaction, await deleteFiles(transaction, projectId, ids));
  });
  return found.length;
}
