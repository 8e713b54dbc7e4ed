import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Context } from '../context.ts';
import { NotFound } from '../problem.ts';
import { within } from '../work.ts';
import { assertDeclaredSize, type BodyKind, defaultBodyLimit, emptyBody } from './body.ts';
import { ByteStream, RawBytes } from './fields.ts';
import type { Guard } from './guard.ts';
import { callersOf, type Line, ownerOf } from './in-turn.ts';
import { isRecord } from './json.ts';
import { isPageAnswer, itemSchemaOf, pageJson } from './page-json.ts';
import { readQuery } from './query.ts';
import { tellCaller } from './request-work.ts';
import { isStorable } from './storable.ts';
import { callerReader, type Reader } from './validation.ts';

/**
 * The input of an action. `principal` is the caller that the route's guard admitted. The rest has the types of its
 * schemas.
 */
export type Input<Who, Params, Query, Body, Loaded> = {
  context: Context;
  principal: Who;
  params: Params;
  query: Query;
  body: Body;
  /** The object that `load` found. */
  loaded: Loaded;
  request: FastifyRequest;
  /**
   * For answers other than one JSON value: headers, redirects, streams. An action that answers through it returns it.
   */
  reply: FastifyReply;
};

/**
 * One action of the API. Its checks run in this order: the guard's credentials; `params` and `load` (404); `body`,
 * then `query` (400). An absent schema checks nothing.
 */
export type Definition<
  Who,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Response extends TSchema,
  Loaded,
> = {
  /**
   * Its name in the API's description and in clients: `createPushMessage`. Without a name the action is not
   * described.
   */
  name?: string;
  /** A short sentence for the API's description. `description` adds more where one sentence is not enough. */
  summary?: string;
  description?: string;
  /** Its refusals beyond those of the schemas and the guard. Keys are statuses. */
  refusals?: Readonly<Record<number, Refusal>>;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Without a schema the action answers nothing. */
  response?: Response;
  /** Default: 200 with a `response`, 204 without. */
  status?: number;
  /** Takes `application/x-www-form-urlencoded` beside JSON. */
  form?: boolean;
  /** In bytes. Default: 1 MiB. */
  bodyLimit?: number;
  /**
   * Where its requests wait for others of their callers. Default: `reads` for a GET, otherwise `writes`. A function gets
   * the body, which is not checked yet.
   */
  line?: Line | ((body: unknown) => Line);
  /**
   * Loads the object that the path names, before the body is parsed. Undefined (a missing object, or another
   * tenant's) is a 404.
   */
  load?: (context: Context, principal: Who, params: Static<Params>) => Promise<Loaded | undefined>;
  /** Whose requests these are, where the guard admits anybody. */
  owner?: (loaded: Loaded) => string;
  /**
   * Enforces conditions before a byte of the body is read: limits, and places that the end of the request gives back.
   */
  reserve?: (input: Reservation<Who, Loaded>) => Promise<void>;
};

