import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { Workbench } from './workbench.tsx';

/** `/console/<project>/scenarios/<scenario>/` */
export default function EditScenario() {
  const { scenario: id = '' } = useParams({ strict: false });
  const api = useApi();
  const project = useProjectId();
  const scenario = useQuery({
    queryKey: [project, 'scenarios', 'one', id],
    queryFn: ({ signal }) => api.get<Scenario>(`scenarios/${id}/`, undefined, signal),
  });
  if (scenario.isPending) return <Loading height={600} />;
  if (scenario.isError) return <LoadProblem error={scenario.error} onRetry={scenario.refetch} />;
  return <Workbench key={`${project}/${id}`} scenario={scenario.data} />;
}
