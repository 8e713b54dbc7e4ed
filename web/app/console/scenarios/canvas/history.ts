/** A change of a text at one place: small, so that a session may keep all of them. */
type Change = { at: number; removed: string; added: string; topic: string | null };

/** What was done, and what was undone, each with the newest last. */
export type History = { done: readonly Change[]; undone: readonly Change[] };

export const noHistory: History = { done: [], undone: [] };

function changeBetween(before: string, after: string, topic: string | null): Change {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && before[at] === after[at]) at += 1;
  let behind = 0;
  while (behind < most - at && before.at(-1 - behind) === after.at(-1 - behind)) behind += 1;
  return {
    at,
    removed: before.slice(at, before.length - behind),
    added: after.slice(at, after.length - behind),
    topic,
  };
}

const applied = (text: string, { at, removed, added }: Omit<Change, 'topic'>): string =>
  text.slice(0, at) + added + text.slice(at + removed.length);

const inverse = ({ at, removed, added, topic }: Change): Change => ({
  at,
  removed: added,
  added: removed,
  topic,
});

/** Successive changes of one topic, such as typing into a field, are undone together. */
export function record(
  { done }: History,
  before: string,
  after: string,
  topic: string | null = null,
): History {
  const last = done.at(-1);
  if (topic === null || last?.topic !== topic) {
    return { done: [...done, changeBetween(before, after, topic)], undone: [] };
  }
  const start = applied(before, inverse(last));
  return { done: [...done.slice(0, -1), changeBetween(start, after, topic)], undone: [] };
}

/** The text and history before the last change. Null when there is none. */
export function undo({ done, undone }: History, text: string): { text: string; history: History } | null {
  const last = done.at(-1);
  if (!last) return null;
  return {
    text: applied(text, inverse(last)),
    history: { done: done.slice(0, -1), undone: [...undone, { ...last, topic: null }] },
  };
}

export function redo({ done, undone }: History, text: string): { text: string; history: History } | null {
  const last = undone.at(-1);
  if (!last) return null;
  return {
    text: applied(text, last),
    history: { done: [...done, last], undone: undone.slice(0, -1) },
  };
}
