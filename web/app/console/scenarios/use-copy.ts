import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SavedScenario, Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { ApiProblem } from '../../shared/api.ts';
import { useTexts } from '../../shared/language.tsx';
import { useApi, useProjectId } from '../api.ts';
import { conflictTexts } from './conflict-texts.ts';
import { renamed } from './source.ts';

const mostCopies = 20;

/** Keeps a text as the draft of another scenario, lets it go here, and opens it. The text need not be valid. */
export function useCopy(scenario: Scenario) {
  const t = useTexts(conflictTexts);
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const queries = useQueryClient();
  /** Under a name that no scenario has. */
  async function make(number: number): Promise<{ made: SavedScenario; name: string }> {
    const name = t.copyName(scenario.name, number);
    try {
      return { made: await api.post('scenarios/', { source: renamed(scenario.source, name) }), name };
    } catch (error) {
      const isNamed = error instanceof ApiProblem && error.fields.name !== undefined;
      if (!isNamed || number === mostCopies) throw error;
      return make(number + 1);
    }
  }
  return async (source: string, letGo: () => void) => {
    const { made, name } = await make(1);
    await api.put(`scenarios/${made.id}/draft/`, { source: renamed(source, name), version: 1, revision: 0 });
    letGo();
    await queries.invalidateQueries({ queryKey: [project, 'scenarios'] });
    await navigate({ to: '/$project/scenarios/$scenario/', params: { project, scenario: String(made.id) } });
  };
}
