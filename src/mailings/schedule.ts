import { Cron } from 'croner';

/**
 * Minute, hour, day, month, day of the week. No seconds, no nicknames, and nothing that depends on the time of
 * reading.
 */
const field = String.raw`(?:[\d*,/-]|[A-Za-z]{3})+`;
const fiveFields = new RegExp(String.raw`^\s*${field}(?:\s+${field}){4}\s*$`);

/** The schedule's first moment after this one, in UTC. Null if it has none. Throws for text that is no schedule. */
export function nextMoment(cron: string, after: Date): Date | null {
  if (!fiveFields.test(cron)) throw new Error('a schedule has five fields');
  return new Cron(cron, { timezone: 'UTC', mode: '5-part' }).nextRun(after);
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
