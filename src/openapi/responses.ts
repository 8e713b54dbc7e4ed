import Type from 'typebox';
import { isPage } from '../platform/http/pages.ts';
import type { KnownRoute } from '../platform/http/router.ts';
import { exampleOf } from './example.ts';
import type { SchemaWriter } from './schemas.ts';
import type { Header, Reference, Response, Schema } from './types.ts';

/** Source: docs/contract.md, section 1. */
const Problem = Type.Object(
  { detail: Type.String({ examples: ['Not found.'] }) },
  { title: 'Problem', description: 'What is wrong, in a sentence for people.' },
);

/** It holds itself, which the types of typebox would make a puzzle of. */
const FieldErrors: Schema = {
  title: 'FieldErrors',
  type: 'object',
  description:
    'What is wrong with each field, nested as the input is; rules across fields stand under `non_field_errors`.',
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
    description: 'Names this request in the log. A sane one that the caller sends is kept.',
    required: true,
    schema: { type: 'string' },
  },
  'Idempotent-Replay': {
    description: 'The answer was given before, to the first request with this `Idempotency-Key`.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds.', required: true, schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': { description: 'How to come in.', required: true, schema: { type: 'string' } },
};

const referToHeaders = (names: string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The refusals that come from what every route shares, by the name of their component. */
const shared = {
  Invalid: [400, 'The body, the query or a header is wrong.', []],
  Unauthorized: [401, 'No credentials, or wrong ones.', ['WWW-Authenticate']],
  Forbidden: [403, 'No token, or a wrong one. A bot key is none.', []],
  NotFound: [404, 'There is nothing of this name in the project.', []],
  KeyInUse: [409, 'A request with this `Idempotency-Key` is still being answered.', ['Retry-After']],
  TooLarge: [413, 'The body is too large.', []],
  UnsupportedMediaType: [415, 'The body is of a kind that is not taken here.', []],
  KeyReused: [422, 'This `Idempotency-Key` was already used for another request.', []],
  Throttled: [429, 'Too many requests.', ['Retry-After']],
  Unavailable: ['5XX', 'Our fault, or the database is away for a moment: try again.', []],
} as const satisfies Record<string, readonly [status: number | string, when: string, headers: string[]]>;

type SharedName = keyof typeof shared;

const names = Object.keys(shared).filter((name): name is SharedName => Object.hasOwn(shared, name));

/** The refusals as components, for `components.responses`. */
export const sharedResponses = (writer: SchemaWriter): Record<string, Response> =>
  Object.fromEntries(names.map((name) => [name, refusal(writer, name, shared[name][1])]));

/** What a route answers when all is well, and each of its refusals. */
export function responsesOf(writer: SchemaWriter, route: KnownRoute): Record<string, Response | Reference> {
  const { told } = route;
  const common = refusalsOf(route).map((name): [string, Reference] => [
    String(shared[name][0]),
    { $ref: `#/components/responses/${name}` },
  ]);
  const own = Object.entries(told.refusals).map(([status, { when, body }]): [string, Response] => {
    const name = names.find((name) => String(shared[name][0]) === status) ?? 'Invalid';
    return [status, refusal(writer, name, when, body)];
  });
  return { [told.status]: success(writer, route), ...Object.fromEntries([...common, ...own]) };
}

/** Which of the shared refusals a route can give: they follow from its guard, its path, its method and its body. */
function refusalsOf({ method, credentials, told }: KnownRoute): SharedName[] {
  const given = {
    Invalid: told.body !== undefined || told.query !== undefined,
    Unauthorized: credentials === 'key or oauth',
    Forbidden: credentials === 'oauth',
    NotFound: told.params !== undefined,
    KeyInUse: told.once,
    TooLarge: method !== 'GET',
    UnsupportedMediaType: method !== 'GET',
    KeyReused: told.once,
    Throttled: false,
    Unavailable: true,
  } satisfies Record<SharedName, boolean>;
  return names.filter((name) => given[name]);
}

function success(writer: SchemaWriter, { told }: KnownRoute): Response {
  const headers = referToHeaders(['X-Request-Id', ...(told.once ? ['Idempotent-Replay'] : [])]);
  if (!told.response) return { description: 'Done; the answer has no body.', headers };
  const schema = writer.write(told.response);
  const example = exampleOf(schema, writer.components);
  const description = isPage(told.response) ? 'The page.' : 'Done.';
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
