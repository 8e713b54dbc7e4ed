import type { JSONValue } from '../../platform/database/database.ts';
import type { Facts } from './facts.ts';

type Named = { readonly [name: string]: JSONValue | undefined };

/**
 * The text of a placeholder, or null if it is unknown. `profile.email` is a field of the profile, `attrs.city` an
 * attribute, `chat.platform` a field of the chat. `name` and `phone` are the client's, from the profile or else the
 * chat. Any other name is a variable of the chat.
 */
export function namedFact(facts: Facts, name: string): string | null {
  const { chat, profile } = facts;
  switch (name) {
    case 'name':
      return profile.name ?? chat.name;
    case 'phone':
      return profile.phone_number ?? chat.phone;
  }
  const [, record, field = ''] = /^(profile|attrs|chat)\.(.+)$/s.exec(name) ?? [];
  switch (record) {
    case 'profile':
      return textIn({ ...profile, attrs: undefined }, field);
    case 'attrs':
      return textIn(profile.attrs, field);
    case 'chat':
      return textIn({ ...chat, variables: undefined }, field);
    default:
      return textIn(chat.variables, name);
  }
}

/** A value as a person would write it. Other values than text, numbers and booleans are written as JSON. */
export function textIn(values: Named, name: string): string | null {
  const value = Object.hasOwn(values, name) ? values[name] : null;
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
