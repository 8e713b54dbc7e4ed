import type { Sql } from '../storage/database.ts';
import type { Reaction } from './reactions.ts';
import type { ChatRow } from './store.ts';

type Found = { id: string };

const idsOf = (rows: readonly Found[]): string[] => rows.map(({ id }) => id);

/** A quick client answers before we have noted the sending: then the call is still under way. */
const isUnderWay = (sql: Sql) => sql`(sent_at is null and lease is not null)`;

/** The stream's messages that went to the chat since then, and that nobody has replied to. */
export async function findUnanswered(sql: Sql, chat: ChatRow, since: Date): Promise<string[]> {
  const unanswered = sql`
    select id from messages
    where project_id = ${chat.project_id} and chat_id = ${chat.id} and source = 'stream' and replied_at is null`;
  return idsOf(
    await sql<Found[]>`
    ${unanswered} and sent_at >= ${since} union all ${unanswered} and ${isUnderWay(sql)}`,
  );
}

/**
 * The stream's message whose button was pressed, told by what the button carries or else by its label. Where a later
 * message of another kind has the same button, that one is meant.
 */
export async function findPressed(sql: Sql, chat: ChatRow, button: string): Promise<string[]> {
  const ofChat = sql`project_id = ${chat.project_id} and chat_id = ${chat.id}`;
  const hasButton = sql`(
    content @> ${sql.json({ buttons: [{ payload: button }] })} or content @> ${sql.json({ buttons: [{ text: button }] })})`;
  return idsOf(
    await sql<Found[]>`
    select id from (
      select id, sent_at from messages
      where ${ofChat} and source = 'stream' and (sent_at is not null or ${isUnderWay(sql)}) and ${hasButton}
      order by sent_at desc nulls first limit 1
    ) as task
    where not exists (
      select from messages where ${ofChat} and direction = 'out' and id > task.id and sent_at > task.sent_at and ${hasButton}
    )`,
  );
}

/**
 * Notes a reaction on each of its messages that has not had it, once the client's message is `fresh`. Gives `reacted`,
 * the ids of those that now have it. Messages are locked in the order in which everybody locks them.
 */
export const reactedCte = (sql: Sql, chat: ChatRow, { type, taskIds }: Reaction, now: Date) => {
  const mark = type === 'REPLY' ? sql`replied_at` : sql`clicked_at`;
  return sql`
    reacted as (
      update messages set ${mark} = ${now}
      where project_id = ${chat.project_id} and id = any (array(
        select id from messages
        where project_id = ${chat.project_id} and id = any (${taskIds}::uuid[]) and ${mark} is null
          and exists (select from fresh)
        order by id for update
      ))
      returning id
    )`;
};
