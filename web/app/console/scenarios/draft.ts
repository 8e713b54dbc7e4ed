import { useEffect, useState } from 'react';

/** An unsaved text, and the version it started from. */
export type Draft = { source: string; version: number };

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'source' in value &&
  typeof value.source === 'string' &&
  'version' in value &&
  typeof value.version === 'number';

function stored(key: string): Draft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return isDraft(value) ? value : null;
  } catch {
    return null;
  }
}

function store(key: string, draft: Draft | null): void {
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
  } catch {
    // Without storage the draft lives as long as the page.
  }
}

/**
 * A scenario's draft in this browser: the unsaved text, or the saved one. `wasKept` is true for a draft from an
 * earlier visit.
 */
export function useDraft(projectId: string, scenarioId: string, saved: Draft) {
  const key = `patchbay-scenario-${projectId}-${scenarioId}`;
  const [kept] = useState(() => stored(key));
  const [draft, setDraft] = useState(kept);
  useEffect(() => store(key, draft), [key, draft]);
  const isUnsaved = draft !== null && draft.source !== saved.source;

  return {
    draft: draft ?? { source: saved.source, version: saved.version },
    isUnsaved,
    wasKept: kept !== null,
    edit: (source: string) =>
      setDraft((last) => ({ source, version: (isUnsaved ? last?.version : null) ?? saved.version })),
    /** The draft is now a version. Input during the save continues from it. */
    settle: ({ source, version }: Draft) =>
      setDraft((last) => (last === null || last.source === source ? null : { ...last, version })),
    discard: () => setDraft(null),
  };
}
