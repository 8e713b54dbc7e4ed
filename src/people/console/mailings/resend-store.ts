import { hasList, whyNot } from '../../../clients/consent/refusal-store.ts';
import type { Sql } from '../../../platform/database/database.ts';

export type Run = { projectId: string; id: string; startedAt: Date; topicId: string | null };

export type Variables = { [name: string]: string } | null;

export type FailedRow = {
  id: string;
  chat_id: string;
  profile_id: string;
  state_detail: string;
  /** The client's line of the file. Null where it is not asked for. */
  variables: Variables;
  /** The client blocked us or asked us to stop, or left mailings or their topic. */
  is_refused: boolean;
  /** The client has, or will get, the mailing in another chat. */
  is_reached: boolean;
};

export type FailedPage = { after: string; atMost: number; withVariables: boolean };

/** The next failed messages of a run in the order of their ids, with their recipients. */
export function findFailed(
  sql: Sql,
  { projectId, id, startedAt, topicId }: Run,
  { after, atMost, withVariables }: FailedPage,
): Promise<FailedRow[]> {
  const client = { projectId: sql`${projectId}`, profileId: sql`chats.profile_id` };
  const rule = {
    topicId: topicId === null ? null : sql`${topicId}::uuid`,
    hasList: hasList(sql, sql`${projectId}`),
  };
  // 'offset 0': each by its key. Of a young table the planner would read the whole mailing for each message.
  return sql<FailedRow[]>`
    with page as materialized (
      select id, chat_id, state_detail, ${withVariables ? sql`content -> 'variables'` : sql`null::jsonb`} as variables
      from messages
      where project_id = ${projectId} and mailing_id = ${id} and has_failed
        and id >= uuid_floor(${startedAt}) and id > ${after}
      order by id limit ${atMost}
    )
    select page.*, chats.profile_id,
      chats.stopped_at is not null or ${whyNot(sql, client, rule)} is not null as is_refused,
      (
        select true from chats as others
        cross join lateral (
          select mailing_id, state from messages
          where messages.project_id = ${projectId} and messages.chat_id = others.id
            and messages.id >= uuid_floor(${startedAt}) offset 0
        ) as twin
        where others.project_id = ${projectId} and others.profile_id = chats.profile_id and others.id <> page.chat_id
          and twin.mailing_id = ${id} and twin.state in ('PENDING', 'IN_PROCESS', 'SENT', 'DELIVERED', 'READ')
        limit 1
      ) is true as is_reached
    from page
    cross join lateral (
      select profile_id, stopped_at from chats
      where chats.project_id = ${projectId} and chats.id = page.chat_id offset 0
    ) as chats
    order by page.id`;
}
