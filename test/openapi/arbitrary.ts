import fc from 'fast-check';
import type { Document, Operation, Parameter, Schema } from '../../src/openapi/types.ts';
import type { Request } from '../security/answers.ts';
import { hostileValues } from '../security/hostile.ts';
import { leavesOf, withLeaf } from '../security/leaves.ts';

/** Requests made from the description alone, and from words that mean something in this database. */

export type Described = { method: string; path: string; operation: Operation };

export const operationsOf = ({ paths }: Document): Described[] =>
  Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
  );

export type Known = {
  /** Right ones, and wrong ones. */
  credentials: Record<string, string>[];
  /** Ids, numbers and names of things that are there. */
  words: string[];
  /** Addresses that answer. */
  urls: string[];
  /** By the name of a field, or of the object and the field in it. */
  named: Record<string, string[]>;
  /** By tag: the uuids on its lists. */
  listed: Record<string, string[]>;
};

const hostile = fc.oneof(fc.constantFrom(...hostileValues), fc.jsonValue({ maxDepth: 3 }));

/** A call of this operation: mostly right, often with one hostile value in one place of it. */
export function requestLike(
  { components }: Document,
  { method, path, operation }: Described,
  known: Known,
): fc.Arbitrary<Request> {
  const like = likenesses(components.schemas, known);
  const body = operation.requestBody?.content['application/json']?.schema;
  return fc
    .record({
      credentials: fc.constantFrom(...known.credentials),
      key: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, fc.stringMatching(/^[a-z]{3}$/)),
      params: paramsOf(operation, known, like),
      query: partOf(operation.parameters, 'query', like),
      body: body ? mutated(like(body)) : fc.constant(undefined),
    })
    .map(({ credentials, key, params, query, body }) => ({
      method,
      path: filled(path, params) + searchOf(query),
      headers: { ...credentials, ...(key !== undefined && { 'idempotency-key': key }) },
      body,
    }));
}

/** `at` are the names of the field and of what it is in, from the outside inwards. */
type Like = (schema: Schema, at?: readonly string[]) => fc.Arbitrary<unknown>;

/** The parameters of one place, each now and then hostile; those that may be absent often are. */
function partOf(
  parameters: Parameter[],
  place: Parameter['in'],
  like: Like,
): fc.Arbitrary<Record<string, unknown>> {
  const here = parameters.filter((parameter) => parameter.in === place);
  const values = here.map(({ name, schema }): [string, fc.Arbitrary<unknown>] => [
    name,
    fc.oneof({ weight: 4, arbitrary: like(schema, [name]) }, { weight: 1, arbitrary: hostile }),
  ]);
  const requiredKeys = here.filter(({ required }) => required).map(({ name }) => name);
  return fc.record(Object.fromEntries(values), { requiredKeys });
}

/** Mostly what the operation's own lists name, where it takes a uuid. */
function paramsOf({ tags: [tag = ''], parameters }: Operation, { listed }: Known, like: Like) {
  const any = partOf(parameters, 'path', like);
  const isUuid = parameters.some(({ in: place, name }) => place === 'path' && name === 'uuid');
  const uuids = listed[tag] ?? [];
  if (!isUuid || uuids.length === 0) return any;
  const there = fc.record({ uuid: fc.constantFrom(...uuids) });
  return fc.oneof({ weight: 5, arbitrary: there }, { weight: 1, arbitrary: any });
}

/** As it is, with another value in one place, or something else altogether. */
const mutated = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 14, arbitrary: values },
    {
      weight: 5,
      arbitrary: fc.tuple(values, hostile, fc.nat()).map(([value, other, at]) => {
        const leaves = leavesOf(value);
        return withLeaf(value, leaves[at % Math.max(1, leaves.length)]?.path ?? [], other);
      }),
    },
    { weight: 1, arbitrary: hostile },
  );

function likenesses(schemas: Record<string, Schema>, { words, urls, named }: Known): Like {
  const word = fc.constantFrom(...words);
  const texts: Record<string, fc.Arbitrary<string>> = {
    uuid: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...words.filter((text) => /^[\da-f-]{36}$/.test(text))) },
      { weight: 1, arbitrary: fc.uuid() },
    ),
    'date-time': fc
      .date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    uri: fc.constantFrom(...urls),
    phone: fc.constantFrom('+12025550123', '79161234567'),
  };

  const textOf = ({ format = '', minLength, maxLength = 200 }: Schema, at: readonly string[]) => {
    const fitting = named[at.slice(-2).join('.')] ?? named[at.at(-1) ?? ''] ?? [];
    const any =
      texts[format] ??
      fc.oneof(word, fc.string({ minLength, maxLength: Math.min(maxLength, 200), unit: 'grapheme' }));
    return oftenOneOf(fitting, any);
  };

  /** Where nothing is required, mostly one field is what is wanted. */
  const objectOf = ({ properties, required = [] }: Schema, at: readonly string[]): fc.Arbitrary<unknown> => {
    if (!properties)
      return fc.dictionary(word, fc.oneof(word, fc.jsonValue({ maxDepth: 2 })), { maxKeys: 3 });
    const fields = Object.entries(properties).map(
      ([name, field]) => [name, like(field, [...at, name])] as const,
    );
    const any = fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
    const one = fields.map(([name, field]) => fc.record({ [name]: field }));
    return required.length === 0
      ? fc.oneof({ weight: 1, arbitrary: any }, { weight: 3, arbitrary: fc.oneof(...one) })
      : any;
  };

  const plain = (type: string, schema: Schema, at: readonly string[]): fc.Arbitrary<unknown> => {
    const { minimum: min = -1000, maximum: max = 1000, items = {} } = schema;
    switch (type) {
      case 'object':
        return objectOf(schema, at);
      case 'array':
        return fc.array(like(items, at), { maxLength: 3 });
      case 'string':
        return textOf(schema, at);
      case 'integer':
        return fc.maxSafeInteger().map((number) => min + (Math.abs(number) % (max - min + 1)));
      case 'number':
        return fc.double({ min, max, noNaN: true });
      case 'boolean':
        return fc.boolean();
      default:
        return fc.constant(null);
    }
  };

  const like: Like = (schema, at = []) => {
    const { $ref, const: only, enum: choices, anyOf, type, examples = [] } = schema;
    if ($ref) return like(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, at);
    if (only !== undefined) return fc.constant(only);
    if (choices) return oftenOneOf(choices.slice(0, 1), fc.constantFrom(...choices));
    if (anyOf) return fc.oneof(...anyOf.map((shape) => like(shape, at)));
    if (type === undefined) return fc.jsonValue({ maxDepth: 2 });
    const [main, ...others] = [type].flat().map((one) => plain(one, schema, at));
    const any = fc.oneof({ weight: 4, arbitrary: main ?? fc.constant(null) }, ...others);
    return typeof examples[0] === 'object' ? oftenOneOf(examples, any) : any;
  };
  return like;
}

/** Every second time one of these, where there are any. */
const oftenOneOf = (these: readonly unknown[], any: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  these.length > 0 ? fc.oneof(fc.constantFrom(...these), any) : any;

const written = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed().slice(0, 4_000);

const filled = (path: string, params: Record<string, unknown>): string =>
  path.replace(/\{(\w+)\}/g, (_place, name: string) => encodeURIComponent(written(params[name])));

function searchOf(query: Record<string, unknown>): string {
  const given = Object.entries(query).map(([name, value]): [string, string] => [name, written(value)]);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}
