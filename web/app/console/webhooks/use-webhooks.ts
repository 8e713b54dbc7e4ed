import { useQuery } from '@tanstack/react-query';
import type { WebhookList } from '../../../../src/people/console/webhooks/schema.ts';
import { useApi, useProjectId } from '../api.ts';

/** All webhooks of the project: its own, and one per application. */
export function useWebhooks() {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: [project, 'webhooks'],
    queryFn: ({ signal }) => api.get<WebhookList>('webhooks/', {}, signal),
    refetchInterval: 10_000,
  });
}
