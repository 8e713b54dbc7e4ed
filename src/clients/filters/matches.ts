import type { JSONValue } from '../../platform/database/database.ts';
import type { Facts } from './facts.ts';
import {
  type Condition,
  type Filter,
  isPlainNumber,
  type OrderLookup,
  type Subject,
  type Test,
} from './filter.ts';
import { spend, type Work } from './work.ts';

/** Whether the filter matches a recipient. `src/mailings/filter-store.ts` does the same in SQL. */
export function matches(filter: Filter, facts: Facts, work: Work): boolean {
  spend(work, 1);
  if ('all' in filter) return filter.all.every((part) => matches(part, facts, work));
  if ('any' in filter) return filter.any.some((part) => matches(part, facts, work));
  return holds(filter, facts, work);
}

function holds({ subject, test }: Condition, facts: Facts, work: Work): boolean {
  if (test.lookup === 'isnull') return isUnknown(subject, facts) === test.value;
  return textsOf(subject, facts).some((text) => meets(text, test, subject.kind !== 'moment', work));
}

function isUnknown(subject: Subject, facts: Facts): boolean {
  return subject.kind === 'value'
    ? (namedValue(subject, facts) ?? null) === null
    : textsOf(subject, facts).length === 0;
}

/** The recipient's texts for the subject. Unknown ones are absent. Lists and objects have no text. */
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

type TextTest = Exclude<Test, { lookup: 'isnull' }>;

function meets(text: string, test: TextTest, numbers: boolean, work: Work): boolean {
  spend(work, costOf(text, test));
  switch (test.lookup) {
    case 'iexact':
      return lower(text, work) === lower(test.value, work);
    case 'in':
      return test.values.includes(text);
    case 'contains':
      return text.includes(test.value);
    case 'icontains':
      return lower(text, work).includes(lower(test.value, work));
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

/** Searching one text in another may cost the product of their lengths. */
function costOf(text: string, test: TextTest): number {
  switch (test.lookup) {
    case 'contains':
    case 'icontains':
      return text.length * Math.max(1, test.value.length);
    case 'in':
      return text.length * Math.max(1, test.values.length);
    default:
      return text.length;
  }
}

/**
 * A text that begins with the whole value and continues sorts after it, whatever follows. The rest need not be
 * compared.
 */
function inOrder(text: string, lookup: OrderLookup, value: string, numbers: boolean): boolean {
  const order =
    numbers && isPlainNumber(text) && isPlainNumber(value)
      ? Number(text) - Number(value)
      : Buffer.compare(Buffer.from(text.slice(0, value.length + 1)), Buffer.from(value));
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

function lower(text: string, { folded }: Work): string {
  const known = folded.get(text);
  if (known !== undefined) return known;
  const small = inSmallLetters(text);
  folded.set(text, small);
  return small;
}

/** Folds each character alone, as PostgreSQL does: a word's final sigma stays, and no character becomes two. */
const inSmallLetters = (text: string): string => text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase();
