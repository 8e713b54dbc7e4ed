import type { Sql } from '../../platform/database/database.ts';
import type { DecidingMeasure } from './limits.ts';

/** The statistics of one variant. */
export type VariantCounts = { variant: number; planned: number; sent: number; delivered: number } & {
  [measure in DecidingMeasure]: number;
} & { undelivered: number; cancelled: number };

/** Of the variants 1 to `count`, in order. Together they are the mailing's. */
export async function countsByVariant(
  sql: Sql,
  projectId: string,
  mailingId: string,
  count: number,
): Promise<VariantCounts[]> {
  return await sql<VariantCounts[]>`
    select place::int as variant, coalesce(sum(planned), 0)::int as planned, coalesce(sum(sent), 0)::int as sent,
      coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(read), 0)::int as read,
      coalesce(sum(jumped_url), 0)::int as jumped, coalesce(sum(clicked), 0)::int as clicked,
      coalesce(sum(replied), 0)::int as replied, coalesce(sum(undelivered), 0)::int as undelivered,
      coalesce(sum(cancelled), 0)::int as cancelled,
      (
        select count(distinct message_id)::int from conversions
        where conversions.project_id = ${projectId} and conversions.mailing_id = ${mailingId}
          and conversions.variant = place
      ) as converted
    from generate_series(1, ${count}::integer) as place
    left join mailing_counts
      on mailing_counts.project_id = ${projectId} and mailing_id = ${mailingId} and variant = place
    group by place order by place`;
}
