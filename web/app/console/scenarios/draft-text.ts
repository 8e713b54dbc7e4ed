import { useCallback, useEffect, useRef, useState } from 'react';
import type { Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { useProjectId } from '../api.ts';

/** An unpublished text, the version it started from, and the revision of the draft that it continues. */
export type Draft = { source: string; version: number; revision: number };

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'source' in value &&
  typeof value.source === 'string' &&
  'version' in value &&
  typeof value.version === 'number' &&
  'revision' in value &&
  typeof value.revision === 'number';

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
    // Without storage the draft lives as long as the page, or on the server.
  }
}

export const serverDraft = ({ draft, version }: Scenario): Draft | null =>
  draft.source === null
    ? null
    : { source: draft.source, version: draft.version ?? version, revision: draft.revision };

/** This page's text, which the browser stores, and what the server has, as far as this page knows. */
export function useDraftText(scenario: Scenario) {
  const key = `patchbay-scenario-${useProjectId()}-${scenario.id}`;
  const [kept] = useState(() => stored(key) ?? serverDraft(scenario));
  const [draft, setDraft] = useState(kept);
  const server = useRef({
    source:
      kept && kept.revision !== scenario.draft.revision
        ? scenario.source
        : (scenario.draft.source ?? scenario.source),
    revision: kept?.revision ?? scenario.draft.revision,
  });
  const isUnsaved = draft !== null && draft.source !== scenario.source;
  const isDirty = draft !== null && draft.source !== server.current.source;

  // A published text is no draft, as soon as this page has read it as the published one.
  useEffect(() => {
    if (draft?.source === scenario.source && !isDirty) setDraft(null);
  }, [draft, scenario.source, isDirty]);

  return {
    now: draft ?? { source: scenario.source, version: scenario.version, revision: scenario.draft.revision },
    isUnsaved,
    isDirty,
    wasKept: kept !== null,
    server,
    /** The server has the text, and the browser need not store it any more. */
    forget: useCallback(() => store(key, null), [key]),
    /** Replaces the text by the server's. */
    take: useCallback(
      (theirs: Draft | null, source: string, revision: number) => {
        server.current = { source, revision };
        store(key, null);
        setDraft(theirs);
      },
      [key],
    ),
    edit: (source: string, from: Partial<Draft> = {}) => {
      const next = {
        source,
        version: (isUnsaved ? draft?.version : null) ?? scenario.version,
        revision: server.current.revision,
        ...from,
      };
      store(key, next);
      setDraft(next);
    },
    /** The text is a version now, and the draft of its revision has ended. */
    settle: ({ source, version, revision: ended }: Draft) => {
      const revision = Math.max(server.current.revision, ended === 0 ? 0 : ended + 1);
      server.current = { source, revision };
      store(key, null);
      setDraft((last) => last && { ...last, version, revision });
    },
  };
}
