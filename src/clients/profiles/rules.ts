import { isTooLarge, mostKept } from '../../platform/http/fields.ts';
import { momentOf } from '../../platform/moment.ts';
import { normalizePhoneIn } from '../../platform/phone.ts';
import { type FieldMessages, Invalid, messages } from '../../platform/problem.ts';
import { timeZoneOf } from '../../platform/time-zone.ts';
import type { ProfileChange } from './change-store.ts';
import type { ProfileRow } from './present.ts';
import type { ProfileUpdate } from './schema.ts';

/** Columns of `profiles`. Absent ones stay unchanged. */
export type ProfileFields = {
  external_id?: string | null;
  /** E.164. */
  phone_number?: string | null;
  email?: string | null;
  name?: string | null;
  timezone?: string | null;
  /** ISO 8601 with milliseconds. */
  pda_agreed?: string | null;
};

/** Whether a profile gets a name that only one profile of a project may have. */
export const isNaming = ({ phone_number, external_id }: ProfileFields): boolean =>
  typeof phone_number === 'string' || typeof external_id === 'string';

type Parsed = { value: string } | { problem: string };

/**
 * The plain fields of an update in their stored form. Throws `Invalid` with every wrong field.
 * @param country The country whose national phone numbers are accepted; null for none.
 */
export function fieldsOf(
  { external_id, name, pda_agreed, attrs, ...checked }: ProfileUpdate,
  country: string | null = null,
): ProfileFields {
  const problems: FieldMessages = {};
  if (isTooLarge(attrs)) problems.attrs = [messages.maxLength(mostKept)];
  const parse = (field: keyof typeof parsers): string | null | undefined => {
    const given = checked[field];
    if (given === undefined || given === null) return given;
    const parsed = parsers[field](given, country);
    if ('value' in parsed) return parsed.value;
    problems[field] = [parsed.problem];
    return undefined;
  };
  const fields = {
    external_id,
    name,
    pda_agreed: pda_agreed && momentOf(pda_agreed).toISOString(),
    phone_number: parse('phone_number'),
    email: parse('email'),
    timezone: parse('timezone'),
  };
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
  return fields;
}

const parsers = {
  phone_number: (text: string, country: string | null): Parsed => {
    const value = normalizePhoneIn(country, text);
    return value ? { value } : { problem: messages.phone };
  },
  email: (text: string): Parsed =>
    isEmail(text) ? { value: text } : { problem: 'Enter a valid email address.' },
  timezone: (text: string): Parsed => {
    const value = timeZoneOf(text);
    return value ? { value } : { problem: messages.choice(text.slice(0, 100)) };
  },
};

/**
 * Text before one `@`, and a domain of several parts. No character may form a list of addresses or be invisible. Only a
 * sent mail can show whether the address works.
 */
const isEmail = (text: string): boolean => /^[^@]+@[^@.]+(\.[^@.]+)+$/.test(text) && !strange.test(text);
const strange = /[\s<>()[\]\\,;:"\p{C}]/u;

type Facts = Omit<ProfileRow, 'chats'>;

/**
 * Whether two profiles that came to share a phone number are still two people. They are if the source has its own
 * number, or if both have external ids.
 */
export const areTwoPeople = (source: Facts, target: Facts): boolean =>
  source.phone_number !== null || (source.external_id !== null && target.external_id !== null);

/** The values that the target of a merge gets from the source: those that it lacks. */
export function joined(source: Facts, target: Facts): ProfileChange {
  const lacking = <Value>(name: keyof Facts, value: Value) =>
    target[name] === null && value !== null ? value : undefined;
  return {
    fields: {
      external_id: lacking('external_id', source.external_id),
      email: lacking('email', source.email),
      name: lacking('name', source.name),
      timezone: lacking('timezone', source.timezone),
      pda_agreed: lacking('pda_agreed', source.pda_agreed?.toISOString() ?? null),
    },
    tags: { add: source.tags },
    attrs: Object.fromEntries(Object.entries(source.attrs).filter(([name]) => !(name in target.attrs))),
  };
}
