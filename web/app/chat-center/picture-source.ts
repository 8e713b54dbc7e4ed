import { useQuery } from '@tanstack/react-query';
import { useDesk } from './desk.tsx';

/**
 * The image source for a URL that a client sent. Pictures of this service are used directly. The service fetches all
 * others; otherwise their host would see the operator's address.
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
