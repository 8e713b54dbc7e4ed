import { useQuery } from '@tanstack/react-query';
import type { Topics } from '../../../../src/people/console/consent/schema.ts';
import { useApi, useProjectId } from '../api.ts';

export function useTopics() {
  const api = useApi();
  const project = useProjectId();
  return useQuery({ queryKey: [project, 'topics'], queryFn: () => api.get<Topics>('topics/') });
}
