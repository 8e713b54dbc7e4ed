import { useCallback, useEffect, useRef, useState } from 'react';
import type { DraftConflict, SavedDraft } from '../../../../src/people/console/scenarios/schema.ts';
import { ApiProblem } from '../../shared/api.ts';
import { useApi } from '../api.ts';
import type { useDraftText } from './draft-text.ts';

/** How safe the unpublished text is. */
export type Keeping = 'published' | 'keeping' | 'kept' | 'here only';

/** The draft of another person, and the text from which both began. */
type Clash = DraftConflict & { base: string };

const pauseMs = 800;

/** Sends the text to the server when it has not changed for a moment, and when the page is left. */
export function useKeeping(path: string, text: ReturnType<typeof useDraftText>) {
  const { now, server, isUnsaved, isDirty, forget } = text;
  const api = useApi();
  const [clash, setClash] = useState<Clash | null>(null);
  const [isHereOnly, setHereOnly] = useState(false);
  const [, tell] = useState(0);
  const latest = useRef(now);
  latest.current = now;

  const keepNow = useCallback(async (): Promise<boolean> => {
    const { source, version } = latest.current;
    if (source === server.current.source) return true;
    const { source: base, revision } = server.current;
    try {
      const saved = await api.put<SavedDraft>(path, { source, version, revision });
      server.current = { source, revision: saved.revision };
      if (latest.current.source === source) forget();
      setHereOnly(false);
      tell((count) => count + 1);
      return true;
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 409 && isConflict(error.answer)) {
        setClash({ ...error.answer, base });
      } else setHereOnly(true);
      return false;
    }
  }, [api, path, server, forget]);

  // One after another: two that name one revision would clash with each other.
  const last = useRef(Promise.resolve(true));
  const keep = useCallback((): Promise<boolean> => {
    last.current = last.current.then(keepNow);
    return last.current;
  }, [keepNow]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the text starts the pause anew.
  useEffect(() => {
    if (!isDirty || clash) return;
    const later = setTimeout(keep, pauseMs);
    return () => clearTimeout(later);
  }, [isDirty, clash, keep, now]);

  // The page is left within the pause.
  useEffect(() => () => void keep(), [keep]);

  return { keep, clash, setClash, keeping: keepingOf({ isUnsaved, isDirty, isHereOnly }) };
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
