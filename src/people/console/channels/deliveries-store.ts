import type { Sql } from '../../../platform/database/database.ts';

type Outcome = 'SENT' | 'DELIVERED' | 'READ' | 'UNDELIVERED' | 'ERROR';

export type OutcomeCount = { hour: number; state: Outcome; count: number };

/** What a piece has, and the id of the oldest message that was read. Null at the end. */
export type Piece = { counts: OutcomeCount[]; lookedTo: string | null };

export type Day = { projectId: string; channelId: string; from: Date };

/**
 * The results of a channel's messages since `from`, by the hours after it, among the `among` messages of the project
 * before the id `before`. An index for this alone would cost a write for every sent message.
 */
export async function countOutcomes(
  sql: Sql,
  { projectId, channelId, from }: Day,
  { before, among }: { before: string; among: number },
): Promise<Piece> {
  const [row] = await sql<[{ counts: OutcomeCount[]; looked_to: string | null }]>`
    with looked as materialized (
      select id, channel_id, direction, state, coalesce(sent_at, due_at) as at from messages
      where project_id = ${projectId} and id >= uuid_floor(${from}) and id < ${before}
      order by id desc limit ${among}
    ),
    counted as (
      select floor(extract(epoch from at - ${from}::timestamptz) / 3600)::int as hour, state, count(*)::int as count
      from looked
      where channel_id = ${channelId} and direction = 'out' and at >= ${from}
        and state in ('SENT', 'DELIVERED', 'READ', 'UNDELIVERED', 'ERROR')
      group by 1, 2
    )
    select coalesce((select jsonb_agg(counted) from counted), '[]') as counts,
      case when (select count(*) from looked) = ${among} then (select id from looked order by id limit 1) end
        as looked_to`;
  return { counts: row.counts, lookedTo: row.looked_to };
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
