import type { ProfileKey } from '../../clients/profiles/store.ts';
import { normalizePhone } from '../../platform/phone.ts';
import { Invalid } from '../../platform/problem.ts';
import type { IframeLinkCreate } from './schema.ts';

const minuteMs = 60_000;

/** How long a link can be opened. Source: docs/contract.md, section 6. */
export const linkLivesMs = 15 * minuteMs;

/** How long the browser that it let in may stay: a long working day. */
export const sessionLivesMs = 12 * 60 * minuteMs;

/** Whom the link is for; where both are given, the uuid says it. Throws `Invalid`. */
export function operatorNamed({
  uuid,
  email,
}: IframeLinkCreate['operator']): { id: string } | { email: string } {
  if (uuid) return { id: uuid };
  if (email) return { email };
  throw new Invalid({ operator: { non_field_errors: ['Either uuid or email is required.'] } });
}

/** How the profile is named; null where none is. A number that is none is nobody's. Throws `Invalid`. */
export function profileNamed(profile: IframeLinkCreate['profile']): ProfileKey | null {
  if (!profile) return null;
  const { uuid, phone_number: number, external_id } = profile;
  const keys = [
    uuid ? { id: uuid } : undefined,
    number ? { phone_number: normalizePhone(number) ?? number } : undefined,
    external_id ? { external_id } : undefined,
  ].filter((key) => key !== undefined);
  const [key] = keys;
  if (!key || keys.length > 1) {
    const complaint = 'Exactly one of uuid, phone_number, external_id is required.';
    throw new Invalid({ profile: { non_field_errors: [complaint] } });
  }
  return key;
}

/** The complaint about a profile that there is not, at the field that named it. */
export function unknownProfile(profile: IframeLinkCreate['profile']): Invalid {
  const named = Object.entries(profile ?? {}).filter(([, value]) => value);
  const complaints = named.map(([field, value]) => [
    field,
    [`Object with ${field}=${value} does not exist.`],
  ]);
  return new Invalid({ profile: Object.fromEntries(complaints) });
}

/** The origins of an application's addresses: pages that may frame what it was given a link to. */
export function originsOf(redirectUris: readonly string[]): string[] {
  const origins = redirectUris
    .map((uri) => new URL(uri))
    .filter(({ protocol }) => /^https?:$/.test(protocol));
  return [...new Set(origins.map(({ origin }) => origin))];
}
