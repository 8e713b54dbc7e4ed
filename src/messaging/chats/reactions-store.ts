import type { Fragment, Sql } from '../../platform/database/database.ts';
import { fewMessages, reactedMessages } from '../messages/moves-store.ts';
import type { Reaction } from './reactions.ts';
import type { ChatRow } from './store.ts';

/** A message of the stream or of a mailing. */
export type Touched = { id: string; source: 'stream' | 'mailing' };

const awaitsReaction = (sql: Sql) => sql`source in ('stream', 'mailing')`;

/** A fast client answers before the sending is recorded. The call is then still running. */
const isUnderWay = (sql: Sql) => sql`(sent_at is null and lease is not null)`;

/** Messages sent to the chat since then without a reply. */
export function findUnanswered(sql: Sql, chat: ChatRow, since: Date): Promise<Touched[]> {
  const unanswered = sql`
    select id, source from messages
    where project_id = ${chat.project_id} and chat_id = ${chat.id} and ${awaitsReaction(sql)} and replied_at is null`;
  return sql<Touched[]>`
    ${unanswered} and sent_at >= ${since} union all ${unanswered} and ${isUnderWay(sql)}`;
}

/**
 * The message whose button was pressed, found by the button's payload or else its label. None if a
 * later message of another kind has the same button.
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
 * A statement for a CTE. Notes a reaction on each message without it, if `fresh` has a row. Returns the messages that
 * now have it. Messages are locked in the order that every statement uses.
 */
export const noteReaction = (
  sql: Sql,
  fresh: Fragment,
  chat: ChatRow,
  { type, messages }: Reaction,
  now: Date,
) => {
  const mark = type === 'REPLY' ? 'replied_at' : 'clicked_at';
  const ids = messages.map(({ id }) => id).toSorted();
  // Each by its whole key: for a list of ids the planner may read the whole project.
  const unmarked = sql`
    select unmarked.id from unnest(${ids}::uuid[]) as touched (id)
    cross join lateral (
      select messages.id from messages
      where messages.project_id = ${chat.project_id} and messages.id = touched.id and ${sql(mark)} is null
        and exists (select from ${fresh} as fresh)
      for update
    ) as unmarked`;
  return sql`
    ${reactedMessages(sql, fewMessages(sql, { projectId: chat.project_id, ids: unmarked, most: ids.length }), mark, now)}
    returning messages.id, messages.project_id, mailing_id`;
};
