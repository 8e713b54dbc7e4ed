import type { Fragment, JSONValue, Sql } from '../../platform/database/database.ts';

/**
 * A statement for a CTE: inserts the messages of a mailing's page, and skips existing ones. `rows` has the columns
 * that are read here. Returns `id`, `state` and `due_at` of the new messages.
 */
export const plannedMessages = (sql: Sql, rows: Fragment, now: Date) => sql`
  insert into messages (
    project_id, id, chat_id, channel_id, direction, source, content_type, content, is_force, created_at,
    state, state_detail, lane, due_at, mailing_id, mailing_run
  )
  select project_id, id, chat_id, channel_id, 'out', 'mailing', content_type, content, is_force, ${now},
    state, state_detail, 1, due_at, mailing_id, mailing_run
  from ${rows} as given
  on conflict (project_id, id) do nothing
  returning id, state, due_at`;

type Incoming = {
  channelId: string;
  contentType: string;
  content: Record<string, JSONValue>;
  externalId: string;
  now: Date;
};

/**
 * A statement for a CTE: inserts a client's message. `fresh` has its `project_id`, `chat_id` and `message_id`, or no
 * row.
 */
export const incomingMessage = (
  sql: Sql,
  fresh: Fragment,
  { channelId, contentType, content, externalId, now }: Incoming,
) => sql`
  insert into messages (
    project_id, id, chat_id, channel_id, direction, source, content_type, content, external_id, created_at
  )
  select project_id, message_id, chat_id, ${channelId}, 'in', 'client', ${contentType}, ${sql.json(content)},
    ${externalId}, ${now}
  from ${fresh} as fresh`;
