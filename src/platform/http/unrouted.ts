import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { NotFound } from '../problem.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { HttpProblem } from './errors.ts';
import { canonicalPathOf, pathOf } from './target.ts';

type KnownPath = { segments: string[]; methods: Set<string>; cors: boolean };

const segmentsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

const matches = (pattern: string[], path: string[]): boolean =>
  pattern.length === path.length &&
  pattern.every(
    (segment, index) => segment === path[index] || (segment.startsWith(':') && path[index] !== ''),
  );

/**
 * Answers requests without a route: OPTIONS and preflights of a known path, 405 with `Allow` for its other methods,
 * 404 otherwise. A path that is known literally takes precedence over another path's parameter. This runs before the
 * body is parsed and without credentials, because nothing behind a route is touched.
 */
export function unroutedRequests() {
  const known = new Map<string, KnownPath>();

  const remember = ({ url, method, config }: RouteOptions): void => {
    const path = known.get(url) ?? { segments: segmentsOf(url), methods: new Set(['OPTIONS']), cors: false };
    for (const name of [method].flat()) path.methods.add(name);
    path.cors ||= config?.cors === true;
    known.set(url, path);
  };

  const isTaken = (request: FastifyRequest): boolean => {
    if (request.is404) return false;
    return known.get(canonicalPathOf(request.url))?.methods.has(request.method) ?? true;
  };

  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const segments = segmentsOf(pathOf(request.url));
    const path =
      known.get(canonicalPathOf(request.url)) ??
      [...known.values()].find((candidate) => matches(candidate.segments, segments));
    if (!path) throw new NotFound();
    const allow = [...path.methods].sort().join(', ');
    if (path.cors) reply.headers(corsHeaders);
    if (request.method !== 'OPTIONS') {
      throw new HttpProblem(405, `Method "${request.method}" not allowed.`, { allow });
    }
    return reply
      .code(204)
      .headers({ allow, ...(path.cors ? preflightHeaders(allow) : {}) })
      .send();
  };

  return { remember, isTaken, answer };
}
