import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Invalid } from '../lib/problem.ts';
import { explain } from './explain.ts';
import './formats.ts';

/** Takes what came from outside and gives it its type, or throws `Invalid` with every wrong field. */
export type Reader<T> = (input: unknown) => T;

/** Compiles the schema once. A right input costs one compiled check; only a wrong one is walked for its explanation. */
export function reader<S extends TSchema>(schema: S): Reader<Static<S>> {
  const validator = Compile(schema);
  return (input) => {
    if (validator.Check(input)) return input;
    throw new Invalid(explain(schema, input) ?? { non_field_errors: ['Invalid data.'] });
  };
}
