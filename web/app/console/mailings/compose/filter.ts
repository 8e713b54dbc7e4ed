import type { JsonValue } from '../../../../../src/platform/http/fields.ts';
import { newId } from './id.ts';

type Json = { [name: string]: JsonValue };

/** A filter in the builder. `id` identifies the parts while they move. */
export type Group = { id: number; join: 'all' | 'any'; items: (Group | Condition)[] };

export type Condition = {
  id: number;
  /** The type and key of the API: `profile_tag:tag`. */
  field: string;
  lookup: Lookup;
  /** One text per value of a list. */
  values: string[];
};

export const lookups = [
  'exact',
  'in',
  'iexact',
  'icontains',
  'startswith',
  'endswith',
  'gt',
  'gte',
  'lt',
  'lte',
  'filled',
  'empty',
] as const;

export type Lookup = (typeof lookups)[number];

export type FieldKind = 'tag' | 'platform' | 'moment' | 'text';

const moments = [
  'attribute:created_at',
  'attribute:pda_agreed',
  'profile_attribute:created_at',
  'profile_attribute:pda_agreed',
];

export function kindOf(field: string): FieldKind {
  if (field === 'profile_tag:tag') return 'tag';
  if (field === 'attribute:platform') return 'platform';
  return moments.includes(field) ? 'moment' : 'text';
}

/** The comparisons for a field of this kind. */
export const lookupsOf: Record<FieldKind, readonly Lookup[]> = {
  tag: ['exact', 'in', 'icontains', 'filled', 'empty'],
  platform: ['exact', 'in'],
  moment: ['gte', 'lt', 'filled', 'empty'],
  text: [
    'exact',
    'iexact',
    'in',
    'icontains',
    'startswith',
    'endswith',
    'gt',
    'gte',
    'lt',
    'lte',
    'filled',
    'empty',
  ],
};

export const newGroup = (join: Group['join'] = 'all', items: Group['items'] = []): Group => ({
  id: newId(),
  join,
  items,
});

export const newCondition = (field = 'profile_tag:tag'): Condition => ({
  id: newId(),
  field,
  lookup: lookupsOf[kindOf(field)][0] ?? 'exact',
  values: [],
});

export const isGroup = (item: Group | Condition): item is Group => 'join' in item;

/** The filter in the format of the API. Incomplete conditions are left out. */
export function toJson({ join, items }: Group): Json {
  const asking = items.filter((item) => !isUnfinished(item));
  return { [join]: asking.map((item) => (isGroup(item) ? toJson(item) : conditionJson(item))) };
}

const isUnfinished = (item: Group | Condition): boolean =>
  isGroup(item) ? item.items.length > 0 && item.items.every(isUnfinished) : !isComplete(item);

/** Whether any condition has no value. Without that condition the filter would match more people than intended. */
export const hasGaps = ({ items }: Group): boolean =>
  items.some((item) => (isGroup(item) ? hasGaps(item) : !isComplete(item)));

const needsNone = (lookup: Lookup): boolean => lookup === 'filled' || lookup === 'empty';

const isComplete = ({ lookup, values }: Condition): boolean =>
  needsNone(lookup) || values.some((value) => value !== '');

function conditionJson({ field, lookup, values }: Condition): Json {
  const [type = '', ...rest] = field.split(':');
  const key = rest.join(':');
  const [value = ''] = values;
  switch (lookup) {
    case 'filled':
    case 'empty':
      return { type, [`${key}__isnull`]: lookup === 'empty' };
    case 'in':
      return { type, [`${key}__in`]: values.filter((one) => one !== '').map((one) => apiValue(field, one)) };
    case 'exact':
      return { type, [key.includes('__') ? `${key}__exact` : key]: apiValue(field, value) };
    default:
      return { type, [`${key}__${lookup}`]: apiValue(field, value) };
  }
}

/** The start of a day in the reader's time zone. */
const apiValue = (field: string, value: string): string =>
  kindOf(field) === 'moment' && value !== '' ? new Date(`${value}T00:00`).toISOString() : value;

/** The builder's form of a JSON filter, or null if the builder cannot show it. */
export function fromJson(json: unknown): Group | null {
  if (!isRecord(json)) return null;
  const [[join, items] = [], ...others] = Object.entries(json);
  if (others.length > 0 || (join !== 'all' && join !== 'any') || !Array.isArray(items)) return null;
  const read = items.map((item: unknown) => fromJson(item) ?? conditionFrom(item));
  return read.some((item) => item === null)
    ? null
    : newGroup(
        join,
        read.filter((item) => item !== null),
      );
}

function conditionFrom(json: unknown): Condition | null {
  if (!isRecord(json)) return null;
  const { type, ...rest } = json;
  const [[name, value] = [], ...others] = Object.entries(rest);
  if (typeof type !== 'string' || name === undefined || others.length > 0) return null;
  const at = name.lastIndexOf('__');
  const key = at < 0 ? name : name.slice(0, at);
  const lookup = lookupFrom(at < 0 ? 'exact' : name.slice(at + 2), value);
  const values = (Array.isArray(value) ? value : [value]).map((one) => textFrom(`${type}:${key}`, one));
  return (
    lookup && {
      id: newId(),
      field: `${type}:${key === 'name' && type === 'profile_tag' ? 'tag' : key}`,
      lookup,
      values,
    }
  );
}

function lookupFrom(word: string, value: unknown): Lookup | null {
  if (word === 'isnull') return value === true ? 'empty' : 'filled';
  return lookups.find((lookup) => lookup === word && !needsNone(lookup)) ?? null;
}

function textFrom(field: string, value: unknown): string {
  if (kindOf(field) !== 'moment' || typeof value !== 'string') return String(value);
  const at = new Date(value);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 10);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
