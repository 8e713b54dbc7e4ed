import { Cron } from 'croner';

/**
 * Minute, hour, day, month, day of the week. No seconds, no nicknames, and nothing that depends on the time of
 * reading.
 */
const field = String.raw`(?:[\d*,/-]|[A-Za-z]{3})+`;
const fiveFields = new RegExp(String.raw`^\s*${field}(?:\s+${field}){4}\s*$`);

/** The schedule's first moment after this one, in UTC. Null if it has none. Throws for text that is no schedule. */
export const nextMoment = (cron: string, after: Date): Date | null => read(cron).nextRun(after);

/** The schedule's moments from one moment until another one, at most so many. */
export function momentsBetween(cron: string, from: Date, until: Date, most: number): Date[] {
  const schedule = read(cron);
  const moments: Date[] = [];
  let next = schedule.nextRun(new Date(from.getTime() - 1));
  while (next !== null && next < until && moments.length < most) {
    moments.push(next);
    next = schedule.nextRun(next);
  }
  return moments;
}

function read(cron: string): Cron {
  if (!fiveFields.test(cron)) throw new Error('a schedule has five fields');
  return new Cron(cron, { timezone: 'UTC', mode: '5-part' });
}

/** Whether the text is a schedule. Source: docs/contract.md, section 5. */
export function isSchedule(cron: string): boolean {
  try {
    nextMoment(cron, new Date(0));
    return true;
  } catch {
    return false;
  }
}
