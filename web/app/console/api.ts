import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Account } from '../../../src/people/console/account/schema.ts';
import { type Api, createApi } from '../shared/api.ts';

export const root = '/console/api/';

export const useAccount = () =>
  useQuery({ queryKey: ['account'], queryFn: () => createApi(root).get<Account>('account/') });

/** The project in the URL. */
export function useProjectId(): string {
  const { project } = useParams({ strict: false });
  if (project === undefined) throw new Error('this page belongs to no project');
  return project;
}

/** Whether the page offers actions for administrators. The server checks them in any case. */
export function useIsAdmin(): boolean {
  const projectId = useProjectId();
  const { data } = useAccount();
  return data?.projects.find(({ uuid }) => uuid === projectId)?.role === 'admin';
}

/** Calls the API for this project. Query keys start with the project’s id from `useProjectId`. */
export function useApi(): Api {
  const projectId = useProjectId();
  return useMemo(() => createApi(root, projectId), [projectId]);
}
