import type { Rest } from './ab-test/rest-store.ts';
import type { AbTest } from './ab-test/schema.ts';
import type { ContentType, FilterField, Mailing, MailingState, TemplateVariables } from './schema.ts';

type Statistics = Mailing['statistics'];

export type NodeParam = { name: string; value: string; type: string };

/** Columns of `mailings`, and the sums of `mailing_counts` and `mailing_platforms`. */
export type MailingRow = {
  id: string;
  name: string;
  state: MailingState;
  state_detail: string;
  filter_chats: Mailing['filter_chats'];
  /** The present name of the saved audience that `filter_chats` was read from. Null without one. */
  audience: string | null;
  content_type: ContentType;
  text: string | null;
  node_id: number | null;
  node_name: string | null;
  node_get_params: NodeParam[];
  origin: 'system' | 'chat_center';
  regular_cron: string | null;
  created_at: Date;
  planned_at: Date | null;
  /** The time of the planner's next look. */
  due_at: Date | null;
  finish_by: Date | null;
  started_at: Date | null;
  completed_at: Date | null;
  template_whatsapp: string | null;
  template_variables: TemplateVariables;
  phone_numbers_file: string | null;
  customer_filter_file: string | null;
  customer_filter_field: FilterField | null;
  topic_id: string | null;
  topic: string | null;
  ab_test: AbTest | null;
  /** What the rest of a test's recipients waits for. Null if they do not wait. */
  rests: Rest | null;
  statistics: Statistics;
};

/** @param now The end of the duration of a run that has not ended. */
export function presentMailing(row: MailingRow, now: Date): Mailing {
  return {
    uuid: row.id,
    name: row.name,
    state: row.state,
    state_detail: row.rests ? waiting(row.rests) : row.state_detail,
    filter_chats: row.audience === null ? row.filter_chats : { audience: row.audience },
    filter_used: row.filter_chats,
    content_type: row.content_type,
    source_type: 'PLATFORM',
    text: row.text,
    node: row.node_id,
    node_name: row.node_name,
    node_get_params: row.node_get_params.map((param) => ({ ...param, is_edit: false, param_type: 'GLOBAL' })),
    origin: row.origin,
    statistics: row.statistics,
    regular_cron: row.regular_cron,
    created_at: row.created_at.toISOString(),
    planned_at: row.planned_at?.toISOString() ?? null,
    next_run_at: row.state === 'planned' ? (row.due_at?.toISOString() ?? null) : null,
    finish_by: row.finish_by?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    duration: row.started_at && durationOf((row.completed_at ?? now).getTime() - row.started_at.getTime()),
    template_whatsapp: row.template_whatsapp,
    template_variables: row.template_whatsapp === null ? null : { ...row.template_variables },
    phone_numbers_file: row.phone_numbers_file,
    customer_filter_file: row.customer_filter_file,
    customer_filter_field: row.customer_filter_field,
  };
}

const waiting = ({ until }: Rest): string =>
  until === null
    ? 'The test showed no difference. The rest waits until a person chooses its variant.'
    : `The sample is sent. The rest waits until ${until} for the result of the test.`;

/** HH:MM:SS. The hours may have more than two digits. */
export function durationOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
