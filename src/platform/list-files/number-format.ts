import { smallAscii } from '../ascii.ts';

/** A cell's number as its sheet shows it. Null if the format says nothing of the number. */
export type NumberFormat = (value: number) => string | null;

/** Excel allows 255 characters. */
const maxCode = 1024;

/**
 * The format of a code for dates, times or percentages. Null for any other code: its numbers are written without a
 * format. Source: ECMA-376, part 1, 18.8.31.
 */
export function numberFormat(code: string, isFrom1904: boolean): NumberFormat | null {
  if (code.length > maxCode) return null;
  const [section = ''] = smallAscii(code.replace(literals, '')).split(';');
  if (section.includes('%')) return percentage(/\.([0#?]+)/.exec(section)?.[1]?.length ?? 0);
  // A unit such as USD may stand beside a number without quotes. Only fractions of a second have digits here.
  if (/[0#?]/.test(section.replace(/[.,]0+/g, ''))) return null;
  const hasTime = /[hs]|\[m/.test(section);
  const hasDate = /[dy]|mmm/.test(section) || (!hasTime && section.includes('m'));
  if (!hasDate && !hasTime) return null;
  const clock = hasTime ? { hasSeconds: section.includes('s'), isElapsed: section.includes('[') } : null;
  return moment(hasDate ? { isFrom1904 } : null, clock);
}

/** Quoted, escaped, padding and repeated characters, and what is in brackets except elapsed times. */
const literals = /"[^"]*"?|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gis;

const percentage =
  (decimals: number): NumberFormat =>
  (value) => {
    const hundredfold = Number((value * 100).toPrecision(15));
    return Number.isFinite(hundredfold) ? `${Number(hundredfold.toFixed(Math.min(decimals, 15)))}%` : null;
  };

type Calendar = { isFrom1904: boolean };
type Clock = { hasSeconds: boolean; isElapsed: boolean };

const secondsOfDay = 86_400;

/** The day after 9999-12-31. */
const endOfDays = 2_958_466;

/** Times are rounded to seconds, because a serial number is hardly ever exact. */
const moment =
  (calendar: Calendar | null, clock: Clock | null): NumberFormat =>
  (value) => {
    if (!(value >= 0 && value < endOfDays)) return null;
    const seconds = Math.round(value * secondsOfDay);
    const date = calendar && dateOf(Math.floor(seconds / secondsOfDay), calendar);
    if (calendar && date === null) return null;
    return [date, clock && timeOf(seconds, clock)].filter((part) => part !== null).join(' ');
  };

/** Day 60 of 1900 is a 29 February that was none, and the days before it count one less. */
function dateOf(day: number, { isFrom1904 }: Calendar): string | null {
  if (!isFrom1904 && (day < 1 || day === 60)) return null;
  const start = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30);
  const date = new Date(start + day * secondsOfDay * 1000).toISOString();
  return /^\d{4}-/.test(date) ? date.slice(0, 10) : null;
}

function timeOf(seconds: number, { hasSeconds, isElapsed }: Clock): string {
  const hours = Math.floor(seconds / 3600);
  const parts = [isElapsed ? hours : hours % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return parts
    .slice(0, hasSeconds ? 3 : 2)
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
