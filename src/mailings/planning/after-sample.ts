import type { Context } from '../../platform/context.ts';
import { countsByVariant } from '../ab-test/counts-store.ts';
import { leadersAt, variantFor } from '../ab-test/decide.ts';
import type { AbTest, Sample } from '../ab-test/schema.ts';
import { atOnceAtFirst } from '../chunk-size.ts';
import { findDecision, saveDecision } from '../decisions-store.ts';
import { type LeasedMailing, type MailingRow, type Progress, writeStep } from '../planner-store.ts';
import { leaseEnd } from './rules.ts';

const minuteMs = 60_000;

/** The sample of a mailing that is being planned or sent now. Null without one, and for the rest. */
export const sampleNow = ({ ab_test, progress: { part } }: LeasedMailing): Sample | null =>
  part === 'sample' ? (ab_test?.sample ?? null) : null;

/**
 * The sample is sent: waits for its reactions, decides once, and goes on to the rest. If a person is asked, the mailing
 * is due no more until they have chosen.
 */
export async function goOnAfterSample(
  context: Context,
  held: LeasedMailing,
  sample: Sample,
  figures: Progress,
): Promise<MailingRow | undefined> {
  const { sql, clock, log } = context;
  const now = clock.now();
  const decideAt = held.progress.decide_at ?? now.getTime() + sample.wait_minutes * minuteMs;
  if (now.getTime() < decideAt) {
    const progress = { ...figures, decide_at: decideAt, tries: 0 };
    return writeStep(sql, held, { progress, dueAt: new Date(decideAt), ends: true });
  }
  const decision = await findDecision(sql, held.project_id, held.id);
  if (decision === undefined) return decide(context, held, sample);
  if (decision.variant === null) {
    return writeStep(sql, held, { progress: {}, dueAt: new Date(now.getTime() + minuteMs), ends: true });
  }
  log.info(
    { mailing: held.id, variant: decision.variant },
    `mailing "${held.name}": the rest gets its variant`,
  );
  return writeStep(sql, held, {
    stage: 'planning',
    progress: { part: 'rest', variant: decision.variant, cursor: null, at_once: atOnceAtFirst, tries: 0 },
    dueAt: leaseEnd(now),
  });
}

async function decide(
  { sql, clock, log }: Context,
  held: LeasedMailing,
  { measure, otherwise }: Sample,
): Promise<MailingRow | undefined> {
  const by = await countsByVariant(sql, held.project_id, held.id, variantsOf(held.ab_test));
  const counts = by.map((row) => ({ sent: row.sent, reacted: row[measure] }));
  const leaders = leadersAt(counts);
  const variant = variantFor(leaders, otherwise);
  const row = await saveDecision(sql, held, { decided_at: clock.now(), counts, leaders, variant });
  if (row) log.info({ mailing: row.id, leaders, variant }, `mailing "${row.name}": its A/B test is decided`);
  return row;
}

const variantsOf = (test: AbTest | null): number => (test?.variants.length ?? 0) + 1;
