import published from '../../../../docs/scenario.schema.json';
import { type Node, type Place, propertiesOf, textOf } from './json-tree.ts';

/** The JSON Schema keywords that the published schema uses. */
export type Schema = {
  type?: string;
  description?: string;
  properties?: Readonly<Record<string, Schema | undefined>>;
  required?: readonly string[];
  enum?: readonly string[];
  const?: string;
  anyOf?: readonly Schema[];
  items?: Schema;
};

const root: Schema = published;

/** The schema of each step type. */
const stepSchemas: readonly Schema[] = root.properties?.steps?.items?.anyOf ?? [];

const typeOf = (schema: Schema): string => schema.properties?.type?.const ?? '';

export const stepTypes = stepSchemas.map((schema) => ({
  name: typeOf(schema),
  description: schema.description ?? '',
  required: schema.required ?? [],
}));

/** The schema of a step without a type. */
const anyStep: Schema = {
  type: 'object',
  required: ['id', 'type'],
  properties: {
    id: { type: 'string' },
    type: { type: 'string', enum: stepTypes.map(({ name }) => name) },
  },
};

/** The published schema of the object or list at a place. */
export function schemaOf(source: string, { path, nodes }: Place): Schema | null {
  let schema: Schema | undefined = root;
  for (const [depth, part] of path.entries()) {
    if (!schema) return null;
    schema = schema.items ?? schema.properties?.[part];
    const node = nodes[depth + 1];
    if (schema?.anyOf && node) schema = stepSchema(source, node);
  }
  return schema ?? null;
}

function stepSchema(source: string, step: Node): Schema {
  const type = propertiesOf(source, step).find(({ name }) => name === 'type')?.value;
  const said = type ? textOf(source, type) : '';
  return stepSchemas.find((schema) => typeOf(schema) === said) ?? anyStep;
}
