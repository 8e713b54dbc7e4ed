import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GroupCode, StockedGroup } from '../../../../src/people/console/promocodes/schema.ts';
import { type Page, pageSize } from '../../shared/pager.tsx';
import { useApi, useProjectId } from '../api.ts';

export function useGroups(offset: number) {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: [project, 'promocodes', 'groups', offset],
    queryFn: ({ signal }) =>
      api.get<Page<StockedGroup>>('promocode-groups/', { limit: pageSize, offset }, signal),
  });
}

export function useGroup(uuid: string) {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: [project, 'promocodes', 'group', uuid],
    queryFn: ({ signal }) => api.get<StockedGroup>(`promocode-groups/${uuid}/`, {}, signal),
  });
}

export function useCodes(group: string, query: { status?: 'ISSUED'; code: string; offset: number }) {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: [project, 'promocodes', 'codes', group, query],
    queryFn: ({ signal }) =>
      api.get<Page<GroupCode>>(`promocode-groups/${group}/codes/`, { ...query, limit: pageSize }, signal),
    placeholderData: keepPreviousData,
  });
}

/** Invalidates counts and lists after a change. */
export function useRefresh(): () => Promise<void> {
  const project = useProjectId();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [project, 'promocodes'] });
}
