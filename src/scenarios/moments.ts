import { Cron } from 'croner';
import { hasFormat } from '../platform/http/formats.ts';
import type { Duration } from './schema.ts';

const secondMs = 1000;
export const longestWaitMs = 366 * 86_400 * secondMs;

export function durationMs({ seconds = 0, minutes = 0, hours = 0, days = 0 }: Duration): number {
  return Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * secondMs);
}

export const isMoment = (text: string): boolean => hasFormat('date-time', text);

/** The next HH:MM in that time zone. Where clocks skip it, the time right after. */
export function nextTimeOfDay(time: string, timeZone: string | null, now: Date): Date {
  const [hour, minute] = time.split(':').map(Number);
  const next = new Cron(`${minute} ${hour} * * *`, { timezone: timeZone ?? 'UTC' }).nextRun(now);
  return next ?? new Date(now.getTime() + longestWaitMs);
}
