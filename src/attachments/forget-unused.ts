import type { Context } from '../context.ts';
import { fileName } from './create.ts';
import { filesOf } from './files.ts';
import { deleteUnused } from './store.ts';

const unusedForMs = 24 * 60 * 60 * 1000;
const mostAtOnce = 200;

/** Removes what clients have uploaded and not sent within a day. */
export async function forgetUnusedAttachments({
  sql,
  clock,
  config,
}: Pick<Context, 'sql' | 'clock' | 'config'>): Promise<void> {
  const files = filesOf(config);
  const before = new Date(clock.now().getTime() - unusedForMs);
  for (let found = mostAtOnce; found === mostAtOnce; ) {
    const forgotten = await deleteUnused(sql, before, mostAtOnce);
    for (const key of forgotten) await files.remove(fileName(key));
    found = forgotten.length;
  }
}
