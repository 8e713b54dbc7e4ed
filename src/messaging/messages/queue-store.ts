import type { FilledTemplate } from '../../channels/contract/adapter.ts';
import type { Fragment, JSONValue, Sql } from '../../platform/database/database.ts';
import { countedRows } from '../../platform/database/row-counts.ts';

/** The initial row of an outgoing message. The names are those of the columns, and absent columns are null. */
export type NewMessage = {
  id: string;
  project_id: string;
  /** Null only for a task without a known recipient. */
  chat_id: string | null;
  /**
   * Also null for messages that are not sent yet: the start of a scenario, and messages that wait for the one before.
   */
  channel_id: string | null;
  source: 'push' | 'stream' | 'mailing' | 'connector' | 'operator' | 'scenario';
  content_type: string;
  content: { readonly [field: string]: JSONValue | undefined };
  /** The content that the client gets, if `content` alone does not define it. */
  rendered?: { type: string; text: string; template?: FilledTemplate };
  application_id?: string | null;
  author_id?: string | null;
  author_name?: string | null;
  session_id?: string | null;
  external_id?: string | null;
  campaign_id?: string | null;
  campaign_name?: string | null;
  tag?: string | null;
  is_force: boolean;
  launch_at?: Date | null;
  created_at: Date;
  /** 0 goes first, 1 is the regular lane. */
  lane: 0 | 1;
  /** Null waits for the message before it in its scenario. */
  due_at: Date | null;
  /** Undelivered from the beginning if there is no recipient. */
  state: 'PENDING' | 'UNDELIVERED';
  state_detail?: string;
  /** The trace that the message continues. */
  trace?: string | null;
};

/** Queues any number of messages in one statement. The caller wakes `sending` after the commit. */
export async function queueMessages(sql: Sql, rows: readonly NewMessage[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    with queued as (
      insert into messages (
        project_id, id, chat_id, channel_id, direction, source, content_type, content, rendered, application_id, author_id,
        author_name, session_id, external_id, campaign_id, campaign_name, tag, is_force, launch_at, created_at,
        state, state_detail, lane, due_at, trace
      )
      select
        project_id, id, chat_id, channel_id, 'out', source, content_type, content, rendered, application_id, author_id,
        author_name, session_id, external_id, campaign_id, campaign_name, tag, is_force, launch_at, created_at,
        state, coalesce(state_detail, ''), lane, due_at, trace
      from jsonb_to_recordset(${sql.json(rows)}) as (
        project_id uuid, id uuid, chat_id uuid, channel_id uuid, source text, content_type text, content jsonb,
        rendered jsonb, application_id uuid, author_id uuid, author_name text, session_id uuid, external_id text, campaign_id uuid,
        campaign_name text, tag text, is_force boolean, launch_at timestamptz, created_at timestamptz,
        state text, state_detail text, lane smallint, due_at timestamptz, trace text
      )
      returning project_id, source
    ),
    counted as (
      ${countedRows(sql, 'messages', 'push', countedPushes(sql, sql`queued`))}
    )
    select count(*) from counted`;
}

/** The number of push messages of each project in `rows`, for `countedRows`. */
export const countedPushes = (sql: Sql, rows: Fragment) => sql`(
  select project_id, count(*) as difference from ${rows} as added
  where source in ('push', 'stream') group by project_id
)`;
