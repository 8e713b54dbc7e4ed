/** A place's calendar day and hour. */
export type Local = { year: number; day: string; hour: number };

/** The day of the year (`11-22`) and the hour in the time zone at a moment. Without a zone in UTC, as in waits. */
export function localAt(now: Date, timeZone: string | null): Local {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: timeZone ?? 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  }).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((one) => one.type === type)?.value ?? '';
  return { year: Number(part('year')), day: `${part('month')}-${part('day')}`, hour: Number(part('hour')) };
}

const leapDay = '02-29';

const isLeap = (year: number): boolean => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;

/** Whether the date's day of the year is today. The 29th of February is the 28th in other years. */
export const isDay = (day: string, { year, day: today }: Local): boolean =>
  day === today || (day === leapDay && today === '02-28' && !isLeap(year));

const hourMs = 60 * 60 * 1000;

/** The days of the year that it is somewhere on Earth, and those that are kept on them. */
export function daysAt(now: Date): string[] {
  const locals = [-12, 0, 14].map((hours) => localAt(new Date(now.getTime() + hours * hourMs), 'UTC'));
  const days = new Set(locals.map(({ day }) => day));
  if (locals.some((local) => isDay(leapDay, local))) days.add(leapDay);
  return [...days];
}
