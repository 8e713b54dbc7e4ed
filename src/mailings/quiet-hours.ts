import { smallAscii } from '../platform/ascii.ts';
import { countriesByPrefix } from '../platform/phone.ts';
import { zoneNames } from '../platform/time-zone.ts';
import { offsetMs, type Whereabouts, zonesOf, zonesOfCountry } from './time-zones.ts';

/** A project's quiet hours, `HH:MM` each, and the zone of clients whose own is unknown. */
export type QuietHours = { from: string; until: string; timezone: string };

/** Longer ones could leave a country with many time zones no moment at which none of them is quiet. */
export const longestQuietHours = 12;

type Columns = { quiet_from: string | null; quiet_until: string | null; timezone: string };

/** The quiet hours in the columns of a project. Null without any. */
export const hoursOf = ({ quiet_from: from, quiet_until: until, timezone }: Columns): QuietHours | null =>
  from === null || until === null ? null : { from, until, timezone };

const minuteMs = 60_000;
const dayMinutes = 1_440;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The length of quiet hours in minutes. */
export const lengthOf = ({ from, until }: Pick<QuietHours, 'from' | 'until'>): number =>
  (minutesOf(until) - minutesOf(from) + dayMinutes) % dayMinutes;

/** The end of the quiet hours in this zone. Null if they are not now. */
function endIn(hours: QuietHours, zone: string, at: Date): Date | null {
  const offset = offsetMs(zone, at) ?? 0;
  const minutes = Math.floor((at.getTime() + offset) / minuteMs);
  const left = (((minutesOf(hours.until) - minutes) % dayMinutes) + dayMinutes) % dayMinutes || dayMinutes;
  if (left > lengthOf(hours)) return null;
  const end = (minutes + left) * minuteMs;
  // Clocks may change before the end. They may also skip it.
  const sameClock = new Date(end - offset);
  const later = offsetMs(zone, sameClock) ?? 0;
  const newClock = new Date(end - later);
  return offsetMs(zone, newClock) === later ? newClock : sameClock;
}

/** The clocks of any country are awake together at least once a day. Source: quiet-hours.test.ts. */
const mostEnds = 100;

/** The first moment at which none of these zones has quiet hours. Null if that is now. */
export function quietUntil(hours: QuietHours, zones: readonly string[], now: Date): Date | null {
  let at = now;
  for (let n = 0; n < mostEnds; n += 1) {
    const ends = zones.flatMap((zone) => endIn(hours, zone, at)?.getTime() ?? []);
    if (ends.length === 0) break;
    at = new Date(Math.max(...ends));
  }
  return at === now ? null : at;
}

/** The time between two moments in which a zone has no quiet hours, in milliseconds. */
export function awakeMs(hours: QuietHours, zone: string, from: Date, to: Date): number {
  const day = { ...hours, from: hours.until, until: hours.from };
  let awake = 0;
  let at = from;
  while (at < to) {
    const morning = endIn(hours, zone, at);
    const next = morning ?? endIn(day, zone, at) ?? to;
    if (next <= at) break;
    if (morning === null) awake += Math.min(next.getTime(), to.getTime()) - at.getTime();
    at = next;
  }
  return awake;
}

/** Keeps answers that change with the minute. */
function keptForAMinute<Answer>() {
  const kept = new Map<string, Answer>();
  let minute = 0;
  return (now: Date, key: string, find: () => Answer): Answer => {
    const current = Math.floor(now.getTime() / minuteMs);
    if (current !== minute) kept.clear();
    minute = current;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = find();
    kept.set(key, found);
    return found;
  };
}

const endOfClient = keptForAMinute<Date | null>();

/** The end of the quiet hours for a client. Null if they are not now. */
export function quietUntilFor(hours: QuietHours, client: Whereabouts, now: Date): Date | null {
  const zones = zonesOf(client, hours.timezone);
  const key = [hours.from, hours.until, ...zones].join();
  return endOfClient(now, key, () => quietUntil(hours, zones, now));
}

/**
 * For statements over many clients: the end of the quiet hours by the name of a zone in small letters, and by the first
 * digits of a phone number. The longest known digits count, and null stands for no quiet hours now. The project's zone
 * is under ''.
 */
export type QuietEnds = { [zoneOrPrefix: string]: string | null };

/** The most characters of a prefix: `+` and a calling code, or `+7` and three digits. */
export const longestPrefix = 5;

let prefixes: Map<string, string> | undefined;

const endsOfProject = keptForAMinute<QuietEnds>();

export const quietEnds = (hours: QuietHours, now: Date): QuietEnds =>
  endsOfProject(now, [hours.from, hours.until, hours.timezone].join(), () => endsOf(hours, now));

function endsOf(hours: QuietHours, now: Date): QuietEnds {
  prefixes ??= countriesByPrefix();
  const endOf = (of: readonly string[]) => quietUntil(hours, of, now)?.toISOString() ?? null;
  const byCountry = new Map(
    [...new Set(prefixes.values())].map((country) => {
      const own = zonesOfCountry(country);
      return [country, endOf(own.length > 0 ? own : [hours.timezone])];
    }),
  );
  return Object.fromEntries([
    ['', endOf([hours.timezone])],
    ...zoneNames.map((zone) => [smallAscii(zone), endOf([zone])]),
    ...[...prefixes].map(([prefix, country]) => [prefix, byCountry.get(country) ?? null]),
  ]);
}
