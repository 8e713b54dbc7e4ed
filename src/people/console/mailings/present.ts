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
