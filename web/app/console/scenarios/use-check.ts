import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { CheckedScenario } from '../../../../src/people/console/scenarios/schema.ts';
import { ApiProblem } from '../../shared/api.ts';
import { useApi, useProjectId } from '../api.ts';
import { jsonIn } from './source.ts';

export const pauseMs = 400;

const nothing = { promocode_groups: [], scenarios: [], attributes: [], tags: [], audiences: [] };

/** The server's validation of a text, shortly after its last change; and the same for any text. */
export function useCheck(source: string) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const [settled] = useDebouncedValue(source, pauseMs);
  const checkOf = useCallback(
    (text: string) =>
      queryOptions({
        queryKey: [project, 'scenario-check', text],
        staleTime: 30_000,
        gcTime: 60_000,
        queryFn: async (): Promise<CheckedScenario> => {
          try {
            return await api.post<CheckedScenario>('scenarios/check/', { source: text });
          } catch (error) {
            // The server cannot read some texts at all, such as deeply nested ones.
            if (!(error instanceof ApiProblem) || error.status !== 400) throw error;
            return { complaints: [{ pointer: '', message: error.message }], uses: nothing, missing: nothing };
          }
        },
      }),
    [api, project],
  );
  const isJson = jsonIn(settled) !== undefined;
  const { data } = useQuery({ ...checkOf(settled), enabled: isJson });
  const check = useCallback(
    async (text: string) => (await queries.fetchQuery(checkOf(text))).complaints,
    [queries, checkOf],
  );
  return { settled, isJson, checked: isJson ? data : undefined, check };
}
