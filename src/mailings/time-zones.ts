import { countryOf } from '../platform/phone.ts';

declare global {
  namespace Intl {
    // ECMA-402. TypeScript does not know it yet.
    interface Locale {
      getTimeZones(): string[] | undefined;
    }
  }
}

/** What tells where a client is. */
export type Whereabouts = { timezone: string | null; phone_number: string | null };

/**
 * The time zones in which a client may be: their own, or those of their phone's country, or the project's. A country
 * may have many, and nothing tells which one is the client's.
 */
export function zonesOf({ timezone, phone_number }: Whereabouts, zoneOfProject: string): readonly string[] {
  if (timezone !== null && offsetMs(timezone, new Date(0)) !== null) return [timezone];
  const country = phone_number === null ? null : countryOf(phone_number);
  const zones = country === null ? [] : zonesOfCountry(country);
  return zones.length > 0 ? zones : [zoneOfProject];
}

const byCountry = new Map<string, readonly string[]>();

/** Empty for a country without zones of its own. */
export function zonesOfCountry(country: string): readonly string[] {
  const known = byCountry.get(country);
  if (known) return known;
  const zones = new Intl.Locale('und', { region: country }).getTimeZones() ?? [];
  byCountry.set(country, zones);
  return zones;
}

/** By names in lower case: each spelling of a name would be one more. */
const formats = new Map<string, Intl.DateTimeFormat | null>();

function formatFor(zone: string): Intl.DateTimeFormat | null {
  const name = zone.toLowerCase();
  const known = formats.get(name);
  if (known !== undefined) return known;
  const format = newFormat(zone);
  formats.set(name, format);
  return format;
}

function newFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
}

/** How far a zone's clocks are ahead of UTC at this moment. Null for a name that is no zone. */
export function offsetMs(zone: string, at: Date): number | null {
  const format = formatFor(zone);
  if (format === null) return null;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(format.format(at)) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
