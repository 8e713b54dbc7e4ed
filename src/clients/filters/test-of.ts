import { platforms } from '../../channels/contract/platforms.ts';
import { isLongerThan } from '../../platform/characters.ts';
import { formatMessage, hasFormat } from '../../platform/http/formats.ts';
import { whyUnstorable } from '../../platform/http/storable.ts';
import { momentOf } from '../../platform/moment.ts';
import { normalizePhone } from '../../platform/phone.ts';
import { messages } from '../../platform/problem.ts';
import type { Subject, Test } from './filter.ts';

const maxText = 1024;
const maxListed = 10_000;

/** A sentence about a condition's value. */
export class BadValue extends Error {}

export const lookups = [
  'exact',
  'iexact',
  'in',
  'contains',
  'icontains',
  'startswith',
  'endswith',
  'gt',
  'gte',
  'lt',
  'lte',
  'range',
  'isnull',
] as const;

export type Lookup = (typeof lookups)[number];

export const isLookup = (text: string): text is Lookup => lookups.some((lookup) => lookup === text);

/** Reads the value of a condition in the form that its lookup and subject require. Throws `BadValue`. */
export function testOf(subject: Subject, lookup: Lookup, value: unknown): Test {
  switch (lookup) {
    case 'isnull':
      return { lookup, value: booleanOf(value) };
    case 'in':
      return { lookup, values: listed(value, maxListed).map((item) => wholeValue(subject, item)) };
    case 'range': {
      const [from, to, ...others] = listed(value, 2);
      if (to === undefined || others.length > 0) throw new BadValue('A range is a list of two values.');
      return { lookup, from: orderValue(subject, from), to: orderValue(subject, to) };
    }
    case 'exact':
      return { lookup: 'in', values: [wholeValue(subject, value)] };
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return { lookup, value: orderValue(subject, value) };
    default:
      return { lookup, value: textOf(value) };
  }
}

/** A word is accepted too, as other systems write it. */
function booleanOf(value: unknown): boolean {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  throw new BadValue('Must be a valid boolean.');
}

function listed(value: unknown, max: number): unknown[] {
  if (!Array.isArray(value)) throw new BadValue('Expected a list of items.');
  if (value.length > max) throw new BadValue(`Ensure this field has no more than ${max} elements.`);
  return value;
}

/** A value for comparison with a whole field. A value that the field can never have is refused as a mistake. */
function wholeValue(subject: Subject, value: unknown): string {
  const text = orderValue(subject, value);
  if (subject.kind !== 'text') return text;
  switch (subject.field) {
    case 'platform':
      if (!platforms.some((platform) => platform === text)) throw new BadValue(messages.choice(cut(text)));
      return text;
    case 'uuid':
      if (!hasFormat('uuid', text)) throw new BadValue(messages.uuid);
      return text.toLowerCase();
    case 'phone':
    case 'phone_number':
      return phoneOf(text);
    default:
      return text;
  }
}

function phoneOf(text: string): string {
  const phone = normalizePhone(text);
  if (phone === null) throw new BadValue(messages.phone);
  return phone;
}

function orderValue(subject: Subject, value: unknown): string {
  const text = textOf(value);
  if (subject.kind !== 'moment') return text;
  if (!hasFormat('date-time', text)) throw new BadValue(formatMessage('date-time'));
  return momentOf(text).toISOString();
}

/** Numbers and booleans are compared by their text, like those of attributes. */
function textOf(value: unknown): string {
  if (value === null) throw new BadValue(`${messages.null} Ask with "__isnull".`);
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  const why = whyUnstorable(value);
  if (why !== undefined) throw new BadValue(why);
  if (typeof value !== 'string') throw new BadValue('Not a valid string.');
  if (isLongerThan(value, maxText)) throw new BadValue(messages.maxLength(maxText));
  return value;
}

const cut = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
