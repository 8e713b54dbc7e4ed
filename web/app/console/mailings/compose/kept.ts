import { useDebouncedCallback } from '@mantine/hooks';
import { type Draft, emptyDraft } from './draft.ts';

const keyOf = (project: string): string => `patchbay-mailing-${project}`;

/** The mailing that was being written in this browser; null where there is none. */
export function keptDraft(project: string): Draft | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(project)) ?? 'null');
    return isDraft(kept) ? kept : null;
  } catch {
    return null;
  }
}

/** Another version of this page may have kept something else. */
const isDraft = (kept: unknown): kept is Draft =>
  typeof kept === 'object' &&
  kept !== null &&
  Object.entries(emptyDraft()).every(
    ([name, value]) => value === null || typeof Reflect.get(kept, name) === typeof value,
  );

export function forgetDraft(project: string): void {
  try {
    localStorage.removeItem(keyOf(project));
  } catch {
    // Where nothing can be kept, nothing has to be forgotten.
  }
}

/** Keeps what is written until the mailing is made, a moment after each change. */
export function useKeeping(project: string) {
  return useDebouncedCallback((draft: Draft) => {
    try {
      localStorage.setItem(keyOf(project), JSON.stringify(draft));
    } catch {
      // The list may be longer than the browser keeps: then it is there as long as the page.
    }
  }, 500);
}
