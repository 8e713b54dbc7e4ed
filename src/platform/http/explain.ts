import { isLongerThan } from '../characters.ts';
import { onOneLine } from '../one-line.ts';
import type { FieldMessages } from '../problem.ts';
import { messages } from '../problem.ts';
import { formatMessage, hasFormat } from './formats.ts';
import { isRecord } from './json.ts';

/** The JSON Schema keywords of our fields. */
export type JsonSchema = {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string | RegExp;
  format?: string;
  minimum?: number;
  maximum?: number;
  /** See `apart`. */
  '~apart'?: true;
};

type Found = string[] | FieldMessages | undefined;
/** Counts the complaints down, so that the answer to 100,000 wrong values has a few kilobytes. */
type Budget = { left: number };

const maxReported = 100;
const maxEcho = 100;

/**
 * Every fault of the input, in the texts and the shape of Django REST Framework. Undefined when the input is valid.
 */
export function explain(schema: JsonSchema, input: unknown): FieldMessages | undefined {
  const found = explainValue(schema, input, { left: maxReported });
  return Array.isArray(found) ? { non_field_errors: found } : found;
}

function explainValue(schema: JsonSchema, value: unknown, budget: Budget): Found {
  return schema.anyOf ? explainUnion(schema.anyOf, value, budget) : explainPlain(schema, value, budget);
}

/** Explains the intended shape of several: the one of the value's own kind, else the first. */
function explainUnion(shapes: readonly JsonSchema[], value: unknown, budget: Budget): Found {
  if (shapes.some((shape) => !explainPlain(shape, value, { left: 1 }))) return undefined;
  const meant = shapes.find((shape) => typesOf(shape).includes(kindOf(value))) ?? shapes[0];
  return meant && explainPlain(meant, value, budget);
}

function explainPlain(schema: JsonSchema, value: unknown, budget: Budget): Found {
  const types = typesOf(schema);
  if (value === null) return types.length === 0 || types.includes('null') ? undefined : [messages.null];
  if (schema.enum) return schema.enum.includes(value) ? undefined : [messages.choice(echo(value))];
  if (schema.const !== undefined) return schema.const === value ? undefined : [messages.choice(echo(value))];
  switch (types.find((type) => type !== 'null')) {
    case 'object':
      return schema.properties ? explainObject(schema, value, budget) : explainMap(schema, value, budget);
    case 'array':
      return explainList(schema, value, budget);
    case 'string':
      return typeof value === 'string' ? explainText(schema, value) : [noText(schema)];
    case 'integer':
      return Number.isInteger(value) ? explainNumber(schema, value) : ['A valid integer is required.'];
    case 'number':
      return Number.isFinite(value) ? explainNumber(schema, value) : ['A valid number is required.'];
    case 'boolean':
      return typeof value === 'boolean' ? undefined : ['Must be a valid boolean.'];
    default:
      return undefined;
  }
}

const noText = ({ format }: JsonSchema): string =>
  format === 'uuid' ? messages.uuid : 'Not a valid string.';

function explainObject(schema: JsonSchema, value: unknown, budget: Budget): Found {
  if (!isRecord(value)) {
    const complaint = `Invalid data. Expected a dictionary, but got ${pythonType(value)}.`;
    return collect([['non_field_errors', value]], budget, () => [complaint]);
  }
  const { properties = {}, required = [] } = schema;
  const known = collect(Object.entries(properties), budget, (field, name) => {
    if (Object.hasOwn(value, name)) return explainValue(field, value[name], budget);
    return required.includes(name) ? [messages.required] : undefined;
  });
  if (schema.additionalProperties !== false) return known;
  const unknown = collect(fieldsOf(value), budget, (_field, name) =>
    Object.hasOwn(properties, name) ? undefined : ['There is no such field here.'],
  );
  return known || unknown ? { ...known, ...unknown } : undefined;
}

function explainMap(schema: JsonSchema, value: unknown, budget: Budget): Found {
  if (!isRecord(value)) return [`Expected a dictionary of items but got type "${pythonType(value)}".`];
  const tooMany = whyTooMany(schema, value);
  if (tooMany !== undefined) return [tooMany];
  const item = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
  if (typeof item !== 'object') return undefined;
  return collect(fieldsOf(value), budget, (inside) => explainValue(item, inside, budget));
}

function explainList(schema: JsonSchema, value: unknown, budget: Budget): Found {
  if (!Array.isArray(value)) return [`Expected a list of items but got type "${pythonType(value)}".`];
  const { items, minItems = 0 } = schema;
  if (value.length < minItems) {
    return [
      value.length === 0
        ? 'This list may not be empty.'
        : `Ensure this field has at least ${minItems} elements.`,
    ];
  }
  const tooMany = whyTooMany(schema, value);
  if (tooMany !== undefined) return [tooMany];
  if (!items) return undefined;
  return collect(value.entries(), budget, (item) => explainValue(items, item, budget));
}

/** Why the list or the object has too many parts, whatever they are. Undefined if it has not. */
export function whyTooMany({ maxItems, maxProperties }: JsonSchema, value: object): string | undefined {
  const most = Array.isArray(value) ? maxItems : maxProperties;
  if (most === undefined) return undefined;
  const count = Array.isArray(value) ? value.length : Object.keys(value).length;
  return count > most ? `Ensure this field has no more than ${most} elements.` : undefined;
}

/** One by one, because a list of a million fields costs more than the few that are looked at. */
function* fieldsOf(value: Record<string, unknown>): Generator<[name: string, field: unknown]> {
  for (const name in value) yield [name, value[name]];
}

/** The complaints about each part under the part's own name, until the budget is spent. */
function collect<Name extends string | number, Part>(
  parts: Iterable<[Name, Part]>,
  budget: Budget,
  explainPart: (part: Part, name: Name) => Found,
): FieldMessages | undefined {
  let all: FieldMessages | undefined;
  for (const [name, part] of parts) {
    if (budget.left <= 0) break;
    const found = explainPart(part, name);
    if (!found) continue;
    if (Array.isArray(found)) budget.left -= 1;
    all ??= {};
    all[shortened(String(name))] = found;
  }
  return all;
}

function explainText(schema: JsonSchema, text: string): Found {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  if (minLength > 0 && text.length === 0) return [messages.blank];
  if (isLongerThan(text, maxLength)) return [messages.maxLength(maxLength)];
  if (!isLongerThan(text, minLength - 1)) return [`Ensure this field has at least ${minLength} characters.`];
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) {
    return [pattern === onOneLine ? messages.line : 'Enter a valid value.'];
  }
  return format === undefined || hasFormat(format, text) ? undefined : [formatMessage(format, text)];
}

function explainNumber(schema: JsonSchema, value: unknown): Found {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (Number(value) > maximum) return [messages.maximum(maximum)];
  if (Number(value) < minimum) return [messages.minimum(minimum)];
  return undefined;
}

function typesOf({ type = [] }: JsonSchema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

/** The part of a wrong value that is repeated to the caller. A megabyte of it would help no reader. */
function echo(value: unknown): string {
  return shortened(typeof value === 'string' ? value : JSON.stringify(value));
}

export const shortened = (text: string): string =>
  text.length > maxEcho ? `${text.slice(0, maxEcho).toWellFormed()}…` : text;

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The name of a value's type in the texts that API clients already know. */
function pythonType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    default:
      return Array.isArray(value) ? 'list' : value === null ? 'NoneType' : 'dict';
  }
}
