import type { JSONValue } from '../storage/database.ts';
import type { Facts } from './facts.ts';
import {
  type Condition,
  type Filter,
  isPlainNumber,
  type OrderLookup,
  type Subject,
  type Test,
} from './filter.ts';

/** Whether a recipient is one that the filter means. `src/mailings/filter-store.ts` says the same in SQL. */
export function matches(filter: Filter, facts: Facts): boolean {
  if ('all' in filter) return filter.all.every((part) => matches(part, facts));
  if ('any' in filter) return filter.any.some((part) => matches(part, facts));
  return holds(filter, facts);
}

function holds({ subject, test }: Condition, facts: Facts): boolean {
  if (test.lookup === 'isnull') return isUnknown(subject, facts) === test.value;
  return textsOf(subject, facts).some((text) => meets(text, test, subject.kind !== 'moment'));
}

function isUnknown(subject: Subject, facts: Facts): boolean {
  return subject.kind === 'value'
    ? (namedValue(subject, facts) ?? null) === null
    : textsOf(subject, facts).length === 0;
}

/** What the subject is for this recipient: nothing where it is unknown. Lists and objects have no text. */
function textsOf(subject: Subject, facts: Facts): readonly string[] {
  switch (subject.kind) {
    case 'tags':
      return facts.profile.tags;
    case 'value': {
      const value = namedValue(subject, facts) ?? null;
      return value === null || typeof value === 'object' ? [] : [String(value)];
    }
    default: {
      const text = fieldOf(subject, facts);
      return text === null ? [] : [text];
    }
  }
}

function fieldOf(subject: Exclude<Subject, { kind: 'tags' | 'value' }>, facts: Facts): string | null {
  return subject.record === 'chat' ? facts.chat[subject.field] : facts.profile[subject.field];
}

function namedValue(
  { record, name }: Extract<Subject, { kind: 'value' }>,
  { chat, profile }: Facts,
): JSONValue | undefined {
  const values = record === 'variables' ? chat.variables : profile.attrs;
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function meets(text: string, test: Exclude<Test, { lookup: 'isnull' }>, numbers: boolean): boolean {
  switch (test.lookup) {
    case 'iexact':
      return lower(text) === lower(test.value);
    case 'in':
      return test.values.includes(text);
    case 'contains':
      return text.includes(test.value);
    case 'icontains':
      return lower(text).includes(lower(test.value));
    case 'startswith':
      return text.startsWith(test.value);
    case 'endswith':
      return text.endsWith(test.value);
    case 'range':
      return inOrder(text, 'gte', test.from, numbers) && inOrder(text, 'lte', test.to, numbers);
    default:
      return inOrder(text, test.lookup, test.value, numbers);
  }
}

function inOrder(text: string, lookup: OrderLookup, value: string, numbers: boolean): boolean {
  const order =
    numbers && isPlainNumber(text) && isPlainNumber(value)
      ? Number(text) - Number(value)
      : Buffer.compare(Buffer.from(text), Buffer.from(value));
  switch (lookup) {
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}

/** Each character by itself, as PostgreSQL does: neither is the last sigma of a word another, nor does one become two. */
const lower = (text: string): string =>
  Array.from(text, (character) => String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0)).join('');
