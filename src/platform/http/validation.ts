import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Invalid } from '../problem.ts';
import { withoutNulls } from './absent.ts';
import { explain } from './explain.ts';
import './formats.ts';
import { assertStorable } from './storable.ts';

/** Gives outside input its type, or throws `Invalid` with every wrong field. */
export type Reader<T> = (input: unknown) => T;

/**
 * Compiles the schema once. A valid input costs one walk for unstorable values, and one compiled check. Only an
 * invalid one is walked again, for meaningless nulls and for its faults.
 */
export function reader<S extends TSchema>(schema: S): Reader<Static<S>> {
  const validator = Compile(schema);
  return (input) => {
    assertStorable(schema, input);
    if (validator.Check(input)) return input;
    const meant = withoutNulls(schema, input);
    if (validator.Check(meant)) return meant;
    throw new Invalid(explain(schema, meant) ?? { non_field_errors: ['Invalid data.'] });
  };
}
