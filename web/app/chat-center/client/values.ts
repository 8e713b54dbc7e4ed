import type { Profile, ProfileUpdate } from '../../../../src/clients/profiles/schema.ts';

/** The editable values of a profile. An attribute that is not text, number or boolean is read-only. */
export type ClientValues = {
  name: string;
  phone_number: string;
  email: string;
  external_id: string;
  timezone: string;
  tags: string[];
  attrs: Record<string, string | boolean>;
};

const plain = ['name', 'phone_number', 'email', 'external_id', 'timezone'] as const;

export function valuesOf({ tags, attrs, ...profile }: Profile): ClientValues {
  const typed = Object.entries(attrs).flatMap(([name, value]): [string, string | boolean][] => {
    if (typeof value === 'boolean' || typeof value === 'string') return [[name, value]];
    return typeof value === 'number' ? [[name, String(value)]] : [];
  });
  return {
    name: profile.name ?? '',
    phone_number: profile.phone_number ?? '',
    email: profile.email ?? '',
    external_id: profile.external_id ?? '',
    timezone: profile.timezone ?? '',
    tags,
    attrs: Object.fromEntries(typed),
  };
}

/** Only the differences from `profile`, so that colleagues' changes are kept. Null clears. */
export function changesOf(profile: Profile, values: ClientValues): ProfileUpdate {
  const known = valuesOf(profile);
  const fields = plain
    .filter((name) => values[name].trim() !== known[name])
    .map((name) => [name, values[name].trim() || null]);
  const attrs = Object.entries(values.attrs)
    .filter(([name, value]) => value !== known.attrs[name])
    .map(([name, value]) => [name, likeBefore(profile.attrs[name], value)]);
  return {
    ...Object.fromEntries(fields),
    ...(values.tags.join('\n') !== known.tags.join('\n') && { tags: values.tags }),
    ...(attrs.length > 0 && { attrs: Object.fromEntries(attrs) }),
  };
}

/** A number stays a number while the input is numeric. An empty field clears the value. */
function likeBefore(before: unknown, value: string | boolean): string | number | boolean | null {
  if (typeof value === 'boolean') return value;
  if (value.trim() === '') return null;
  return typeof before === 'number' && Number.isFinite(Number(value)) ? Number(value) : value;
}
