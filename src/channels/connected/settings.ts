import type { TObject } from 'typebox';
import { Convert } from 'typebox/value';
import { reader } from '../../platform/http/validation.ts';
import { Invalid } from '../../platform/problem.ts';
import { randomToken } from '../../platform/secrets/secret.ts';

/** A channel's settings as they are stored, with the secret ones apart. */
export type StoredSettings = { open: Record<string, unknown>; secret: Record<string, unknown> };

/**
 * Reads settings against an adapter's schema, and converts texts to numbers and booleans. `given` changes the current
 * settings `known`. Throws `Invalid`, also for a name that the schema does not have, because that is a typing error.
 */
export function readSettings(
  schema: TObject,
  given: Record<string, unknown>,
  known: Record<string, unknown> = {},
): Record<string, unknown> {
  const names = givenNames(schema);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    const reason = `There is no such setting. There are: ${names.join(', ')}.`;
    throw new Invalid(Object.fromEntries(unknown.map((name) => [name, [reason]])));
  }
  const wanted = Object.entries({ ...known, ...given }).filter(([, value]) => value !== '' && value !== null);
  const made = madeNames(schema).map((name) => [name, randomToken()]);
  return reader(schema)(Convert(schema, { ...Object.fromEntries(made), ...Object.fromEntries(wanted) }));
}

/** The settings that a person may enter. */
export const givenNames = (schema: TObject): string[] =>
  Object.keys(schema.properties).filter((name) => keyword(schema, name, 'learnt') !== true);

/** The settings that are random by default. */
const madeNames = (schema: TObject): string[] =>
  Object.keys(schema.properties).filter((name) => keyword(schema, name, 'made') === true);

export function splitSettings(schema: TObject, settings: Record<string, unknown>): StoredSettings {
  const entries = Object.entries(settings);
  return {
    open: Object.fromEntries(entries.filter(([name]) => !isSecret(schema, name))),
    secret: Object.fromEntries(entries.filter(([name]) => isSecret(schema, name))),
  };
}

/** The addresses in the settings, which the service will call. */
export const addressesIn = (schema: TObject, settings: Record<string, unknown>): string[] =>
  Object.entries(settings).flatMap(([name, value]) =>
    typeof value === 'string' && isAddress(schema, name) ? [value] : [],
  );

export const isSecret = (schema: TObject, name: string): boolean => keyword(schema, name, 'secret') === true;

export const isAddress = (schema: TObject, name: string): boolean =>
  keyword(schema, name, 'format') === 'uri';

/** A setting that a person need not enter: it is made or learned. */
export const isOurs = (schema: TObject, name: string): boolean =>
  keyword(schema, name, 'made') === true || keyword(schema, name, 'learnt') === true;

/** The schema's keyword for one property. Undefined if it is absent. */
export const keyword = (schema: TObject, name: string, word: string): unknown =>
  Reflect.get(schema.properties[name] ?? {}, word);
