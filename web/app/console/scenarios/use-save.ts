import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Conflict, SavedScenario } from '../../../../src/people/console/scenarios/schema.ts';
import { ApiProblem } from '../../shared/api.ts';
import { useTexts } from '../../shared/language.tsx';
import { useProblemText, useShowDone } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import type { Draft } from './draft-text.ts';

const isConflict = (answer: unknown): answer is Conflict =>
  typeof answer === 'object' && answer !== null && 'current' in answer && 'began_from' in answer;

/** Publishes a draft over the version it started from. `conflict` holds a newer version of another person. */
export function useSave(
  scenarioId: string,
  onSaved: (draft: Draft) => void,
  onDraft: (draft: Conflict['draft']) => void,
) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const t = useTexts(common);
  const textOf = useProblemText();
  const showDone = useShowDone();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  async function save(draft: Draft): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      const { version } = await api.put<SavedScenario>(`scenarios/${scenarioId}/`, draft);
      setConflict(null);
      onSaved({ ...draft, version });
      await queries.invalidateQueries({ queryKey: [project, 'scenarios'] });
      showDone(t.saved);
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 409 && isConflict(error.answer)) {
        if (error.answer.current.version === draft.version) onDraft(error.answer.draft);
        else setConflict(error.answer);
        await queries.invalidateQueries({ queryKey: [project, 'scenarios'] });
      } else {
        setProblem(error instanceof ApiProblem ? refusal(error) : textOf(error));
      }
    }
    setBusy(false);
  }

  return { busy, problem, conflict, save, leaveConflict: () => setConflict(null) };
}

/** Errors with their positions in the text. */
function refusal({ message, fields }: ApiProblem): string {
  const told = Object.entries(fields).map(([field, text]) => `${field}: ${text}`);
  return told.length > 0 ? told.join(' ') : message;
}
