import type { Context } from '../platform/context.ts';
import { nilUuid } from '../platform/id.ts';
import {
  type Birthday,
  birthdaysPage,
  type DateStarter,
  dateStarters,
  forgetDateStarts,
  queueDateStarts,
} from './date-starts-store.ts';
import { daysAt, isDay, localAt } from './days.ts';

/** Profiles that one statement looks at. */
const most = 1_000;
/** The embedded database unpacks that in less than 0.1 s, even if it is compressed as far as possible. */
const mostBytes = 256 * 1024;

/**
 * Starts scenarios on the days of their clients, from the starter's hour in each client's time zone to the end of the
 * day there. A client is started once a year, however often this runs.
 */
export async function startByDates(context: Pick<Context, 'sql' | 'clock' | 'wake'>): Promise<void> {
  const { sql, clock, wake } = context;
  const now = clock.now();
  let started = 0;
  for (const starter of await dateStarters(sql)) started += await startDue(context, starter, now);
  if (started > 0) wake.wake('running');
  await forgetDateStarts(sql, now.getUTCFullYear() - 1);
}

async function startDue({ sql }: Pick<Context, 'sql'>, starter: DateStarter, now: Date): Promise<number> {
  const days = daysAt(now);
  let started = 0;
  for (let after: string | undefined = nilUuid; after !== undefined; ) {
    const { last, found } = await birthdaysPage(sql, starter, days, { after, most, mostBytes });
    const due = found.flatMap((birthday) => dueIn(birthday, starter, now));
    if (due.length > 0) started += await queueDateStarts(sql, starter, due, now);
    after = last;
  }
  return started;
}

/** The client with the year of the day there, or nobody. */
function dueIn({ id, timezone, day }: Birthday, { hour }: DateStarter, now: Date) {
  const local = localAt(now, timezone);
  return isDay(day, local) && local.hour >= hour ? [{ id, year: local.year }] : [];
}
