import { useQuery } from '@tanstack/react-query';
import type { MessengerList } from '../../../../src/people/console/channels/schema.ts';
import { useApi, useProjectId } from '../api.ts';

/** How the Widget looks, and whom it trusts, has a page of its own with a preview. */
const hasOwnPage = (platform: string): boolean => platform === 'Widget';

/** What a channel can be of, with the settings that are asked for in a plain form. */
export function useMessengers() {
  const api = useApi();
  const projectId = useProjectId();
  return useQuery({
    queryKey: [projectId, 'messengers'],
    queryFn: ({ signal }) => api.get<MessengerList>('messengers/', {}, signal),
    select: ({ results }) =>
      results.map((messenger) =>
        hasOwnPage(messenger.platform) ? { ...messenger, settings: [] } : messenger,
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
