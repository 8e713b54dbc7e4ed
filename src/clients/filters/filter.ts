/**
 * A filter in the form for evaluation, which `parse.ts` makes of the API's form. An empty `all` matches every
 * recipient, an empty `any` matches none. Source: docs/contract.md, section 5.
 */
export type Filter = { all: readonly Filter[] } | { any: readonly Filter[] } | Condition;

export type Condition = { subject: Subject; test: Test };

/** The facts that a condition checks: one text, or any number of them for tags. A moment is ISO 8601 in UTC. */
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

/** `exact` becomes an `in` with one value. */
export type Test =
  | { lookup: 'isnull'; value: boolean }
  | { lookup: 'in'; values: readonly string[] }
  | { lookup: 'range'; from: string; to: string }
  | { lookup: TextLookup | OrderLookup; value: string };

export type TextLookup = 'iexact' | 'contains' | 'icontains' | 'startswith' | 'endswith';

export type OrderLookup = 'gt' | 'gte' | 'lt' | 'lte';

/**
 * A number for comparisons: plain decimal, short enough for every number type. `gt` and its kin compare numerically
 * if both sides are such numbers, and by code points otherwise.
 */
export const plainNumber = '^-?[0-9]{1,30}(\\.[0-9]{1,30})?$';

const plainNumberPattern = new RegExp(plainNumber);

export const isPlainNumber = (text: string): boolean => plainNumberPattern.test(text);
