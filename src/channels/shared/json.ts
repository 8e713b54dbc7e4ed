import { isInteger, parseExactly } from '../../platform/exact-json.ts';

/** The JSON in these bytes. Undefined for invalid JSON. An integer beyond a number's precision becomes its digits. */
export function jsonIn(body: Buffer): unknown {
  try {
    return parseExactly(body.toString(), (source) => (isInteger(source) ? source : Number(source)));
  } catch {
    return undefined;
  }
}

/** The values as texts: those that are none, in JSON. */
export const textsOf = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
