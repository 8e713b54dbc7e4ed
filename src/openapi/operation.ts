import { isPage } from '../platform/http/pages.ts';
import type { KnownRoute } from '../platform/http/router.ts';
import { exampleOf } from './example.ts';
import { responsesOf } from './responses.ts';
import type { SchemaWriter } from './schemas.ts';
import type { Operation, Parameter, Schema } from './types.ts';

/** A route as an operation of the document. */
export function operationOf(writer: SchemaWriter, route: KnownRoute, name: string, tag: string): Operation {
  const { spec, credentials } = route;
  return {
    operationId: name,
    summary: spec.summary ?? name,
    ...(spec.description !== undefined && { description: spec.description }),
    tags: [tag],
    security: securityOf(credentials),
    parameters: parametersOf(writer, route),
    ...(spec.body && { requestBody: requestBody(writer, spec.body, spec.form) }),
    responses: responsesOf(writer, route),
  };
}

const securityOf = (credentials: KnownRoute['credentials']): Record<string, never[]>[] => {
  switch (credentials) {
    case 'oauth':
      return [{ token: [] }];
    case 'key or oauth':
      return [{ token: [] }, { botKey: [] }];
    case undefined:
      return [];
  }
};

function requestBody(writer: SchemaWriter, body: Schema, form: boolean): Operation['requestBody'] {
  const schema = writer.write(body);
  const content = { schema, example: exampleOf(schema, writer.components) };
  return {
    required: (body.required ?? []).length > 0,
    content: {
      'application/json': content,
      ...(form && { 'application/x-www-form-urlencoded': content }),
    },
  };
}

function parametersOf(writer: SchemaWriter, { spec }: KnownRoute): Parameter[] {
  const shapes: Schema[] = spec.response ? [spec.response, ...(partsOf(spec.response) ?? [])] : [];
  return [
    ...inPlace(writer, 'path', spec.params),
    ...inPlace(writer, 'query', spec.query),
    ...(shapes.some(isPage) ? pageParameters : []),
    ...(spec.once ? [idempotencyKey] : []),
  ];
}

const partsOf = ({ anyOf }: Schema): readonly Schema[] | undefined => anyOf;

function inPlace(writer: SchemaWriter, place: 'path' | 'query', schema: Schema = {}): Parameter[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...words } = writer.write(property);
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: words,
    };
  });
}

const pageParameters: Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'Items per page. An invalid value is ignored.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 100 },
  },
  {
    name: 'offset',
    in: 'query',
    required: false,
    description: 'Number of items before the page. An invalid value is ignored.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
];

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeated key with the same body returns the first response for 24 hours and creates nothing new.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
