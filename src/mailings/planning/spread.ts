import type { Context } from '../../platform/context.ts';
import { countsOf, type LeasedMailing, type MailingRow, type Progress } from '../planner-store.ts';
import { openIn } from './progress.ts';
import { rulesNow } from './project-rules.ts';
import { leaseEnd } from './rules.ts';
import { handOverPage } from './spread-store.ts';

/** The planner looks once a second. A longer time without a look is not made up for: the rest is spread anew. */
const longestLookMs = 2_000;

/** The last turn is this long before the moment, because a messenger takes time to answer. */
const marginMs = 10_000;

/** The messages whose turn it is, with a fraction. Those that could not have theirs do not pile up. */
export function owedAt({ held = 0, owed = 0, owed_at }: Progress, finishBy: Date, now: Date): number {
  const leftMs = Math.max(finishBy.getTime() - marginMs - now.getTime(), longestLookMs);
  const sinceMs = now.getTime() - (owed_at ?? now.getTime());
  const perMs = held / leftMs;
  return Math.min(owed + perMs * sinceMs, Math.max(1, perMs * longestLookMs), held);
}

type HandedOver = { row: MailingRow | undefined; isEnough: boolean };

/**
 * Gives the messages whose turn it is to sending, so that the rest of a run is spread evenly until its moment. Every look
 * computes the pace from what is left, and keeps nothing that a dead process could leave behind.
 */
export async function handOver(context: Context, held: LeasedMailing, finishBy: Date): Promise<HandedOver> {
  const { sql, clock, wake } = context;
  const now = clock.now();
  // Everything that is open still waits when the first look begins.
  const waiting = held.progress.held ?? openIn(await countsOf(sql, held));
  const owed = owedAt({ ...held.progress, held: waiting }, finishBy, now);
  if (owed < 1) {
    const progress = { ...held.progress, held: waiting, owed, owed_at: now.getTime() };
    return { row: { ...held, progress }, isEnough: true };
  }
  const turns = {
    most: Math.floor(owed),
    owed,
    held: waiting,
    quiet: (await rulesNow(context, held, now)).quiet,
    now,
    leaseUntil: leaseEnd(now),
  };
  const row = await handOverPage(sql, held, turns);
  const { held: left = waiting, owed: rest = 0, handing = null } = row?.progress ?? {};
  if (left < waiting) {
    wake.wake('sending');
    wake.wake('running');
  }
  return { row, isEnough: rest < 1 || left === waiting || handing === null };
}
