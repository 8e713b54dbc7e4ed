import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Profile } from '../../../../src/clients/profiles/schema.ts';
import type { Dictionary } from '../../../../src/people/console/dictionary/schema.ts';
import type { ClientPage } from '../../../../src/people/console/profiles/schema.ts';
import { pageSize } from '../../shared/pager.tsx';
import { useApi, useProjectId } from '../api.ts';

export type DefinitionKind = 'tags' | 'attributes';

export function useDefinitions(kind: DefinitionKind) {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: [project, kind],
    queryFn: ({ signal }) => api.get<Dictionary>(`${kind}/`, {}, signal),
  });
}

export function useClients(search: string, tag: string | undefined, offset: number, limit = pageSize) {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: [project, 'profiles', { search, tag, offset, limit }],
    queryFn: ({ signal }) => api.get<ClientPage>('profiles/', { search, tag, limit, offset }, signal),
    placeholderData: keepPreviousData,
  });
}

export const profileKey = (project: string, id: string) => [project, 'profile', id];

export function useProfile(id: string) {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: profileKey(project, id),
    queryFn: ({ signal }) => api.get<Profile>(`profiles/${id}/`, {}, signal),
  });
}
