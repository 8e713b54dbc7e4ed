import type { Fragment, Sql } from '../../../../platform/database/database.ts';

/**
 * The chats that have left since: everything, by the mailing that reached them last before, or a topic, by the last one
 * about it. A chat counts once for a mailing. Mailings without any are left out.
 */
export function leftAfter(
  sql: Sql,
  projectId: string,
  ids: readonly string[],
  since: Date,
): Promise<{ id: string; count: number }[]> {
  const topics = sql`array(
    select distinct topic_id::text from mailings
    where project_id = ${projectId} and id = any (${[...ids]}::uuid[]) and topic_id is not null
  )`;
  return sql<{ id: string; count: number }[]>`
    with departures as (${departuresSince(sql, projectId, topics, since)})
    select latest.mailing_id as id, count(distinct chat_id)::int as count
    from departures cross join lateral (
      select mailing_id from messages
      where messages.chat_id = departures.chat_id and messages.project_id = ${projectId} and source = 'mailing'
        and sent_at <= departures.at and (departures.topic_id is null or exists (
          select from mailings
          where mailings.project_id = ${projectId} and mailings.id = messages.mailing_id
            and mailings.topic_id = departures.topic_id
        ))
      order by id desc limit 1
    ) as latest
    where latest.mailing_id = any (${[...ids]}::uuid[])
    group by 1`;
}

/** The chats that left everything, or one of these topics. */
export const departuresSince = (sql: Sql, projectId: string, topics: Fragment, since: Date): Fragment => sql`
  select id as chat_id, unsubscribed_at as at, null::uuid as topic_id from chats
  where project_id = ${projectId} and unsubscribed_at >= ${since}
  union all
  select chats.id, (departed.value ->> 'at')::timestamptz, departed.key::uuid
  from chats cross join lateral jsonb_each(left_topics) as departed
  -- Without topics no chat is read.
  where (select cardinality(${topics})) > 0 and chats.project_id = ${projectId} and left_topics ?| ${topics} and departed.key = any (${topics})
    and (departed.value ->> 'at')::timestamptz >= ${since}`;
