import type { Sql } from '../../platform/database/database.ts';
import { postponedMessages } from '../messages/moves-store.ts';

/** The last message of each of these chats, if it was sent after `since`. */
export function lastSent(
  sql: Sql,
  projectId: string,
  chats: readonly string[],
  since: Date,
): Promise<{ chat_id: string; sent_at: Date }[]> {
  return sql<{ chat_id: string; sent_at: Date }[]>`
    select asked.id as chat_id, max(sent_at) as sent_at from unnest(${[...chats]}::uuid[]) as asked (id)
    cross join lateral (
      select sent_at from messages where project_id = ${projectId} and chat_id = asked.id order by id desc limit 20
    ) as latest
    group by asked.id having max(sent_at) > ${since}`;
}

export type LatestMessage = {
  chat_id: string;
  id: string;
  sent_at: Date | null;
  /** Whether it waits for its turn, or is being sent. One that waits for the morning, or for its next try, is neither. */
  is_due: boolean;
};

/** Of the latest messages of each of these chats those that were sent within the pause, and those that are due. */
export function latestOf(
  sql: Sql,
  projectId: string,
  chats: readonly string[],
  { now, pauseMs }: { now: Date; pauseMs: number },
): Promise<LatestMessage[]> {
  const since = new Date(now.getTime() - pauseMs);
  const lastTurn = new Date(now.getTime() + mostAhead * pauseMs);
  return sql<LatestMessage[]>`
    select asked.id as chat_id, latest.id, sent_at, is_due from unnest(${[...chats]}::uuid[]) as asked (id)
    cross join lateral (
      select id, sent_at, is_queued and coalesce(launch_at, created_at) <= ${now} and due_at <= ${lastTurn}
          and (attempts = 0 or lease is not null or due_at <= ${now}) as is_due
      from messages where project_id = ${projectId} and chat_id = asked.id order by id desc limit ${mostAhead}
    ) as latest
    where is_due or sent_at > ${since}`;
}

/** A chat's messages before these wait no longer than the last of them. */
const mostAhead = 100;

/** Delays the messages that wait for a chat until then. Messages before the latest thousand no longer wait. */
export async function pauseChat(sql: Sql, projectId: string, chatId: string, until: Date): Promise<void> {
  await sql`
    with waiting as (
      select project_id, id from messages
      where project_id = ${projectId} and state = 'PENDING' and due_at < ${until} and id in (
        select id from messages where project_id = ${projectId} and chat_id = ${chatId} order by id desc limit 1000
      )
      order by id for update
    )
    ${postponedMessages(sql, sql`waiting`, until)} and state = 'PENDING'`;
}
