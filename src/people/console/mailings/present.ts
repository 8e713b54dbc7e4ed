import type { AbTest, AbTestCreate } from '../../../mailings/ab-test/schema.ts';
import type { MailingSummary } from './schema.ts';
import type { SummaryRow } from './store.ts';

export function presentSummary(row: SummaryRow): MailingSummary {
  const runs = row.state === 'in_process';
  const { planned, sent, delivered, read, undelivered, cancelled } = row.counts;
  return {
    uuid: row.id,
    name: row.name,
    state: row.state,
    state_detail: row.state_detail,
    awaits_approval: row.state === 'planned' && row.approval === 'awaited',
    rests: row.rests,
    stage: row.stage,
    content_type: row.content_type,
    regular_cron: row.regular_cron,
    created_at: row.created_at.toISOString(),
    next_at: row.state === 'planned' ? (row.due_at?.toISOString() ?? null) : null,
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    counts: {
      planned,
      pending: planned - sent - undelivered - cancelled,
      sent,
      delivered,
      read,
      undelivered,
      stopped: cancelled,
    },
    rate: runs ? row.rate : null,
    seconds_left: runs ? row.seconds_left : null,
  };
}

/** As it was given. */
export const presentAbTest = ({ variants, sample }: AbTest): AbTestCreate => ({
  variants: variants.map((variant) => ({
    share: variant.share,
    text: variant.text,
    node: variant.node_id,
    node_name: variant.node_name,
    node_get_params: variant.node_get_params,
    template_whatsapp: variant.template_whatsapp,
    template_variables: variant.template_variables,
  })),
  sample,
});
