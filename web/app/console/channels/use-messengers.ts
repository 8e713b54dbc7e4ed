import { useQuery } from '@tanstack/react-query';
import type { Messenger, MessengerList } from '../../../../src/people/console/channels/schema.ts';
import { useApi, useProjectId } from '../api.ts';

/** The Widget's appearance and identity key have their own page with a preview. */
const hasOwnPage = (platform: string): boolean => platform === 'Widget';

const plainSettings = ({ platform, settings }: Messenger): Messenger['settings'] =>
  hasOwnPage(platform) ? [] : settings;

/** The platforms of channels, with their guides. */
export function useAllMessengers() {
  const api = useApi();
  const projectId = useProjectId();
  return useQuery({
    queryKey: [projectId, 'messengers'],
    queryFn: ({ signal }) => api.get<MessengerList>('messengers/', {}, signal),
    select: ({ results }) => results,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The same, with settings for a plain form. */
export function useMessengers() {
  const { data, ...query } = useAllMessengers();
  return {
    ...query,
    data: data?.map((messenger) => ({ ...messenger, settings: plainSettings(messenger) })),
  };
}
