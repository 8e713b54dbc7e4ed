import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Scenario, ScenarioEditors } from '../../../../src/people/console/scenarios/schema.ts';
import { useApi, useProjectId } from '../api.ts';

const everyMs = 10_000;

/** The names of the others who have this scenario open. What they save appears here shortly after. */
export function useEditors({ id, version, draft }: Scenario): readonly string[] {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: [project, 'scenario-editors', id],
    queryFn: () => api.post<ScenarioEditors>(`scenarios/${id}/editors/`),
    refetchInterval: everyMs,
    staleTime: 0,
  });
  const isNewer = data !== undefined && (data.version > version || data.revision > draft.revision);
  useEffect(() => {
    if (isNewer) void queries.invalidateQueries({ queryKey: [project, 'scenarios', 'one', String(id)] });
  }, [isNewer, queries, project, id]);
  return data?.names ?? [];
}
