import { addedCounts, hasFailed } from '../messaging/messages/mailing-counts-store.ts';
import type { Sql } from '../platform/database/database.ts';
import { countedPlatforms } from './planner-store.ts';
import { removedCounts } from './removed-store.ts';

/** Serializes recounts of one mailing: each would add the same difference. To be called in a transaction. */
export async function holdRecount(sql: Sql, mailingId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${mailingId}, 0))`;
}

/**
 * Adds to the statistics the difference to the messages themselves and to those that are removed. Both are read in one snapshot, and concurrent
 * changes add to the same numbers. The statement therefore waits for no other.
 */
export async function addDifference(sql: Sql, projectId: string, mailingId: string): Promise<void> {
  const kept = sql`project_id = ${projectId} and mailing_id = ${mailingId}`;
  // Removed messages are counted without their variants. The variants of such a mailing keep what they counted.
  const variant = sql`
    case when not exists (select from mailing_removed where ${kept}) then variant end`;
  const ofState = (place: number) =>
    sql`sum(messages * (mailing_state_counts(groups.state))[${place}::integer])`;
  const did = (column: string) => sql`count(${sql(column)}) filter (where not ${hasFailed(sql, sql`state`)})`;
  await sql`
    with groups as materialized (
      select channel_id, ${variant} as variant,
        -- A scenario that has not started has no channel yet.
        case when channel_id is null then (
          select platform from chats where chats.project_id = messages.project_id and chats.id = messages.chat_id
        ) end as platform,
        state, count(*) as messages, ${did('clicked_at')} as clicked, ${did('jumped_at')} as jumped,
        ${did('replied_at')} as replied
      from messages where ${kept} group by 1, 2, 3, 4
    ),
    messages_counted as (
      select coalesce(channels.platform, groups.platform) as platform, variant, sum(messages) as planned,
        array[
          sum(messages), ${ofState(1)}, ${ofState(2)}, ${ofState(3)}, ${ofState(4)}, ${ofState(5)},
          sum(clicked), sum(jumped), sum(replied)
        ] as counts
      from groups
      left join channels on channels.project_id = ${projectId} and channels.id = channel_id
      group by coalesce(channels.platform, groups.platform), variant
      union all
      ${removedCounts(sql, kept)}
    ),
    difference as (
      select variant, array_agg(number order by place)::integer[] as counts
      from (
        select variant, place, sum(number) as number
        from (
          select variant, place, number from messages_counted, unnest(counts) with ordinality as one (number, place)
          union all
          select ${variant}, place, -number
          from mailing_counts, unnest(array[
            planned, sent, delivered, read, undelivered, cancelled, clicked, jumped_url, replied
          ]) with ordinality as one (number, place)
          where ${kept}
        ) as seen_and_said
        group by variant, place
      ) as places
      group by variant
    ),
    platforms as (
      ${countedPlatforms(
        sql,
        { projectId, mailingId },
        sql`(
        select platform, coalesce(seen.planned, 0) - coalesce(said.planned, 0) as planned
        from (
          select platform, sum(planned) as planned from messages_counted where platform is not null group by platform
        ) as seen
        full join (select platform, planned from mailing_platforms where ${kept}) as said using (platform)
        where seen.planned is distinct from said.planned
      )`,
      )}
    )
    select ${addedCounts(sql, { projectId, mailingId }, { variant: sql`variant`, difference: sql`counts` })} from difference where 0 <> any (counts)`;
}
