import type { Schema } from './types.ts';

/**
 * Writes the schemas of actions as those of the document. A schema with a title becomes a component of that name,
 * written once and referred to. Throws when two different schemas have the same title.
 */
export function schemaWriter() {
  const components: Record<string, Schema> = {};

  function write(schema: Schema): Schema {
    return schema.title === undefined ? writeHere(schema) : refer(schema.title, schema);
  }

  /** A component itself is never null. A reference to it may be. */
  function refer(title: string, schema: Schema): Schema {
    const component = writeHere({ ...schema, type: typesOf(schema).filter((type) => type !== 'null') });
    const known = components[title];
    if (known && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`two schemas are called ${title}`);
    }
    components[title] = component;
    const reference = { $ref: `#/components/schemas/${title}` };
    return isNullable(schema) ? { anyOf: [reference, { type: 'null' }] } : reference;
  }

  function writeHere(schema: Schema): Schema {
    const { type, format, properties, patternProperties, additionalProperties, items, anyOf, ...rest } =
      schema;
    return {
      ...rest,
      ...(type && { type }),
      // `phone` is Patchbay's own format, and strict tools refuse unknown formats.
      ...(format && format !== 'phone' && { format }),
      ...(Array.isArray(type) && { type: type.length === 1 ? type[0] : type }),
      ...(properties && { properties: writeAll(properties) }),
      ...(patternProperties && { patternProperties: writeAll(patternProperties) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: write(additionalProperties) }),
      ...(items && { items: write(items) }),
      ...(anyOf && { anyOf: anyOf.map(write) }),
    };
  }

  const writeAll = (schemas: Record<string, Schema>): Record<string, Schema> =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, write(schema)]));

  return { write, components };
}

export type SchemaWriter = ReturnType<typeof schemaWriter>;

const typesOf = ({ type = [] }: Schema): readonly string[] => (typeof type === 'string' ? [type] : type);

export const isNullable = (schema: Schema): boolean => typesOf(schema).includes('null');
