import { useQuery } from '@tanstack/react-query';
import type { MessengerList } from '../../../../src/people/console/channels/schema.ts';
import { useApi, useProjectId } from '../api.ts';

/** The Widget's appearance and identity key have their own page with a preview. */
const hasOwnPage = (platform: string): boolean => platform === 'Widget';

/** The platforms of channels, with settings for a plain form. */
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
