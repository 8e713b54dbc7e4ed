import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import type { Action } from './admission.ts';
import { corsHeaders } from './cors.ts';
import type { Guard } from './guard.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Gives the function that a page of routes is written with: method, path (canonical, with its trailing slash),
 * who may come in, and the action.
 */
export function router(server: FastifyInstance, context: Context) {
  return function route<Who>(method: Method, path: string, guard: Guard<Who>, action: Action<Who>): void {
    const { cors } = guard;
    server.route({
      method,
      url: path,
      bodyLimit: action.bodyLimit,
      config: { cors },
      ...(action.response && { schema: { response: { [action.status]: action.response } } }),
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        if (cors && request.headers.origin !== undefined) reply.headers(corsHeaders);
        request.admitted = await action.admit(context, guard, request);
      },
      handler: (request, reply) => request.admitted?.answer(reply),
    });
  };
}
