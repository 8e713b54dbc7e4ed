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
/** Counts down, so that the answer to 100,000 bad identifiers has a few kilobytes. */
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
  const found = schema.anyOf
    ? explainUnion(schema.anyOf, value, budget)
    : explainPlain(schema, value, budget);
  if (Array.isArray(found)) budget.left -= 1;
  return found;
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
      return typeof value === 'string' ? explainText(schema, value) : ['Not a valid string.'];
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

function explainObject(schema: JsonSchema, value: unknown, budget: Budget): Found {
  if (!isRecord(value)) {
    return { non_field_errors: [`Invalid data. Expected a dictionary, but got ${pythonType(value)}.`] };
  }
  const { properties = {}, required = [] } = schema;
  const known = collect(Object.entries(properties), budget, (field, name) => {
    if (Object.hasOwn(value, name)) return explainValue(field, value[name], budget);
    return required.includes(name) ? [messages.required] : undefined;
  });
  if (schema.additionalProperties !== false) return known;
  const strangers = Object.entries(value).filter(([name]) => !Object.hasOwn(properties, name));
  const unknown = collect(strangers, budget, () => ['There is no such field here.']);
  return known || unknown ? { ...known, ...unknown } : undefined;
}

function explainMap(schema: JsonSchema, value: unknown, budget: Budget): Found {
  if (!isRecord(value)) return [`Expected a dictionary of items but got type "${pythonType(value)}".`];
  const item = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
  if (typeof item !== 'object') return undefined;
  return collect(Object.entries(value), budget, (inside) => explainValue(item, inside, budget));
}

function explainList(schema: JsonSchema, value: unknown, budget: Budget): Found {
  if (!Array.isArray(value)) return [`Expected a list of items but got type "${pythonType(value)}".`];
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (value.length < minItems) {
    return [
      value.length === 0
        ? 'This list may not be empty.'
        : `Ensure this field has at least ${minItems} elements.`,
    ];
  }
  if (value.length > maxItems) return [`Ensure this field has no more than ${maxItems} elements.`];
  if (!items) return undefined;
  return collect(value.entries(), budget, (item) => explainValue(items, item, budget));
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
    all ??= {};
    all[name] = found;
  }
  return all;
}

function explainText(schema: JsonSchema, text: string): Found {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  if (minLength > 0 && text.length === 0) return [messages.blank];
  if (isLongerThan(text, maxLength)) return [messages.maxLength(maxLength)];
  if (!isLongerThan(text, minLength - 1)) return [`Ensure this field has at least ${minLength} characters.`];
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return ['Enter a valid value.'];
  return format === undefined || hasFormat(format, text) ? undefined : [formatMessage(format, text)];
}

/**
 * Counts characters as code points. A text has at least half as many as UTF-16 units, so a huge text is not counted.
 */
function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  return text.length > limit * 2 || [...text].length > limit;
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
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxEcho ? `${text.slice(0, maxEcho).toWellFormed()}…` : text;
}

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
