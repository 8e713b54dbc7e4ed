import { offsetMs } from '../../../../mailings/time-zones.ts';

export const views = ['month', 'week'] as const;

export type View = (typeof views)[number];

/** Days as `YYYY-MM-DD`, on the calendar of a time zone. `next` is the first day after the period. */
export type Period = { start: string; previous: string; next: string; days: string[] };

const dayMs = 86_400_000;
const daysOfWeek = 7;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The month, or the week from Monday on, to which the day belongs. */
export function periodOf(view: View, day: string): Period {
  const at = new Date(msOf(day));
  const month = (more: number) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + more);
  const monday = at.getTime() - ((at.getUTCDay() + 6) % daysOfWeek) * dayMs;
  const [previous, start, next] =
    view === 'month'
      ? [month(-1), month(0), month(1)]
      : [monday - daysOfWeek * dayMs, monday, monday + daysOfWeek * dayMs];
  const days = Array.from({ length: Math.round((next - start) / dayMs) }, (_, n) => dayOf(start + n * dayMs));
  return { start: dayOf(start), previous: dayOf(previous), next: dayOf(next), days };
}

/** Whether the text is a day of these times. */
export const isDay = (text: string): boolean =>
  /^(19|20)\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(msOf(text)) && dayOf(msOf(text)) === text;

/** The moment at which a day begins in a zone. Where clocks skip midnight, the moment of the skip. */
export function beginOf(day: string, zone: string): Date {
  const wall = msOf(day);
  const guess = wall - (offsetMs(zone, new Date(wall)) ?? 0);
  return new Date(wall - (offsetMs(zone, new Date(guess)) ?? 0));
}

/** What a calendar and a clock in the zone show. */
export function wallClock(at: Date, zone: string): { day: string; time: string } {
  const text = new Date(at.getTime() + (offsetMs(zone, at) ?? 0)).toISOString();
  return { day: text.slice(0, 10), time: text.slice(11, 16) };
}
