import type { Fragment, Sql } from '../../platform/database/database.ts';

/**
 * A statement for a CTE: inserts the messages of a mailing's page, and skips existing ones. `rows` has the columns
 * that are read here. Returns `id`, `state`, `due_at` and `variant` of the new messages.
 */
export const plannedMessages = (sql: Sql, rows: Fragment, now: Date) => sql`
  insert into messages (
    project_id, id, chat_id, channel_id, direction, source, content_type, content, is_force, created_at,
    state, state_detail, lane, due_at, mailing_id, mailing_run, variant
  )
  select project_id, id, chat_id, channel_id, 'out', 'mailing', content_type, content, is_force, ${now},
    state, state_detail, 1, due_at, mailing_id, mailing_run, variant
  from ${rows} as given
  on conflict (project_id, id) do nothing
  returning id, state, due_at, variant`;

/**
 * A statement for a CTE: inserts clients' messages. `rows` has the columns that are read here.
 */
export const incomingMessages = (sql: Sql, rows: Fragment) => sql`
  insert into messages (
    project_id, id, chat_id, channel_id, direction, source, content_type, content, external_id, created_at
  )
  select project_id, message_id, chat_id, channel_id, 'in', 'client', content_type, content, external_id, at
  from ${rows} as given`;
