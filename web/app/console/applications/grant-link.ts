import { useAccount } from '../api.ts';

/** Builds the URL of the grant page for an application. */
export function useGrantLink(): (clientId: string, redirectUri: string) => string {
  const { data } = useAccount();
  return (clientId, redirectUri) => {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
    });
    return `${data?.public_url ?? ''}/integrations/oauth/?${query}`;
  };
}
