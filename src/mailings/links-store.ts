import { outboxColumns, outboxCtes } from '../events/outbox.ts';
import { countedReactions } from '../messaging/messages/mailing-counts-store.ts';
import { reactedMessages } from '../messaging/messages/moves-store.ts';
import { saidBy } from '../messaging/messages/said-store.ts';
import type { JSONValue, Sql } from '../platform/database/database.ts';
import type { LinkPlace } from './link-token.ts';

/** A link in one recipient's message. */
export type LinkRow = {
  chat_id: string;
  platform: string;
  /** The address in the mailing's text. */
  address: string;
  content: { variables?: { [name: string]: string }; promocodes?: { [group: string]: string } };
  /** Whether the recipient has already followed one of the message's links. */
  jumped: boolean;
};

export async function findLink(
  sql: Sql,
  { projectId, messageId, index }: LinkPlace,
): Promise<LinkRow | undefined> {
  const [row] = await sql<LinkRow[]>`
    select messages.chat_id, chats.platform, said.links[${index + 1}::integer] as address, content,
      jumped_at is not null as jumped
    from messages
    join mailings on mailings.project_id = messages.project_id and mailings.id = messages.mailing_id
    cross join lateral ${saidBy(sql, sql`messages.variant`)} as said
    join chats on chats.project_id = messages.project_id and chats.id = messages.chat_id
    where messages.project_id = ${projectId} and messages.id = ${messageId}
      and said.links[${index + 1}::integer] is not null`;
  return row;
}

/** Records, counts and announces the recipient's first visit of a link. */
export async function markJumped(
  sql: Sql,
  { projectId, messageId }: LinkPlace,
  event: Record<string, JSONValue>,
  now: Date,
): Promise<void> {
  const visited = sql`(select ${projectId}::uuid as project_id, ${messageId}::uuid as id, 'URL' as type)`;
  await sql`
    with jumped as (
      ${reactedMessages(sql, visited, 1, now)} and jumped_at is null
      returning messages.id, messages.project_id, mailing_id, variant, given.type
    ),
    mailing_counted as (${countedReactions(sql, sql`jumped`)}),
    announced as (
      select event.* from jsonb_to_recordset(${sql.json([event])}) as event (${outboxColumns(sql)}), jumped
    ),
    ${outboxCtes(sql, sql`announced`, now)}
    select count(*) from mailing_counted`;
}
