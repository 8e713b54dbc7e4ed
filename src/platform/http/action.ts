import type { FastifyReply } from 'fastify';
import type { Static, TSchema, TUnknown, TVoid } from 'typebox';
import type { Context } from '../context.ts';
import { type Action, type Definition, define, type Input } from './admission.ts';
import { strangersBodyLimit } from './body.ts';
import { createOnce } from './idempotency.ts';
import type { Principal } from './principal.ts';

export type { Action, Input } from './admission.ts';

/** Defines an action for routes whose guard admits a `Who`. `action` below is the one for partners. */
export function actionFor<Who>() {
  return <
    Params extends TSchema = TUnknown,
    Query extends TSchema = TUnknown,
    Body extends TSchema = TUnknown,
    Response extends TSchema = TVoid,
    Loaded = undefined,
  >(
    definition: Definition<Who, Params, Query, Body, Response, Loaded> & {
      handle: (
        input: Input<Who, Static<Params>, Static<Query>, Static<Body>, Loaded>,
      ) => Promise<Static<Response> | FastifyReply>;
    },
  ): Action<Who> => define(definition, definition.handle);
}

/** An action for partners: a bot key or a token. */
export const action = actionFor<Principal>();

const unguarded = actionFor<undefined>();

/** An action without a guard. Its body is small unless it has a `bodyLimit`: to read one costs anybody's time. */
export const openAction: typeof unguarded = (definition) =>
  unguarded({ bodyLimit: strangersBodyLimit, ...definition });

/**
 * A partner's POST that makes one thing and honours `Idempotency-Key`. The default status is 201. The thing must take
 * `id` for its primary key. After a crash with an unknown outcome, a second attempt with the same key therefore
 * cannot make a second thing. `recall` presents the thing with that id if it exists.
 */
export function creation<
  Params extends TSchema = TUnknown,
  Query extends TSchema = TUnknown,
  Body extends TSchema = TUnknown,
  Response extends TSchema = TUnknown,
  Loaded = undefined,
>(
  definition: Definition<Principal, Params, Query, Body, Response, Loaded> & {
    response: Response;
    handle: (
      input: Input<Principal, Static<Params>, Static<Query>, Static<Body>, Loaded> & { id: string },
    ) => Promise<Static<Response>>;
    recall: (context: Context, principal: Principal, id: string) => Promise<Static<Response> | undefined>;
  },
): Action<Principal> {
  const { handle, recall, status = 201 } = definition;
  return define(
    { ...definition, status },
    (input) =>
      createOnce(input, {
        make: (id) => handle({ ...input, id }),
        recall: (id) => recall(input.context, input.principal, id),
      }),
    { once: true },
  );
}
