import type { Schema } from '../../src/openapi/types.ts';

/** A schema as a TypeScript type. `indent` is the prefix of its lines. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((word) => JSON.stringify(word)));
  if (schema.anyOf) return union(schema.anyOf.map((shape) => typeOf(shape, indent)));
  if (schema.type === undefined) return 'unknown';
  return union([schema.type].flat().map((type) => plainType(type, schema, indent)));
}

const union = (types: string[]): string => [...new Set(types)].join(' | ');

function plainType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'object':
      return objectType(schema, indent);
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent);
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
    }
    case 'integer':
      return 'number';
    default:
      return type;
  }
}

function objectType(schema: Schema, indent: string): string {
  const { properties, required = [], additionalProperties, patternProperties = {} } = schema;
  if (!properties) {
    const [pattern] = Object.values(patternProperties);
    const inside = typeof additionalProperties === 'object' ? additionalProperties : pattern;
    return `{ [name: string]: ${inside ? typeOf(inside, indent) : 'unknown'} }`;
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(field.description, `${indent}  `)}${indent}  ${keyOf(name)}${mark}: ${typeOf(field, `${indent}  `)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

export const keyOf = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

export const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;
