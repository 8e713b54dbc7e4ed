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

type Needs = Pick<Context, 'sql' | 'clock' | 'wake' | 'log'>;

/** Profiles that one statement looks at. */
const most = 1_000;
/** The embedded database unpacks that in less than 0.1 s, even if it is compressed as far as possible. */
const mostBytes = 256 * 1024;

/**
 * Starts scenarios on the days of their clients, from the starter's hour in each client's time zone to the end of the
 * day there. A client is started once a year, however often this runs. A starter that fails delays no other one.
 */
export async function startByDates(context: Needs): Promise<void> {
  const { sql, clock, log } = context;
  const now = clock.now();
  const starters = await dateStarters(sql);
  let failed = 0;
  for (const starter of starters) {
    await startDue(context, starter, now).catch((error: unknown) => {
      failed += 1;
      const { project_id: project, scenario_id: scenario } = starter;
      log.warn({ err: error, project, scenario }, 'a scenario was not started by dates');
    });
  }
  await forgetDateStarts(sql, now.getUTCFullYear() - 1);
  if (failed > 0) throw new Error(`${failed} of ${starters.length} starters failed`);
}

async function startDue({ sql, wake }: Needs, starter: DateStarter, now: Date): Promise<void> {
  const days = daysAt(now);
  for (let after: string | undefined = nilUuid; after !== undefined; ) {
    const { last, found } = await birthdaysPage(sql, starter, days, { after, most, mostBytes });
    const due = found.flatMap((birthday) => dueIn(birthday, starter, now));
    if (due.length > 0 && (await queueDateStarts(sql, starter, due, now)) > 0) wake.wake('running');
    after = last;
  }
}

/** The client with the year of the day there, or nobody. */
function dueIn({ id, timezone, day }: Birthday, { hour }: DateStarter, now: Date) {
  const local = localAt(now, timezone);
  return isDay(day, local) && local.hour >= hour ? [{ id, year: local.year }] : [];
}
