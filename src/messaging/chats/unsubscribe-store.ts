import type { Way } from '../../clients/consent/ways.ts';
import type { Sql } from '../../platform/database/database.ts';

/** A client by one of their chats. */
export type ChatName = { projectId: string; chatId: string };

export type Subscription = {
  /** The project's name. */
  project: string;
  hasUnsubscribed: boolean;
  /** The topics of the project. */
  topics: { id: string; name: string; hasLeft: boolean }[];
};

/** Undefined for a missing chat. */
export async function findSubscription(
  sql: Sql,
  { projectId, chatId }: ChatName,
): Promise<Subscription | undefined> {
  const [row] = await sql<Subscription[]>`
    with theirs as (
      select chats.unsubscribed_at, chats.left_topics from chats as named
      join chats on chats.project_id = named.project_id and chats.profile_id = named.profile_id
      where named.project_id = ${projectId} and named.id = ${chatId}
    )
    select projects.name as project,
      exists (select from theirs where unsubscribed_at is not null) as "hasUnsubscribed",
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', id, 'name', name, 'hasLeft', exists (select from theirs where left_topics ? topics.id::text)
        ) order by lower(name collate "C"))
        from topics where topics.project_id = ${projectId}
      ), '[]') as topics
    from projects where projects.id = ${projectId} and exists (select from theirs)`;
  return row;
}

/** Mailings do not reach this client any more. Everything else does. */
export async function unsubscribe(
  sql: Sql,
  { projectId, chatId }: ChatName,
  way: Way,
  now: Date,
): Promise<void> {
  await sql`
    update chats set unsubscribed_at = ${now}, unsubscribed_by = ${way}
    where project_id = ${projectId} and id = ${chatId} and unsubscribed_at is null`;
}

/** Mailings about the topic do not reach this client any more. Nothing happens for a topic of another project. */
export async function leaveTopic(
  sql: Sql,
  { projectId, chatId }: ChatName,
  { topicId, way, now }: { topicId: string; way: Way; now: Date },
): Promise<void> {
  const departure = { [topicId]: { at: now.toISOString(), by: way } };
  await sql`
    update chats set left_topics = coalesce(left_topics, '{}') || ${sql.json(departure)}::jsonb
    where project_id = ${projectId} and id = ${chatId} and not coalesce(left_topics ? ${topicId}, false)
      and exists (select from topics where topics.project_id = ${projectId} and topics.id = ${topicId})`;
}

/** The client wants the topic again, or all topics with null, whichever of their chats left. */
export async function returnToTopics(
  sql: Sql,
  { projectId, chatId }: ChatName,
  topicId: string | null,
): Promise<void> {
  await sql`
    update chats set left_topics = ${topicId === null ? sql`null` : sql`nullif(chats.left_topics - ${topicId}::text, '{}')`}
    from chats as named
    where named.project_id = ${projectId} and named.id = ${chatId}
      and chats.project_id = named.project_id and chats.profile_id = named.profile_id
      and chats.left_topics is not null`;
}

/** The client gets mailings again, whichever of their chats unsubscribed. */
export async function subscribeAgain(sql: Sql, { projectId, chatId }: ChatName): Promise<void> {
  await sql`
    update chats set unsubscribed_at = null, unsubscribed_by = null
    from chats as named
    where named.project_id = ${projectId} and named.id = ${chatId}
      and chats.project_id = named.project_id and chats.profile_id = named.profile_id
      and chats.unsubscribed_at is not null`;
}
