import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Document } from '../../src/openapi/types.ts';

/** What is wrong with a value at this place of the document, in a line for people; undefined when nothing is. */
export type Complain = (place: readonly string[], value: unknown) => string | undefined;

/**
 * Checks values by the schemas of a document, each compiled once, by rules that are not ours. `validateSchema` holds the
 * schemas themselves against theirs, which takes ten times as long.
 */
export function validatorsOf(document: Document, { validateSchema = false } = {}): Complain {
  const ajv = new Ajv2020({ strict: true, strictTypes: true, allowUnionTypes: true, validateSchema });
  addFormats.default(ajv);
  // These are words of OpenAPI, and none of a schema.
  ajv.addVocabulary([...Object.keys(document), 'securitySchemes', 'headers', 'responses', 'schemas']);
  ajv.addSchema(closed(document), 'document');
  const compiled = new Map<string, ValidateFunction>();
  return (place, value) => {
    const pointer = `document#/${place.map(escaped).join('/')}`;
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: pointer });
    compiled.set(pointer, check);
    return check(value) ? undefined : (check.errors ?? []).map(told).join('; ');
  };
}

const escaped = (word: string): string =>
  encodeURIComponent(word.replaceAll('~', '~0').replaceAll('/', '~1'));

const told = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`;

/** A client passes over what it does not know, but we say nothing that is not described. */
function closed(document: Document): object {
  const isObjectSchema = (value: unknown): value is object =>
    typeof value === 'object' &&
    value !== null &&
    'properties' in value &&
    'type' in value &&
    !('additionalProperties' in value);
  return JSON.parse(JSON.stringify(document), (_name, value) =>
    isObjectSchema(value) ? { ...value, additionalProperties: false } : value,
  );
}
