import Type from 'typebox';
import { isPage } from '../platform/http/pages.ts';
import type { KnownRoute } from '../platform/http/router.ts';
import { exampleOf } from './example.ts';
import type { SchemaWriter } from './schemas.ts';
import type { Header, Reference, Response, Schema } from './types.ts';

/** Source: docs/contract.md, section 1. */
const Problem = Type.Object(
  { detail: Type.String({ examples: ['Not found.'] }) },
  { title: 'Problem', description: 'The reason, as a sentence for people.' },
);

/** A recursive schema, which typebox's types would make hard to read. */
const FieldErrors: Schema = {
  title: 'FieldErrors',
  type: 'object',
  description:
    'The errors of each field, nested like the input. Errors that concern several fields are under `non_field_errors`.',
  additionalProperties: {
    anyOf: [
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      { $ref: '#/components/schemas/FieldErrors' },
    ],
  },
  examples: [{ content: { text: ['This field is required.'] } }],
};

export const headers: Record<string, Header> = {
  'X-Request-Id': {
    description: 'Identifies the request in the log. A valid value from the caller is kept.',
    required: true,
    schema: { type: 'string' },
  },
  'Idempotent-Replay': {
    description: 'The response repeats that of the first request with this `Idempotency-Key`.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds.', required: true, schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': {
    description: 'The accepted authentication scheme.',
    required: true,
    schema: { type: 'string' },
  },
};

const referToHeaders = (names: string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The error responses that all routes share, by the name of their component. */
const shared = {
  Invalid: [400, 'The body, the query or a header is invalid.', []],
  Unauthorized: [401, 'The credentials are missing or wrong.', ['WWW-Authenticate']],
  Forbidden: [403, 'The access token is missing or wrong. A bot key is not accepted.', []],
  NotFound: [404, 'The project has no such object.', []],
  KeyInUse: [409, 'A request with this `Idempotency-Key` is still in progress.', ['Retry-After']],
  TooLarge: [413, 'The body is too large.', []],
  UnsupportedMediaType: [415, 'The media type of the body is not supported.', []],
  KeyReused: [422, 'This `Idempotency-Key` was already used for another request.', []],
  Throttled: [429, 'Too many requests.', ['Retry-After']],
  Unavailable: ['5XX', 'A server error, or the database is temporarily unavailable. Retry the request.', []],
} as const satisfies Record<string, readonly [status: number | string, when: string, headers: string[]]>;

type SharedName = keyof typeof shared;

const names = Object.keys(shared).filter((name): name is SharedName => Object.hasOwn(shared, name));

/** The error responses as components, for `components.responses`. */
export const sharedResponses = (writer: SchemaWriter): Record<string, Response> =>
  Object.fromEntries(names.map((name) => [name, refusal(writer, name, shared[name][1])]));

/** The success response of a route, and each of its errors. */
export function responsesOf(writer: SchemaWriter, route: KnownRoute): Record<string, Response | Reference> {
  const { spec } = route;
  const common = refusalsOf(route).map((name): [string, Reference] => [
    String(shared[name][0]),
    { $ref: `#/components/responses/${name}` },
  ]);
  const own = Object.entries(spec.refusals).map(([status, { when, body }]): [string, Response] => {
    const name = names.find((name) => String(shared[name][0]) === status) ?? 'Invalid';
    return [status, refusal(writer, name, when, body)];
  });
  return { [spec.status]: success(writer, route), ...Object.fromEntries([...common, ...own]) };
}

/** The shared errors of a route. They follow from its guard, path, method and body. */
function refusalsOf({ method, credentials, spec }: KnownRoute): SharedName[] {
  const given = {
    Invalid: spec.body !== undefined || spec.query !== undefined,
    Unauthorized: credentials === 'key or oauth',
    Forbidden: credentials === 'oauth',
    NotFound: spec.params !== undefined,
    KeyInUse: spec.once,
    TooLarge: method !== 'GET',
    UnsupportedMediaType: method !== 'GET',
    KeyReused: spec.once,
    Throttled: false,
    Unavailable: true,
  } satisfies Record<SharedName, boolean>;
  return names.filter((name) => given[name]);
}

function success(writer: SchemaWriter, { spec }: KnownRoute): Response {
  const headers = referToHeaders(['X-Request-Id', ...(spec.once ? ['Idempotent-Replay'] : [])]);
  if (!spec.response) return { description: 'Success without a body.', headers };
  const schema = writer.write(spec.response);
  const example = exampleOf(schema, writer.components);
  const description = isPage(spec.response) ? 'A page of the list.' : 'Success.';
  return { description, headers, content: { 'application/json': { schema, example } } };
}

function refusal(writer: SchemaWriter, name: SharedName, when: string, body?: Schema): Response {
  const problem = writer.write(Problem);
  const bodies = name === 'Invalid' ? [writer.write(FieldErrors), problem] : [problem];
  if (body) bodies.push(writer.write(body));
  const schema = bodies.length === 1 ? problem : { anyOf: bodies };
  return {
    description: when,
    headers: referToHeaders(['X-Request-Id', ...shared[name][2]]),
    content: { 'application/json': { schema } },
  };
}
