import { useQuery } from '@tanstack/react-query';
import type { Channel, ChannelList, MessengerList } from '../../../../src/people/console/channels/schema.ts';
import { useApi, useProjectId } from '../api.ts';

/** The channels to whose provider a template can be submitted. */
export function useTemplateChannels(): readonly Channel[] {
  const api = useApi();
  const project = useProjectId();
  const channels = useQuery({
    queryKey: [project, 'channels'],
    queryFn: ({ signal }) => api.get<ChannelList>('channels/', {}, signal),
  });
  const messengers = useQuery({
    queryKey: [project, 'messengers'],
    queryFn: ({ signal }) => api.get<MessengerList>('messengers/', {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const takers = messengers.data?.results.filter(({ takes_templates }) => takes_templates) ?? [];
  return (channels.data?.results ?? []).filter(({ platform }) =>
    takers.some((messenger) => messenger.platform === platform),
  );
}
