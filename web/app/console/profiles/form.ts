import type { Profile } from '../../../../src/clients/profiles/schema.ts';
import type { ClientUpdate } from '../../../../src/people/console/profiles/schema.ts';

type Attribute = Profile['attrs'][string];

/**
 * The values of the form. An empty text means no value. Attributes are a list, because their names can contain any
 * character.
 */
export type FormValues = {
  name: string;
  phone_number: string;
  email: string;
  external_id: string;
  timezone: string;
  pda_agreed: boolean;
  tags: string[];
  attrs: { name: string; value: string }[];
};

export const textFields = ['name', 'phone_number', 'email', 'external_id', 'timezone'] as const;

/** Values other than text are shown and edited as JSON. */
export const shown = (value: Attribute | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

export function valuesOf(profile: Profile, attributes: readonly string[]): FormValues {
  return {
    name: profile.name ?? '',
    phone_number: profile.phone_number ?? '',
    email: profile.email ?? '',
    external_id: profile.external_id ?? '',
    timezone: profile.timezone ?? '',
    pda_agreed: profile.pda_agreed !== null,
    tags: profile.tags,
    attrs: attributes.map((name) => ({ name, value: shown(profile.attrs[name]) })),
  };
}

/** The differences from the profile that the person saw, with their previous values. */
export function changeOf(base: Profile, values: FormValues, now: Date): ClientUpdate {
  const { attrs: _, ...before } = valuesOf(base, []);
  const change: ClientUpdate = { seen: {} };
  for (const field of textFields) {
    if (values[field].trim() === before[field]) continue;
    change[field] = values[field].trim() || null;
    change.seen[field] = base[field];
  }
  if (values.pda_agreed !== before.pda_agreed) {
    change.pda_agreed = values.pda_agreed ? now.toISOString() : null;
    change.seen.pda_agreed = base.pda_agreed;
  }
  if (JSON.stringify(values.tags) !== JSON.stringify(before.tags)) {
    change.tags = values.tags;
    change.seen.tags = base.tags;
  }
  const attrs = values.attrs.filter(({ name, value }) => value !== shown(base.attrs[name]));
  if (attrs.length > 0) {
    change.attrs = Object.fromEntries(
      attrs.map(({ name, value }) => [name, written(value, base.attrs[name])]),
    );
    change.seen.attrs = Object.fromEntries(attrs.map(({ name }) => [name, base.attrs[name] ?? null]));
  }
  return change;
}

/** A value keeps its type: values other than text are edited as JSON, while the input is valid JSON. */
function written(value: string, before: Attribute | undefined): Attribute {
  if (value === '') return null;
  if (before === undefined || before === null || typeof before === 'string') return value;
  try {
    const parsed: Attribute = JSON.parse(value);
    return parsed;
  } catch {
    return value;
  }
}

/**
 * Changed fields keep their input. The others take the current values, so that the next attempt does not revert
 * them.
 */
export function rebased(base: Profile, values: FormValues, now: Profile): FormValues {
  const attributes = values.attrs.map(({ name }) => name);
  const [before, current] = [valuesOf(base, attributes), valuesOf(now, attributes)];
  const isMine = (field: keyof FormValues) => JSON.stringify(values[field]) !== JSON.stringify(before[field]);
  const kept = Object.fromEntries(
    (['pda_agreed', 'tags', ...textFields] as const).filter(isMine).map((field) => [field, values[field]]),
  );
  const attrs = values.attrs.map((mine, index) =>
    mine.value === before.attrs[index]?.value ? (current.attrs[index] ?? mine) : mine,
  );
  return { ...current, ...kept, attrs };
}

/** The current values of the changed fields, as `[field, value]`. */
export function theirsOf({ seen }: ClientUpdate, now: Profile): [field: keyof FormValues, value: string][] {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const differing: [keyof FormValues, string][] = [];
  for (const field of textFields) {
    if (field in seen && !same(seen[field], now[field])) differing.push([field, now[field] ?? '']);
  }
  if ('pda_agreed' in seen && !same(seen.pda_agreed, now.pda_agreed)) {
    differing.push(['pda_agreed', now.pda_agreed ?? '']);
  }
  if (seen.tags && !same(seen.tags, now.tags)) differing.push(['tags', now.tags.join(', ')]);
  return differing;
}

/** The same for attributes. */
export const theirAttributes = ({ seen: { attrs = {} } }: ClientUpdate, now: Profile) =>
  Object.entries(attrs)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now.attrs[name] ?? null))
    .map(([name]): [string, string] => [name, shown(now.attrs[name])]);