export type Reservation<Who, Loaded> = {
  context: Context;
  principal: Who;
  loaded: Loaded;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** A request that was admitted, and the rest of its work once the body is there. */
export type Admitted = {
  bodyKind: BodyKind;
  /** Whose requests wait for each other. Null for a caller whose requests do not wait. */
  callers: string | null;
  /** Who takes turns for connections and large bodies, and has a share of the memory. Null for a stranger. */
  owner: string | null;
  answer: (reply: FastifyReply) => Promise<unknown>;
  /** For bodies and answers that take long. Throws when the caller would not be admitted any more. */
  confirm: () => Promise<void>;
};

/** The cause of a status, and its body if it is not one of the usual ones. */
export type Refusal = { when: string; body?: TSchema };

/** The public facts about an action. The API's description is made of them. */
export type ActionSpec = {
  name?: string;
  summary?: string;
  description?: string;
  refusals: Readonly<Record<number, Refusal>>;
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  response?: TSchema;
  status: number;
  form: boolean;
  /** The limit of a body, in bytes. */
  bodyLimit: number;
  /** Whether it honours `Idempotency-Key`. */
  once: boolean;
};

/** A defined action, ready for the router. Its types stay inside. */
export type Action<Who> = {
  spec: ActionSpec;
  bodyKind: BodyKind;
  line: Line | ((body: unknown) => Line) | null;
  /** Runs every check that precedes the body. */
  admit: (
    context: Context,
    guard: Guard<Who>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<Admitted>;
};

/**
 * How long the checks before the body stay true. A caller may take a minute for a body. Meanwhile their credentials may
 * end, and others may change the object.
 */
const knownForMs = 1_000;

/** Runs the checks in order before the action's handler. */
export function define<
  Who,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Response extends TSchema,
  Loaded,
>(
  definition: Definition<Who, Params, Query, Body, Response, Loaded>,
  perform: (input: Input<Who, Static<Params>, Static<Query>, Static<Body>, Loaded>) => Promise<unknown>,
  { once = false } = {},
): Action<Who> {
  const { response, load, reserve, status = response ? 200 : 204, bodyLimit = defaultBodyLimit } = definition;
  const { name, summary, description, params, query, body, form = false, refusals = {} } = definition;
  const readParams = definition.params ? callerReader(definition.params) : nothing<Static<Params>>;
  const readBody = definition.body ? callerReader(definition.body) : nothing<Static<Body>>;
  const readFilters = definition.query ? callerReader(definition.query) : undefined;
  const bodyKind = bodyKindOf(definition);
  const items = response ? itemSchemaOf(response) : null;

  /** The caller, and the object that the path names. */
  async function identify(context: Context, guard: Guard<Who>, request: FastifyRequest) {
    const principal = await guard.admit(request.headers);
    const params = readPath(readParams, request.params);
    const loaded = load
      ? found(await as(ownerOf(principal), () => load(context, principal, params)))
      : nothing<Loaded>();
    return { principal, params, loaded };
  }

  return {
    spec: {
      name,
      summary,
      description,
      refusals,
      params,
      query,
      body,
      response,
      status,
      form,
      bodyLimit,
      once,
    },
    bodyKind,
    line: definition.line ?? null,
    admit: async (context, guard, request, reply) => {
      const known = await identify(context, guard, request);
      const knownAt = context.clock.now().getTime();
      const { principal, loaded } = known;
      tellCaller(request, principal);
      if (bodyKind === 'stream') assertDeclaredSize(request, bodyLimit);
      const owner = definition.owner?.(loaded) ?? ownerOf(principal);
      if (reserve) await as(owner, () => reserve({ context, principal, loaded, request, reply }));
      const answer = async (reply: FastifyReply): Promise<unknown> => {
        const isOld = context.clock.now().getTime() - knownAt > knownForMs;
        const { principal, params, loaded } = isOld ? await identify(context, guard, request) : known;
        const body = readBody(request.body === undefined ? emptyBody[bodyKind] : request.body);
        const query = readFilters ? readFilters(readQuery(request.query)) : nothing<Static<Query>>();
        const input = { context, principal, params, query, body, loaded, request, reply };
        const result = await as(owner, () => perform(input));
        return send(reply, status, items, response ? result : undefined);
      };
      const confirm = async () => void (await identify(context, guard, request));
      return { bodyKind, callers: callersOf(principal), owner, answer, confirm };
    },
  };
}

/** Sends the result of an action, unless that has answered itself. */
async function send(
  reply: FastifyReply,
  status: number,
  items: ReturnType<typeof itemSchemaOf>,
  result: unknown,
) {
  // A reply resolves when it has been sent, so a returned reply is undefined by now. A stream that its reader has left
  // is not `sent`, but accepts no more output.
  if (reply.sent || reply.raw.headersSent) return reply;
  reply.code(status);
  if (items && isPageAnswer(result)) {
    return reply.type('application/json; charset=utf-8').send(await pageJson(reply, items, result));
  }
  return reply.send(result);
}

/** The owner's statements take turns with those of others. */
function as<Result>(owner: string | null, run: () => Result): Result {
  return owner === null ? run() : within({ owner }, run);
}

/** The value of an absent schema or `load`. Its type parameter has its default, which includes undefined. */
const nothing = <T>(): T => undefined as T;

/** A path that does not fit its schema is not found, exactly like an unknown path. */
function readPath<Params>(read: Reader<Params>, given: unknown): Params {
  const isText =
    isRecord(given) && Object.values(given).every((value) => typeof value === 'string' && isStorable(value));
  if (!isText) throw new NotFound();
  try {
    return read(given);
  } catch {
    throw new NotFound();
  }
}

function found<Loaded>(loaded: Loaded | undefined): Loaded {
  if (loaded === undefined) throw new NotFound();
  return loaded;
}

function bodyKindOf({ body, form = false }: { body?: TSchema; form?: boolean }): BodyKind {
  if (!body) return 'none';
  if (body === RawBytes) return 'bytes';
  if (body === ByteStream) return 'stream';
  return form ? 'json-or-form' : 'json';
}
