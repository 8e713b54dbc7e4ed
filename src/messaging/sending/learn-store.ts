import type { Sql } from '../../platform/database/database.ts';
import { postponedMessages } from '../messages/moves-store.ts';

/** Those of these chats that had a message since then. */
export async function chatsSentTo(
  sql: Sql,
  projectId: string,
  chats: readonly string[],
  since: Date,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select asked.id from unnest(${[...chats]}::uuid[]) as asked (id)
    cross join lateral (
      select sent_at from messages where project_id = ${projectId} and chat_id = asked.id order by id desc limit 20
    ) as latest
    group by asked.id having max(sent_at) > ${since}`;
  return rows.map(({ id }) => id);
}

/** What waits for a chat waits until then. Far more than a thousand messages ago nothing waits any more. */
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
