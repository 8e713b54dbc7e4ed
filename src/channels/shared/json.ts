import { parseExactly } from '../../platform/exact-json.ts';

/** The JSON in these bytes; undefined where there is none. An integer that a number cannot hold becomes its digits. */
export function jsonIn(body: Buffer): unknown {
  try {
    return parseExactly(body.toString(), (digits) => digits);
  } catch {
    return undefined;
  }
}
