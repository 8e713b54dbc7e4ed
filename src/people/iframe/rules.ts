import type { ProfileKey } from '../../clients/profiles/store.ts';
import { normalizePhone } from '../../platform/phone.ts';
import { Invalid } from '../../platform/problem.ts';
import type { IframeLinkCreate } from './schema.ts';

const minuteMs = 60_000;

/** How long a link can be opened. Source: docs/contract.md, section 6. */
export const linkLivesMs = 15 * minuteMs;

/** How long an admitted browser may stay: a long working day. */
export const sessionLivesMs = 12 * 60 * minuteMs;

/** The operator of the link. If both are given, the uuid counts. Throws `Invalid`. */
export function operatorNamed({
  uuid,
  email,
}: IframeLinkCreate['operator']): { id: string } | { email: string } {
  if (uuid) return { id: uuid };
  if (email) return { email };
  throw new Invalid({ operator: { non_field_errors: ['Either uuid or email is required.'] } });
}

/** The identifier of the profile. Null if none is named. An invalid number matches no profile. Throws `Invalid`. */
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

/** The error for a profile that does not exist, on the field that named it. */
export function unknownProfile(profile: IframeLinkCreate['profile']): Invalid {
  const named = Object.entries(profile ?? {}).filter(([, value]) => value);
  const complaints = named.map(([field, value]) => [
    field,
    [`Object with ${field}=${value} does not exist.`],
  ]);
  return new Invalid({ profile: Object.fromEntries(complaints) });
}

/** The origins of an application's addresses: the pages that may frame its links. */
export function originsOf(redirectUris: readonly string[]): string[] {
  const origins = redirectUris
    .map((uri) => new URL(uri))
    .filter(({ protocol }) => /^https?:$/.test(protocol));
  return [...new Set(origins.map(({ origin }) => origin))];
}
