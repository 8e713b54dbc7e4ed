import type { Fragment, Sql } from '../platform/database/database.ts';
import { currentTrace } from '../platform/work.ts';
import type { Event } from './types.ts';

type OutboxRow = {
  id: string;
  project_id: string;
  chat_id: string;
  platform: string | null;
  event_type: string;
  except_application_id: string | null;
  body: string;
  trace: string | null;
};

/**
 * One event as an outbox row. `key` ties it to the row whose change it announces, for `outboxCtes`. Its time is in
 * milliseconds for integrations, and in seconds with a fraction for the project's own. Source: docs/contract.md,
 * section 8.
 */
export function outboxRow<Key extends object>(
  event: Event,
  id: string,
  now: Date,
  key: Key,
): OutboxRow & Key {
  const ms = now.getTime();
  const timestamp = event.type === 'mailing.state' || event.type === 'mailing.reaction' ? ms / 1000 : ms;
  return {
    ...key,
    id,
    project_id: event.projectId,
    chat_id: event.chatId,
    platform: event.platform,
    event_type: event.type,
    except_application_id: event.exceptApplicationId ?? null,
    body: JSON.stringify({ event_type: event.type, payload: event.payload, timestamp }),
    trace: event.trace ?? currentTrace(),
  };
}

/** The columns of `outboxRow` for `jsonb_to_recordset`. */
export const outboxColumns = (sql: Sql) =>
  sql`id uuid, project_id uuid, chat_id uuid, platform text, event_type text, except_application_id uuid, body text,
  trace text`;

/**
 * Fans out the announced rows, which have `outboxColumns`, to every endpoint that wants them. It must be part of the
 * statement that makes the change. All writers lock chats in one order, so that they never deadlock. An endpoint that
 * is being deleted is waited for and skipped: a row for it would fail the whole statement.
 */
export const outboxCtes = (sql: Sql, announced: Fragment, now: Date) => sql`
  outbox_heard as (
    select announced.*, endpoints.id as endpoint_id, endpoints.disabled_at is not null as is_kept
    from ${announced} as announced
    join endpoints on endpoints.project_id = announced.project_id
      and (endpoints.application_id is null) = (announced.event_type in ('mailing.state', 'mailing.reaction'))
      and (announced.except_application_id is null
        or endpoints.application_id is distinct from announced.except_application_id)
      and (endpoints.event_types = '{}' or announced.event_type = any (endpoints.event_types))
      and (endpoints.platforms = '{}' or announced.platform is null or announced.platform = any (endpoints.platforms))
    for key share of endpoints
  ),
  outbox_queues as (
    insert into event_queues as queue (project_id, endpoint_id, chat_id, waiting, due_at)
    select project_id, endpoint_id, chat_id, count(*), ${now} from outbox_heard where not is_kept
    group by project_id, endpoint_id, chat_id order by endpoint_id, chat_id
    on conflict (endpoint_id, chat_id) do update set
      waiting = queue.waiting + excluded.waiting,
      due_at = case when queue.waiting = 0 then excluded.due_at else queue.due_at end
    returning endpoint_id, chat_id
  ),
  -- Inserted after their queues. The queues' locks serialize the writers of one chat, so its events are numbered in
  -- that order.
  outbox_events as (
    insert into events (project_id, id, endpoint_id, chat_id, event_type, body, created_at, trace)
    select project_id, id, endpoint_id, chat_id, event_type, body, ${now}, trace
    from outbox_heard join outbox_queues using (endpoint_id, chat_id) where not is_kept order by id
  ),
  -- Events for a disabled endpoint do not wait in a queue. They can be replayed.
  outbox_kept as (
    insert into events (project_id, id, endpoint_id, chat_id, event_type, body, created_at, state, finished_at, trace)
    select project_id, id, endpoint_id, chat_id, event_type, body, ${now}, 'KEPT', ${now}, trace
    from outbox_heard where is_kept order by id
  )`;

/** Whether the project has its own webhook, enabled or not. Without one, its events need not be written. */
export const projectHears = (sql: Sql, projectId: Fragment) => sql`
  exists (
    select from endpoints
    where endpoints.project_id = ${projectId} and endpoints.application_id is null
  )`;

/** Announces events inside the caller's transaction. */
export async function recordEvents(sql: Sql, events: Event[], now: Date, newId: () => string): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => outboxRow(event, newId(), now, {}));
  await sql`
    with announced as (select * from jsonb_to_recordset(${sql.json(rows)}) as (${outboxColumns(sql)})),
    ${outboxCtes(sql, sql`announced`, now)}
    select`;
}
