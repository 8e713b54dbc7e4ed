import type { Adapter, Client } from '../src/channels/contract/adapter.ts';
import type { Verdict } from '../src/channels/contract/inbound.ts';
import { inboundRequest } from '../src/messaging/inbound/request.ts';
import type { Outbound } from '../src/platform/outbound/outbound.ts';

/** The adapter's client over this outbound. */
export const clientOver = (outbound: Outbound): Client => ({
  ...outbound,
  token: async () => 'an access token',
});

export type Delivery = {
  method?: 'GET' | 'POST';
  path?: string;
  headers?: Record<string, string | string[] | undefined>;
  query?: Record<string, string>;
  body?: Buffer | string | object;
};

/** Passes a request to an adapter as the server does. */
export function deliver<Settings>(
  { routes }: Pick<Adapter<Settings>, 'routes'>,
  settings: Settings,
  { method = 'POST', path = '', headers = {}, query = {}, body = '' }: Delivery,
): Verdict {
  const route = routes.find((candidate) => candidate.path === path && candidate.method === method);
  if (!route) return { accepted: false, status: 404 };
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return route.receive(inboundRequest(headers, bytes, new URLSearchParams(query)), settings);
}
