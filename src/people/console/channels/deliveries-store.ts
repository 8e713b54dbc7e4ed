import type { Sql } from '../../../platform/database/database.ts';

type Outcome = 'SENT' | 'DELIVERED' | 'READ' | 'UNDELIVERED' | 'ERROR';

export type OutcomeCount = { hour: number; state: Outcome; count: number };

/** An index for this alone would cost a write for every sent message. */
const lookedAt = 200_000;

/**
 * The results of a channel's messages since `from`, by the hours after it. Only the project's latest 200,000 messages
 * are read.
 */
export function countOutcomes(
  sql: Sql,
  projectId: string,
  channelId: string,
  from: Date,
): Promise<OutcomeCount[]> {
  return sql<OutcomeCount[]>`
    select floor(extract(epoch from coalesce(sent_at, due_at) - ${from}::timestamptz) / 3600)::int as hour, state,
      count(*) as count
    from (
      select * from messages where project_id = ${projectId} and id >= uuid_floor(${from})
      order by id desc limit ${lookedAt}
    ) latest
    where channel_id = ${channelId} and direction = 'out' and coalesce(sent_at, due_at) >= ${from}
      and state in ('SENT', 'DELIVERED', 'READ', 'UNDELIVERED', 'ERROR')
    group by 1, 2`;
}

export type FailureRow = {
  id: string;
  state: 'UNDELIVERED' | 'ERROR';
  state_detail: string;
  chat_id: string;
  chat_name: string | null;
  at: Date;
};

/** The latest failed messages of a channel. */
export function findFailures(sql: Sql, channelId: string, atMost: number): Promise<FailureRow[]> {
  return sql<FailureRow[]>`
    select latest.id, state, state_detail, chat_id, chats.name as chat_name, coalesce(sent_at, due_at) as at
    from (
      select * from messages
      where channel_id = ${channelId} and has_failed
      order by due_at desc limit ${atMost}
    ) latest
    join chats on chats.project_id = latest.project_id and chats.id = latest.chat_id
    order by due_at desc`;
}
