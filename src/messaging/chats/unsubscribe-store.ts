import type { Fragment, Sql } from '../../platform/database/database.ts';

export type ChatName = { projectId: string; chatId: string };

/** The chat's project by its name. Undefined for a missing chat. */
export async function findSubscription(
  sql: Sql,
  { projectId, chatId }: ChatName,
): Promise<{ project: string; isSubscribed: boolean } | undefined> {
  const [row] = await sql<{ project: string; isSubscribed: boolean }[]>`
    select projects.name as project, not ${hasUnsubscribed(sql, sql`chats.project_id`, sql`chats.profile_id`)} as "isSubscribed"
    from chats join projects on projects.id = chats.project_id
    where chats.project_id = ${projectId} and chats.id = ${chatId}`;
  return row;
}

/** Mailings do not reach this client any more. Everything else does. */
export async function unsubscribe(sql: Sql, { projectId, chatId }: ChatName, now: Date): Promise<void> {
  await sql`
    update chats set unsubscribed_at = ${now}
    where project_id = ${projectId} and id = ${chatId} and unsubscribed_at is null`;
}

/** The client gets mailings again, whichever of their chats unsubscribed. */
export async function subscribeAgain(sql: Sql, { projectId, chatId }: ChatName): Promise<void> {
  await sql`
    update chats set unsubscribed_at = null
    from chats as named
    where named.project_id = ${projectId} and named.id = ${chatId}
      and chats.project_id = named.project_id and chats.profile_id = named.profile_id
      and chats.unsubscribed_at is not null`;
}

/** The reason why a mailing does not reach a client. */
export const unsubscribed = 'The client has unsubscribed from mailings.';

/** Whether this client has unsubscribed, in any chat. */
export const hasUnsubscribed = (sql: Sql, projectId: Fragment, profileId: Fragment): Fragment => sql`
  exists (
    select from chats as leaving
    where leaving.project_id = ${projectId} and leaving.profile_id = ${profileId}
      and leaving.unsubscribed_at is not null
  )`;
