import type { Context } from '../../platform/context.ts';
import { countsOf, type LeasedMailing, type MailingRow, writeStep } from '../planner-store.ts';
import { figuresOf, inWords } from './progress.ts';

const tellEveryMs = 10_000;

/** Gives a mailing back until later, with its figures. Logs them at intervals. */
export async function rest(
  { sql, clock, log }: Context,
  held: LeasedMailing,
  dueAt: Date,
): Promise<MailingRow | undefined> {
  const now = clock.now().getTime();
  const figures = figuresOf(held.progress, await countsOf(sql, held), clock.now());
  const tells = held.state === 'in_process' && now - (held.progress.told_at ?? 0) >= tellEveryMs;
  const progress = { ...figures, tries: 0, ...(tells ? { told_at: now } : {}) };
  const row = await writeStep(sql, held, { progress, dueAt, ends: true });
  if (row && tells) {
    const { prepared, sent, rate, seconds_left } = row.progress;
    log.info(
      { mailing: row.id, run: row.run, prepared, sent, rate, seconds_left },
      `mailing "${row.name}": ${inWords(row.progress)}`,
    );
  }
  return row;
}
