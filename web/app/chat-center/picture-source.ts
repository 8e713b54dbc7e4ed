import { useQuery } from '@tanstack/react-query';
import { useDesk } from './desk.tsx';

/**
 * What an `img` may show for an address that came from a client. Pictures of this service are shown as they are; others are
 * fetched by it, since whoever has named them would see who looks, and from where.
 */
export function usePictureSource(address: string | null): { src: string | undefined; isBroken: boolean } {
  const { api } = useDesk();
  const isOwn = address !== null && URL.parse(address)?.origin === location.origin;
  const fetched = useQuery({
    queryKey: ['picture', address],
    enabled: address !== null && !isOwn,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () => {
      const answer = await api.open('GET', `pictures/?${new URLSearchParams({ url: address ?? '' })}`);
      return URL.createObjectURL(await answer.blob());
    },
  });
  return { src: isOwn ? address : fetched.data, isBroken: fetched.isError };
}
