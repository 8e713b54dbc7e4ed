import type { Context } from '../../platform/context.ts';
import { NotFound } from '../../platform/problem.ts';
import { presentTimelineEntry } from './present.ts';
import type { TimelineEntry } from './schema.ts';
import { findTimelineEntries } from './timeline-store.ts';

/** A new entry of a chat's history, as the history shows it. */
export async function madeEntry(
  { sql }: Pick<Context, 'sql'>,
  { project_id, id }: { project_id: string; id: string },
  entryId: string,
): Promise<TimelineEntry> {
  const [row] = await findTimelineEntries(sql, project_id, [{ chat_id: id, entry_id: entryId }]);
  // The page has used its id in another chat.
  if (!row) throw new NotFound();
  return presentTimelineEntry(row);
}
