import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { DraftConflict, SavedDraft, Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { useApi, useProjectId } from '../api.ts';
import { useKeeping } from './draft-keeping.ts';
import { type Draft, serverDraft, useDraftText } from './draft-text.ts';

/**
 * A scenario's draft: the server keeps it shortly after each change, and the browser until then. `wasKept` is true for
 * a draft from an earlier visit or of another person.
 */
export function useDraft(scenario: Scenario) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const path = `scenarios/${scenario.id}/draft/`;
  const text = useDraftText(scenario);
  const { now, server, isUnsaved, isDirty, wasKept, take, edit, settle } = text;
  const { keep, keeping, clash, setClash } = useKeeping(path, text);

  const adopt = useCallback(
    (theirs: Draft | null, source: string, revision: number) => {
      take(theirs, source, revision);
      setClash(null);
    },
    [take, setClash],
  );

  // Another page has saved the draft or published it. A text of this page's own is settled when it is saved.
  useEffect(() => {
    if (scenario.draft.revision <= server.current.revision || isDirty) return;
    adopt(serverDraft(scenario), scenario.draft.source ?? scenario.source, scenario.draft.revision);
  }, [scenario, server, isDirty, adopt]);

  return {
    draft: now,
    isUnsaved,
    wasKept,
    keeping,
    clash,
    /** Shows another person's draft, which stands in the way of publishing. */
    clashWith: (theirs: DraftConflict['draft']) =>
      setClash({ detail: '', draft: theirs, base: server.current.source }),
    edit,
    keep,
    revision: () => server.current.revision,
    settle,
    discard: async () => {
      const { revision } = server.current;
      if (revision > 0) {
        const body = { source: null, version: scenario.version, revision };
        const saved = await api.put<SavedDraft>(path, body);
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
