import { parse } from 'node:querystring';

/**
 * The fields of `application/x-www-form-urlencoded`. The last of several equal fields counts. `URLSearchParams` would take
 * seconds for a megabyte of names without values.
 */
export const parseForm = (text: string): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(parse(text, '&', '=', { maxKeys: 0 })).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.at(-1) : value,
    ]),
  );
