import type { Sql } from '../../platform/database/database.ts';
import { mailingReactedCte } from './mailing-counts-store.ts';
import type { Reaction } from './reactions.ts';
import type { ChatRow } from './store.ts';

/** A message of the stream or of a mailing. */
export type Touched = { id: string; source: 'stream' | 'mailing' };

const awaitsReaction = (sql: Sql) => sql`source in ('stream', 'mailing')`;

/** A quick client answers before we have noted the sending: then the call is still under way. */
const isUnderWay = (sql: Sql) => sql`(sent_at is null and lease is not null)`;

/** Their messages that went to the chat since then, and that nobody has replied to. */
export function findUnanswered(sql: Sql, chat: ChatRow, since: Date): Promise<Touched[]> {
  const unanswered = sql`
    select id, source from messages
    where project_id = ${chat.project_id} and chat_id = ${chat.id} and ${awaitsReaction(sql)} and replied_at is null`;
  return sql<Touched[]>`
    ${unanswered} and sent_at >= ${since} union all ${unanswered} and ${isUnderWay(sql)}`;
}

/**
 * The one of their messages whose button was pressed, told by what the button carries or else by its label. Where a
 * later message of another kind has the same button, that one is meant.
 */
export function findPressed(sql: Sql, chat: ChatRow, button: string): Promise<Touched[]> {
  const ofChat = sql`project_id = ${chat.project_id} and chat_id = ${chat.id}`;
  const hasButton = sql`(
    coalesce(rendered, content) @> ${sql.json({ buttons: [{ payload: button }] })}
    or coalesce(rendered, content) @> ${sql.json({ buttons: [{ text: button }] })})`;
  return sql<Touched[]>`
    select id, source from (
      select id, source, sent_at from messages
      where ${ofChat} and ${awaitsReaction(sql)} and (sent_at is not null or ${isUnderWay(sql)}) and ${hasButton}
      order by sent_at desc nulls first limit 1
    ) as pressed
    where not exists (
      select from messages
      where ${ofChat} and direction = 'out' and id > pressed.id and sent_at > pressed.sent_at and ${hasButton}
    )`;
}

/**
 * Notes a reaction on each of its messages that has not had it, once the client's message is `fresh`. Gives `reacted`,
 * the ids of those that now have it, and `mailing_counted`, which the main statement must read. Messages are locked in
 * the order in which everybody locks them.
 */
export const reactedCtes = (sql: Sql, chat: ChatRow, { type, messages }: Reaction, now: Date) => {
  const mark = type === 'REPLY' ? sql`replied_at` : sql`clicked_at`;
  return sql`
    reacted as (
      update messages set ${mark} = ${now}
      where project_id = ${chat.project_id} and id = any (array(
        select id from messages
        where project_id = ${chat.project_id} and id = any (${messages.map(({ id }) => id)}::uuid[]) and ${mark} is null
          and exists (select from fresh)
        order by id for update
      ))
      returning id, project_id, mailing_id
    ),
    ${mailingReactedCte(sql, type, sql`reacted`)}`;
};
