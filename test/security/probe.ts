import type { Request } from './answers.ts';

/** A valid call of one route by one project. Every part of it can be replaced. */
export type Probe = {
  /** In the server's form: `GET /api/partners/push-messages/:uuid/`. */
  route: string;
  headers: Record<string, string>;
  params: Record<string, string>;
  query: Record<string, string>;
  body?: unknown;
  /** The place of the id that makes the call unique. */
  once?: string;
};

export function requestOf({ route, headers, params, query, body }: Probe): Request {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent((params[name] ?? '').toWellFormed()),
  );
  const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  return { method, path: path + search, headers, body };
}

type Parts = Partial<Omit<Probe, 'route' | 'headers'>>;

export const probe = (route: string, headers: Record<string, string> = {}, parts: Parts = {}): Probe => ({
  route,
  headers,
  params: {},
  query: {},
  ...parts,
});
