import type { AttemptRow, EventDetailsRow, EventRow } from './log-store.ts';
import type { EventDetails, LoggedEvent, Webhook } from './schema.ts';
import type { WebhookRow } from './store.ts';

const moment = (at: Date | null): string | null => at?.toISOString() ?? null;

export const presentWebhook = (row: WebhookRow): Webhook => ({
  uuid: row.id,
  application: row.application_id ? { uuid: row.application_id, name: row.application_name ?? '' } : null,
  url: row.url,
  event_types: row.event_types,
  platforms: row.platforms,
  failing_since: moment(row.failing_since),
  disabled_at: moment(row.disabled_at),
  disabled_reason: row.disabled_reason,
  waiting: row.waiting,
  waiting_more: row.waiting_more,
  created_at: row.created_at.toISOString(),
});

const presentCommon = (row: Omit<EventRow, 'attempts' | 'last_status'>) => ({
  uuid: row.id,
  event_type: row.event_type,
  state: row.state,
  chat: { uuid: row.chat_id, name: row.chat_name },
  created_at: row.created_at.toISOString(),
  finished_at: moment(row.finished_at),
});

export const presentEvent = (row: EventRow): LoggedEvent => ({
  ...presentCommon(row),
  attempts: row.attempts,
  last_status: row.last_status,
});

export const presentDetails = (row: EventDetailsRow, attempts: AttemptRow[]): EventDetails => ({
  ...presentCommon(row),
  body: row.body,
  attempts: attempts.map(({ id, started_at, ...call }) => ({
    uuid: id,
    started_at: started_at.toISOString(),
    ...call,
  })),
});
