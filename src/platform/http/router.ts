import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { within } from '../work.ts';
import type { Action, ActionSpec } from './admission.ts';
import { addStreamParser } from './body.ts';
import { corsHeaders } from './cors.ts';
import type { Guard } from './guard.ts';
import { openLines } from './in-turn.ts';
import { beginRequest } from './request-work.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The public facts about a route. */
export type KnownRoute = {
  method: Method;
  path: string;
  credentials: Guard<unknown>['credentials'];
  spec: ActionSpec;
};

/**
 * Returns the function that registers routes: method, path (canonical, with its trailing slash), guard and action.
 * Its `known` lists the routes so far.
 */
export function router(server: FastifyInstance, context: Context) {
  const known: KnownRoute[] = [];
  const lines = openLines();
  const route = <Who>(method: Method, path: string, guard: Guard<Who>, action: Action<Who>): void => {
    const { cors, credentials } = guard;
    const { spec } = action;
    const line = action.line ?? (method === 'GET' ? 'reads' : 'writes');
    // Streams have limits of their own, and a place is not for waiting for bytes. An answer to a GET without a schema
    // is a stream.
    const isStream = action.bodyKind === 'stream' || (method === 'GET' && spec.response === undefined);
    known.push({ method, path, credentials, spec });
    const place = (on: FastifyInstance) =>
      on.route({
        method,
        url: path,
        bodyLimit: spec.bodyLimit,
        config: { cors },
        ...(spec.response && { schema: { response: { [spec.status]: spec.response } } }),
        onRequest: async (request, reply) => {
          const work = beginRequest(context, request, reply);
          request.work = work;
          reply.header('cache-control', 'no-store');
          if (cors && request.headers.origin !== undefined) reply.headers(corsHeaders);
          request.admitted = await within(work, () => action.admit(context, guard, request, reply));
        },
        // The body was read in between, outside of the work.
        handler: (request, reply) =>
          within(request.work ?? {}, async () => {
            const { admitted } = request;
            if (isStream || !admitted?.callers) return admitted?.answer(reply);
            const inTurn = lines[typeof line === 'function' ? line(request.body) : line];
            const end = await inTurn(admitted.callers);
            try {
              return reply.raw.destroyed ? reply : await admitted.answer(reply);
            } finally {
              // The answer is complete. Who reads it slowly holds no place meanwhile.
              end(Number(reply.getHeader('content-length') ?? 0));
            }
          }),
      });
    if (action.bodyKind !== 'stream') return void place(server);
    server.register(async (part) => {
      addStreamParser(part);
      place(part);
    });
  };
  return Object.assign(route, { known });
}

/** Adds one route to the server. */
export type Route = ReturnType<typeof router>;
