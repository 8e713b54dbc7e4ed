import { isPage } from '../../platform/http/pages.ts';
import type { Document, Schema } from '../types.ts';
import { type Html, html, prose } from './html.ts';

/** How fields are described: in full or by links, with a word for required or optional ones. */
export type View = { resolve: (schema: Schema) => Schema; word: (isRequired: boolean) => string };

/** Responses: each object has its own section. */
export const answered: View = {
  resolve: (schema) => schema,
  word: (isRequired) => (isRequired ? '' : 'may be absent'),
};

/** Request bodies: nested objects are described in place. */
export const sent = ({ components }: Document): View => ({
  resolve: (schema) => components.schemas[nameOf(schema) ?? ''] ?? schema,
  word: (isRequired) => (isRequired ? 'required' : ''),
});

/** The component that a schema refers to. */
export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.slice($ref.lastIndexOf('/') + 1);

/** A schema's fields as nested lists. */
export function fieldList(schema: Schema, view: View): Html | undefined {
  const { properties = {}, required = [] } = view.resolve(schema);
  const fields = Object.entries(properties);
  if (fields.length === 0) return undefined;
  const items = fields.map(([name, field]) => fieldItem(name, field, required.includes(name), view));
  return html`<ul class="fields">${items}</ul>`;
}

export function fieldItem(name: string, schema: Schema, isRequired: boolean, view: View): Html {
  const word = html` <span class="word">${view.word(isRequired)}</span>`;
  const description = schema.description ? html`<p>${prose(schema.description)}</p>` : undefined;
  const inside = fieldList(schema.items ?? schema, view);
  return html`<li><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${word}${description}${limitsOf(schema)}${inside}</li>`;
}

export function typeOf(schema: Schema): Html {
  const name = nameOf(schema);
  if (name) return html`<a href="#${name}">${name}</a>`;
  if (schema.anyOf) return joined(schema.anyOf.map(typeOf));
  const types = [schema.type ?? 'anything'].flat();
  return joined(types.map((type) => plainType(type, schema)));
}

function plainType(type: string, schema: Schema): Html {
  const { items, format, properties } = schema;
  if (isPage(schema)) return html`page of ${typeOf(properties?.results?.items ?? {})}`;
  if (type === 'array') return html`list of ${typeOf(items ?? {})}`;
  if (type === 'string' && format) return html`${formats[format] ?? format}`;
  if (type === 'object' && !properties) return html`any object`;
  return html`${type}`;
}

const formats: Record<string, string> = { uuid: 'uuid', 'date-time': 'timestamp', uri: 'URL' };

const joined = (types: Html[]): Html => {
  const [first = html``, ...others] = types;
  return html`${first}${others.map((type) => html` or ${type}`)}`;
};

/** Accepted values. The bounds of every JSON number are left out. */
function limitsOf(schema: Schema): Html | undefined {
  const words = schema.enum?.filter((word) => word !== null).map(String) ?? [];
  const choices = words.map((word, index) => html`${index > 0 ? ' ' : ''}<code>${word}</code>`);
  const bounds = [
    bound('at most', schema.maxLength, ' characters'),
    bound('at least', schema.minimum),
    bound('at most', schema.maximum),
    bound('at most', schema.maxItems, ' items'),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((text) => text !== undefined);
  if (choices.length === 0 && bounds.length === 0) return undefined;
  return html`<p class="limits">${choices.length > 0 ? html`${choices}` : undefined}${bounds.join(', ')}</p>`;
}

const bound = (word: string, value: number | undefined, unit = ''): string | undefined =>
  value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : `${word} ${value}${unit}`;
