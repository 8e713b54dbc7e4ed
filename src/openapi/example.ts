import { isNullable } from './schemas.ts';
import type { Schema } from './types.ts';

/** A readable value that fits the schema: the schema's own example, or a value derived from its keywords. */
export function exampleOf(schema: Schema, components: Record<string, Schema>): unknown {
  const of = (inner: Schema): unknown => exampleOf(inner, components);
  if (schema.$ref) return of(components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {});
  if (schema.examples) return schema.examples[0];
  if (isNullable(schema) && !schema.properties && schema.format !== 'uuid') return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return of(schema.anyOf[0] ?? {});
  switch ([schema.type].flat().find((type) => type !== 'null')) {
    case 'object':
      return Object.fromEntries(shown(schema).map(([name, inner]): [string, unknown] => [name, of(inner)]));
    case 'array':
      return schema.items ? [of(schema.items)] : [];
    case 'string':
      return texts[schema.format ?? ''] ?? 'text';
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return {};
  }
}

const texts: Record<string, string> = {
  uuid: '0190a1b2-0000-7000-8000-000000000001',
  'date-time': '2026-11-20T04:00:00.000Z',
  uri: 'https://example.com/',
  phone: '+12025550123',
};

/** Required fields, and fields with their own example. */
const shown = ({ properties = {}, required = [] }: Schema): [string, Schema][] =>
  Object.entries(properties).filter(([name, inner]) => required.includes(name) || inner.examples);
