import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { NotFound } from '../../platform/problem.ts';
import { type Decision, findDecision } from '../decisions-store.ts';
import { findMailing } from '../store.ts';
import { countsByVariant, type VariantCounts } from './counts-store.ts';
import { leadersAt, sharesAt } from './decide.ts';
import { type DecidingMeasure, decidingMeasures } from './limits.ts';
import { findPart, type PartRow } from './part-store.ts';
import { AbTestResult } from './result-schema.ts';
import { sharesOf } from './schema.ts';

/** GET /api/partners/mailings/{uuid}/ab-test/: the variants of a mailing, and what its test has shown. */
export const readAbTest = action({
  name: 'readAbTest',
  summary: 'Read the A/B test of a mailing',
  description:
    'The counts of each variant, and what the test has shown. A mailing without a test has none: 404.',
  params: UuidParams,
  response: AbTestResult,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, loaded: { id, ab_test } }) => {
    if (ab_test === null) throw new NotFound();
    const shares = sharesOf(ab_test);
    const [counts, decision, part] = await Promise.all([
      countsByVariant(sql, projectId, id, shares.length),
      findDecision(sql, projectId, id),
      findPart(sql, projectId, id),
    ]);
    const { sample } = ab_test;
    const hasEnded = part.state === 'completed' || part.state === 'stopped' || part.state === 'error';
    return {
      state: stateOf(part, decision),
      decide_at: part.decide_at?.toISOString() ?? null,
      variants: counts.map((row, index) => ({ ...row, share: shares[index] ?? 0 })),
      measures:
        sample === null && hasEnded ? decidingMeasures.map((measure) => measured(measure, counts)) : [],
      ...(decision && sample && { decision: presentDecision(decision, sample.measure) }),
    };
  },
});

function stateOf({ state, part, decide_at }: PartRow, decision: Decision | undefined): AbTestResult['state'] {
  if (state === 'planned') return 'planned';
  if (state !== 'in_process') return 'ended';
  if (part !== 'sample') return 'sending';
  if (decide_at === null) return 'sampling';
  return decision?.variant === null ? 'asking' : 'waiting';
}

function measured(measure: DecidingMeasure, rows: readonly VariantCounts[]) {
  const counts = rows.map((row) => ({ sent: row.sent, reacted: row[measure] }));
  return { measure, shares: sharesAt(counts), leaders: leadersAt(counts) };
}

const presentDecision = (
  { decided_at, counts, leaders, variant, author_name }: Decision,
  measure: DecidingMeasure,
) => ({
  measure,
  shares: sharesAt(counts),
  leaders,
  decided_at: decided_at.toISOString(),
  variant,
  author: author_name,
});
