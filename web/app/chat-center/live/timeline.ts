import type { TimelineEntry } from '../../../../src/people/chat-center/schema.ts';
import type { History } from './cache.ts';

/**
 * The loaded part of a history with this entry added, in the order of ids. The first page is the newest. An entry
 * older than the loaded part waits for its page.
 */
export function withEntry(history: History, entry: TimelineEntry): History {
  const position = history.pages.findIndex(({ results }) => (results[0]?.uuid ?? '') <= entry.uuid);
  const last = history.pages.length - 1;
  if (position < 0 && history.pages[last]?.has_older) return history;
  const page = position < 0 ? last : position;
  return {
    ...history,
    pages: history.pages.map((old, at) =>
      at === page ? { ...old, results: placed(old.results, entry) } : old,
    ),
  };
}

function placed(entries: readonly TimelineEntry[], entry: TimelineEntry): TimelineEntry[] {
  const known = entries.findIndex(({ uuid }) => uuid === entry.uuid);
  if (known >= 0) return entries.with(known, entry);
  const behind = entries.findLastIndex(({ uuid }) => uuid < entry.uuid);
  return entries.toSpliced(behind + 1, 0, entry);
}
