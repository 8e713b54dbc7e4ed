import { hasFailed } from '../messaging/messages/mailing-counts-store.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';

/** What the removed messages of a mailing on one platform add to its statistics. */
export type RemovedGroup = {
  project_id: string;
  mailing_id: string;
  platform: string;
  planned: number;
  sent: number;
  delivered: number;
  read: number;
  undelivered: number;
  cancelled: number;
  clicked: number;
  jumped_url: number;
  replied: number;
};

/** The groups of `rows` of `messages`. */
export const removedGroups = (sql: Sql, rows: Fragment) => {
  const ofState = (place: number) => sql`sum((mailing_state_counts(old.state))[${place}::integer])::integer`;
  const did = (moment: Fragment) =>
    sql`(count(${moment}) filter (where not ${hasFailed(sql, sql`old.state`)}))::integer`;
  return sql`(
    select old.project_id, old.mailing_id, coalesce(channels.platform, chats.platform, '') as platform,
      count(*)::integer as planned, ${ofState(1)} as sent, ${ofState(2)} as delivered, ${ofState(3)} as read,
      ${ofState(4)} as undelivered, ${ofState(5)} as cancelled, ${did(sql`old.clicked_at`)} as clicked,
      ${did(sql`old.jumped_at`)} as jumped_url, ${did(sql`old.replied_at`)} as replied
    from ${rows} as old
    left join channels on channels.project_id = old.project_id and channels.id = old.channel_id
    left join chats on old.channel_id is null and chats.project_id = old.project_id and chats.id = old.chat_id
    where old.mailing_id is not null group by 1, 2, 3
  )`;
};

/** A statement that adds groups to those of earlier removals. */
export const addedRemoved = (sql: Sql, groups: Fragment) => sql`
  insert into mailing_removed as kept (
    project_id, mailing_id, platform, planned, sent, delivered, read, undelivered, cancelled, clicked, jumped_url, replied
  )
  select project_id, mailing_id, platform, sum(planned), sum(sent), sum(delivered), sum(read), sum(undelivered),
    sum(cancelled), sum(clicked), sum(jumped_url), sum(replied)
  from ${groups} as removed group by project_id, mailing_id, platform order by project_id, mailing_id, platform
  on conflict (project_id, mailing_id, platform) do update set
    planned = kept.planned + excluded.planned, sent = kept.sent + excluded.sent,
    delivered = kept.delivered + excluded.delivered, read = kept.read + excluded.read,
    undelivered = kept.undelivered + excluded.undelivered, cancelled = kept.cancelled + excluded.cancelled,
    clicked = kept.clicked + excluded.clicked, jumped_url = kept.jumped_url + excluded.jumped_url,
    replied = kept.replied + excluded.replied`;

export async function addRemoved(sql: Sql, groups: readonly RemovedGroup[]): Promise<void> {
  if (groups.length === 0) return;
  await addedRemoved(
    sql,
    sql`(
      select * from jsonb_to_recordset(${sql.json(groups)}) as given (
        project_id uuid, mailing_id uuid, platform text, planned integer, sent integer, delivered integer, read integer,
        undelivered integer, cancelled integer, clicked integer, jumped_url integer, replied integer
      )
    )`,
  );
}

/** The numbers of the mailing's removed messages by platform and for no variant, in the order of the statistics. */
export const removedCounts = (sql: Sql, ofMailing: Fragment) => sql`
  select nullif(platform, ''), null::smallint, planned, array[
    planned, sent, delivered, read, undelivered, cancelled, clicked, jumped_url, replied
  ]::numeric[]
  from mailing_removed where ${ofMailing}`;
