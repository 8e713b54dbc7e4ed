import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { DraftConflict, SavedDraft, Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { ApiProblem } from '../../shared/api.ts';
import { useApi, useProjectId } from '../api.ts';

/** An unpublished text, the version it started from, and the revision of the draft that it continues. */
export type Draft = { source: string; version: number; revision: number };

/** How safe the unpublished text is. */
export type Keeping = 'published' | 'keeping' | 'kept' | 'here only';

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

const serverDraft = ({ draft, version }: Scenario): Draft | null =>
  draft.source === null
    ? null
    : { source: draft.source, version: draft.version ?? version, revision: draft.revision };

const pauseMs = 800;

/** The draft of another person, and the text from which both began. */
export type Clash = DraftConflict & { base: string };

/**
 * A scenario's draft: the server keeps it shortly after each change, and the browser until then. `wasKept` is true for
 * a draft from an earlier visit or of another person.
 */
export function useDraft(scenario: Scenario) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const key = `patchbay-scenario-${project}-${scenario.id}`;
  const published = { source: scenario.source, version: scenario.version, revision: scenario.draft.revision };
  const [kept] = useState(() => stored(key) ?? serverDraft(scenario));
  const [draft, setDraft] = useState(kept);
  /** What the server has, as far as this page knows. */
  const server = useRef({
    source:
      kept && kept.revision !== scenario.draft.revision
        ? scenario.source
        : (scenario.draft.source ?? scenario.source),
    revision: kept?.revision ?? scenario.draft.revision,
  });
  const [clash, setClash] = useState<Clash | null>(null);
  const [isHereOnly, setHereOnly] = useState(false);
  const [, tell] = useState(0);
  const now = draft ?? published;
  const latest = useRef(now);
  latest.current = now;
  const isUnsaved = draft !== null && draft.source !== scenario.source;
  const isDirty = draft !== null && draft.source !== server.current.source;

  const adopt = useCallback(
    (theirs: Draft | null, source: string, revision: number) => {
      server.current = { source, revision };
      store(key, null);
      setDraft(theirs);
      setClash(null);
    },
    [key],
  );

  // Another page has saved the draft or published it. A text of this page's own is settled when it is saved.
  useEffect(() => {
    if (scenario.draft.revision <= server.current.revision || isDirty) return;
    adopt(serverDraft(scenario), scenario.draft.source ?? scenario.source, scenario.draft.revision);
  }, [scenario, isDirty, adopt]);

  // A published text is no draft, as soon as this page has read it as the published one.
  useEffect(() => {
    if (draft?.source === scenario.source && !isDirty) setDraft(null);
  }, [draft, scenario.source, isDirty]);

  const keep = useCallback(async (): Promise<boolean> => {
    const { source, version } = latest.current;
    if (source === server.current.source) return true;
    const { source: base, revision } = server.current;
    try {
      const body = { source, version, revision };
      const saved = await api.put<SavedDraft>(`scenarios/${scenario.id}/draft/`, body);
      server.current = { source, revision: saved.revision };
      if (latest.current.source === source) store(key, null);
      setHereOnly(false);
      tell((count) => count + 1);
      return true;
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 409 && isConflict(error.answer)) {
        setClash({ ...error.answer, base });
      } else setHereOnly(true);
      return false;
    }
  }, [api, scenario.id, key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the text starts the pause anew.
  useEffect(() => {
    if (!isDirty || clash) return;
    const later = setTimeout(keep, pauseMs);
    return () => clearTimeout(later);
  }, [isDirty, clash, keep, draft]);

  // The page is left within the pause.
  useEffect(() => () => void keep(), [keep]);

  function edit(source: string, from: Partial<Draft> = {}) {
    const next = {
      source,
      version: (isUnsaved ? draft?.version : null) ?? scenario.version,
      revision: server.current.revision,
      ...from,
    };
    store(key, next);
    setDraft(next);
  }

  return {
    draft: now,
    isUnsaved,
    wasKept: kept !== null,
    keeping: keepingOf({ isUnsaved, isDirty, isHereOnly }),
    clash,
    /** Shows another person's draft, which stands in the way of publishing. */
    clashWith: (theirs: DraftConflict['draft']) =>
      setClash({ detail: '', draft: theirs, base: server.current.source }),
    edit,
    keep,
    revision: () => server.current.revision,
    /** The text is a version now, and the draft of its revision has ended. */
    settle: ({ source, version, revision: ended }: Draft) => {
      const revision = Math.max(server.current.revision, ended === 0 ? 0 : ended + 1);
      server.current = { source, revision };
      store(key, null);
      setDraft((last) => last && { ...last, version, revision });
    },
    discard: async () => {
      const { revision } = server.current;
      if (revision > 0) {
        const body = { source: null, version: scenario.version, revision };
        const saved = await api.put<SavedDraft>(`scenarios/${scenario.id}/draft/`, body);
        adopt(null, scenario.source, saved.revision);
      } else adopt(null, scenario.source, revision);
      await queries.invalidateQueries({ queryKey: [project, 'scenarios'] });
    },
    /** Goes on from the other person's draft, with their text or another that takes it into account. */
    follow: (theirs: DraftConflict['draft'], source: string | null) => {
      const from = { version: theirs.version ?? scenario.version, revision: theirs.revision };
      adopt(serverDraft({ ...scenario, draft: theirs }), theirs.source ?? scenario.source, theirs.revision);
      if (source !== null) edit(source, from);
    },
  };
}

const keepingOf = ({
  isUnsaved,
  isDirty,
  isHereOnly,
}: {
  isUnsaved: boolean;
  isDirty: boolean;
  isHereOnly: boolean;
}): Keeping => {
  if (isHereOnly && isDirty) return 'here only';
  if (isDirty) return 'keeping';
  return isUnsaved ? 'kept' : 'published';
};

const isConflict = (answer: unknown): answer is DraftConflict =>
  typeof answer === 'object' && answer !== null && 'draft' in answer;
