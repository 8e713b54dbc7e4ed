/**
 * A filter as it is evaluated: what `parse.ts` makes of the form that the API takes. `all` of nothing is everybody,
 * `any` of nothing is nobody. Source: docs/contract.md, section 5.
 */
export type Filter = { all: readonly Filter[] } | { any: readonly Filter[] } | Condition;

export type Condition = { subject: Subject; test: Test };

/** What a condition looks at. It is one text, or for tags any number of them; a moment is ISO 8601 in UTC. */
export type Subject =
  | { kind: 'text'; record: 'chat'; field: 'platform' | 'uuid' | 'name' | 'username' | 'phone' }
  | {
      kind: 'text';
      record: 'profile';
      field: 'timezone' | 'phone_number' | 'external_id' | 'email' | 'name';
    }
  | { kind: 'moment'; record: 'chat'; field: 'created_at' }
  | { kind: 'moment'; record: 'profile'; field: 'created_at' | 'pda_agreed' }
  | { kind: 'value'; record: 'variables' | 'attrs'; name: string }
  | { kind: 'tags' };

/** `exact` is an `in` of one. */
export type Test =
  | { lookup: 'isnull'; value: boolean }
  | { lookup: 'in'; values: readonly string[] }
  | { lookup: 'range'; from: string; to: string }
  | { lookup: TextLookup | OrderLookup; value: string };

export type TextLookup = 'iexact' | 'contains' | 'icontains' | 'startswith' | 'endswith';

export type OrderLookup = 'gt' | 'gte' | 'lt' | 'lte';

/**
 * What is compared as a number: a plain decimal one, short enough for every number type. `gt` and the like compare as
 * numbers where both sides are written so, and by code points otherwise.
 */
export const plainNumber = '^-?[0-9]{1,30}(\\.[0-9]{1,30})?$';

const plainNumberPattern = new RegExp(plainNumber);

export const isPlainNumber = (text: string): boolean => plainNumberPattern.test(text);
