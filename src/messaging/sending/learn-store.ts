import type { Sql } from '../../platform/database/database.ts';
import { postponedMessages } from '../messages/moves-store.ts';

/** The last message of each of these chats, if it was sent after `since`. */
export function lastSent(
  sql: Sql,
  projectId: string,
  chats: readonly string[],
  since: Date,
): Promise<{ chat_id: string; message_id: string; sent_at: Date }[]> {
  return sql<{ chat_id: string; message_id: string; sent_at: Date }[]>`
    select distinct on (asked.id) asked.id as chat_id, latest.id as message_id, sent_at
    from unnest(${[...chats]}::uuid[]) as asked (id)
    cross join lateral (
      select id, sent_at from messages where project_id = ${projectId} and chat_id = asked.id order by id desc limit 20
    ) as latest
    where sent_at > ${since}
    order by asked.id, sent_at desc`;
}

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
