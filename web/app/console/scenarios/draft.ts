import { useEffect, useState } from 'react';

/** What somebody has written and not saved, and the version that it began from. */
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
    // A browser that keeps nothing: the draft then lasts as long as the page.
  }
}

/**
 * A scenario's draft in this browser: what is being written, or what is saved while nothing is. `wasKept` tells whether it
 * was there from an earlier visit.
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
    /** The draft is a version now. What was typed while it was being saved goes on from there. */
    settle: ({ source, version }: Draft) =>
      setDraft((last) => (last === null || last.source === source ? null : { ...last, version })),
    discard: () => setDraft(null),
  };
}
