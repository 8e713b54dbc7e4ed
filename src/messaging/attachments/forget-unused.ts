import type { Context } from '../../platform/context.ts';
import { fileName } from './create.ts';
import { forgetDrafts } from './draft.ts';
import { filesOf } from './files.ts';
import { deleteUnused, freeRoom } from './store.ts';

/** Together with the ten minutes between two runs, less than an hour. */
const unusedForMs = 45 * 60 * 1000;
const mostAtOnce = 200;

/** Removes uploads that were not sent within an hour, and incomplete uploads. */
export async function forgetUnusedAttachments({
  sql,
  clock,
  config,
}: Pick<Context, 'sql' | 'clock' | 'config'>): Promise<void> {
  const files = filesOf(config);
  const before = new Date(clock.now().getTime() - unusedForMs);
  for (let found = mostAtOnce; found === mostAtOnce; ) {
    const forgotten = await sql.begin(async (tx) => {
      const deleted = await deleteUnused(tx, before, mostAtOnce);
      await freeRoom(tx, deleted);
      return deleted;
    });
    for (const key of forgotten) await files.remove(fileName(key));
    found = forgotten.length;
  }
  await forgetDrafts(files.drafts, before);
}
