import type { Document, Operation, Parameter, Schema } from '../../src/openapi/types.ts';
import { comment, typeOf } from './types.ts';

const notice = '// Written by `npm run client` from the description of the API. Changes here are lost.\n\n';

type Placed = { method: string; path: string; operation: Operation };

/** The generated files of the client, by name. */
export function clientFiles(document: Document): Record<string, string> {
  const placed = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
  );
  return { 'operations.js': operationsFile(placed), 'api.d.ts': typesFile(document, placed) };
}

function operationsFile(placed: Placed[]): string {
  const lines = placed.map(
    ({ method, path, operation }) => `  ${operation.operationId}: ['${method}', '${path}'],\n`,
  );
  return `${notice}/** Method and path of each operation. @type {Record<string, readonly [string, string]>} */\nexport const operations = {\n${lines.join('')}};\n`;
}

function typesFile(document: Document, placed: Placed[]): string {
  const objects = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema)};\n`,
  );
  const methods = placed.map(({ operation }) => methodOf(operation));
  const pages = placed.flatMap(({ operation }) => {
    const items = answerOf(operation)?.properties?.results?.items;
    return items ? [`  ${operation.operationId}: ${typeOf(items, '  ')};\n`] : [];
  });
  const events = Object.values(document.webhooks).map(({ post }) =>
    typeOf(post.requestBody?.content['application/json']?.schema ?? {}, '  '),
  );
  return [
    `${notice}import type { CallOptions } from './index.js';\n`,
    ...objects,
    `/** A method for each operation. */\nexport interface Operations {\n${methods.join('')}}\n`,
    `/** The item type of each list. */\nexport interface Pages {\n${pages.join('')}}\n`,
    `/** All webhook events. */\nexport type WebhookEvent =\n  | ${events.join('\n  | ')};\n`,
  ].join('\n');
}

function methodOf(operation: Operation): string {
  const { operationId, summary, description } = operation;
  const answer = answerOf(operation);
  const told = [`${summary}.`, description].filter((text) => text !== undefined).join(' ');
  const parameters = [inputOf(operation), 'options?: CallOptions'].join(', ');
  return `${comment(told, '  ')}  ${operationId}(${parameters}): Promise<${answer ? typeOf(answer, '  ') : 'void'}>;\n`;
}

/** The input of a call. It is optional if no part of it is required. */
function inputOf({ parameters, requestBody }: Operation): string {
  const body = requestBody?.content['application/json']?.schema;
  const parts: Record<string, Schema> = {
    ...partOf('params', parameters, 'path'),
    ...partOf('query', parameters, 'query'),
    ...(body && { body }),
  };
  const required = Object.entries(parts)
    .filter(([name, part]) => (name === 'body' ? requestBody?.required : (part.required ?? []).length > 0))
    .map(([name]) => name);
  if (Object.keys(parts).length === 0) return 'input?: Record<string, never>';
  const type = typeOf({ type: 'object', properties: parts, required }, '  ');
  return `input${required.length > 0 ? '' : '?'}: ${type}`;
}

function partOf(name: string, parameters: Parameter[], place: Parameter['in']): Record<string, Schema> {
  const here = parameters.filter((parameter) => parameter.in === place);
  if (here.length === 0) return {};
  const properties = Object.fromEntries(
    here.map(({ name, description, schema }) => [name, { ...schema, description }]),
  );
  const required = here.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return { [name]: { type: 'object', properties, required } };
}

function answerOf({ responses }: Operation): Schema | undefined {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  if (!answer || '$ref' in answer) return undefined;
  return answer.content?.['application/json']?.schema;
}
