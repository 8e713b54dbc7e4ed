import { useDebouncedCallback } from '@mantine/hooks';
import { type Draft, emptyDraft } from './draft.ts';

const keyOf = (project: string): string => `patchbay-mailing-${project}`;

/** The unfinished mailing stored in this browser, or null. */
export function keptDraft(project: string): Draft | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(project)) ?? 'null');
    return isDraft(kept) ? kept : null;
  } catch {
    return null;
  }
}

/** Another version of this page may have stored a different format. */
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
    // Without storage there is nothing to delete.
  }
}

/** Stores the draft until the mailing is created, shortly after each change. */
export function useKeeping(project: string) {
  return useDebouncedCallback((draft: Draft) => {
    try {
      localStorage.setItem(keyOf(project), JSON.stringify(draft));
    } catch {
      // A list can exceed the browser's storage. It then lives as long as the page.
    }
  }, 500);
}
