import type { Sql } from '../../platform/database/database.ts';
import type { Way } from './ways.ts';

export type Departure = { at: string; by: Way };

export type Standing = {
  /** When and how the client unsubscribed from everything. Null if they did not. */
  everything: Departure | null;
  /** The topics that the client left. */
  topics: (Departure & { id: string; name: string })[];
  /** The client's addresses on the suppression list. */
  listed: string[];
};

/** What a client wants of mailings. The earliest of several departures counts. */
export async function standingOf(
  sql: Sql,
  { projectId, profileId }: { projectId: string; profileId: string },
): Promise<Standing> {
  const [row] = await sql<[Standing]>`
    with theirs as (
      select id, platform, external_id, phone, unsubscribed_at, unsubscribed_by, left_topics from chats
      where project_id = ${projectId} and profile_id = ${profileId}
    )
    select
      (
        select jsonb_build_object('at', iso(unsubscribed_at), 'by', coalesce(unsubscribed_by, 'link')) from theirs
        where unsubscribed_at is not null order by unsubscribed_at, id limit 1
      ) as everything,
      coalesce((
        select jsonb_agg(topic order by topic ->> 'name') from (
          select distinct on (topics.id)
            jsonb_build_object('id', topics.id, 'name', topics.name) || (left_topics -> topics.id::text) as topic
          from theirs join topics on topics.project_id = ${projectId} and left_topics ? topics.id::text
          order by topics.id, left_topics -> topics.id::text ->> 'at'
        ) as departed
      ), '[]') as topics,
      array(
        select distinct address from suppressions
        where project_id = ${projectId} and (platform, address) in (
          select platform, external_id from theirs
          union all select '', external_id from theirs
          union all select '', phone from theirs
          union all select '', unnest(array[phone_number, lower(email collate "C")]) from profiles
          where project_id = ${projectId} and id = ${profileId}
        )
      ) as listed`;
  return row;
}
