import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Invalid } from '../problem.ts';
import { withoutNulls } from './absent.ts';
import { explain } from './explain.ts';
import './formats.ts';
import { onlyNamed } from './named.ts';
import { assertStorable } from './storable.ts';

/** Gives outside input its type, or throws `Invalid` with every wrong field. */
export type Reader<T> = (input: unknown) => T;

/**
 * Compiles the schema once. A valid input costs one walk for unstorable values, and one compiled check. Only an
 * invalid one is walked again, for meaningless nulls and for its faults.
 */
export const reader = <S extends TSchema>(schema: S): Reader<Static<S>> => readerOf(schema, (input) => input);

/** The same for callers of the API: fields that the schema does not name never reach an action. */
export const callerReader = <S extends TSchema>(schema: S): Reader<Static<S>> =>
  readerOf(schema, (input) => onlyNamed(schema, input));

function readerOf<S extends TSchema>(schema: S, pick: (input: unknown) => unknown): Reader<Static<S>> {
  const validator = Compile(schema);
  return (input) => {
    const picked = pick(input);
    assertStorable(schema, picked);
    if (validator.Check(picked)) return picked;
    const meant = withoutNulls(schema, picked);
    if (validator.Check(meant)) return meant;
    throw new Invalid(explain(schema, meant) ?? { non_field_errors: ['Invalid data.'] });
  };
}
