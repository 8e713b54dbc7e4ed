import type { Sql } from '../../../platform/database/database.ts';

/**
 * The number of messages of a run that are read. Ids are random within a run, so the first of them are a fair sample.
 */
export const sampled = 20_000;

export type TimelineRow = {
  looked: number;
  step: number | null;
  results: { at: string; sent: number; delivered: number; read: number }[];
};

/**
 * The events of a run's messages, in at most sixty steps. Late receipts are left out, because they would hide the
 * rest.
 */
export async function findTimeline(
  sql: Sql,
  projectId: string,
  id: string,
  startedAt: Date,
): Promise<TimelineRow> {
  const moment = (column: 'sent_at' | 'delivered_at' | 'read_at') => sql`
    select date_bin(make_interval(secs => step), ${sql(column)}, first_at) as at, ${column}::text as what
    from sample, steps where ${sql(column)} between first_at and last_at`;
  const [row] = await sql<[TimelineRow]>`
    with sample as materialized (
      select sent_at, delivered_at, read_at from messages
      where project_id = ${projectId} and mailing_id = ${id} and id >= uuid_floor(${startedAt})
      order by id limit ${sampled}
    ),
    bounds as (
      select date_trunc('second', min(sent_at)) as first_at,
        least(
          max(greatest(sent_at, delivered_at, read_at)),
          max(sent_at) + greatest(max(sent_at) - min(sent_at), interval '10 minutes')
        ) as last_at
      from sample
    ),
    steps as (
      select first_at, last_at, (
        select step from unnest(array[
          1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 604800
        ]) as step
        where step * 60 >= extract(epoch from last_at - first_at) order by step limit 1
      ) as step
      from bounds
    ),
    happened as (${moment('sent_at')} union all ${moment('delivered_at')} union all ${moment('read_at')}),
    told as (
      select iso(at) as at, count(*) filter (where what = 'sent_at') as sent,
        count(*) filter (where what = 'delivered_at') as delivered, count(*) filter (where what = 'read_at') as read
      from happened group by happened.at
    )
    select (select count(*)::int from sample) as looked, (select step from steps) as step,
      coalesce((select jsonb_agg(told order by at) from told), '[]') as results`;
  return row;
}
