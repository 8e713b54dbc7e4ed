import { outboxColumns, outboxCtes } from '../../events/outbox.ts';
import type { JSONValue, Sql } from '../../platform/database/database.ts';
import { hearingCtes, listensTo, type Words } from '../../scenarios/hearing-store.ts';
import { countedReactions } from '../messages/mailing-counts-store.ts';
import { incomingMessage } from '../messages/new-store.ts';
import type { SessionFacts } from './present.ts';
import type { Reaction } from './reactions.ts';
import { noteReaction } from './reactions-store.ts';
import { openSessionFacts } from './sessions-store.ts';
import type { ChatRow } from './store.ts';

export type IncomingMessage = {
  id: string;
  external_id: string;
  content_type: string;
  content: Record<string, JSONValue>;
};

/** The circumstances of a client's message. */
type SessionOnMessage = {
  /** Whether the project opens a session when a client writes. */
  wanted: boolean;
  /** The chat's open session. */
  session: SessionFacts | null;
  /** Whether a scenario may react to the message. */
  listens: boolean;
};

export async function sessionOnMessage(sql: Sql, chat: ChatRow): Promise<SessionOnMessage> {
  const [row] = await sql<[SessionOnMessage]>`
    select met.*, session is null and ${listensTo(sql, chat)} as listens
    from (
      select open_session_on_message as wanted, ${openSessionFacts(sql, sql`projects.id`, sql`${chat.id}`)} as session
      from projects where id = ${chat.project_id}
    ) as met`;
  return row;
}

/**
 * Stores a client's message with its announcements. Updates the client: reachable, listening, with these names. An
 * announcement that names our message is dropped unless it is the first such reaction. A listening scenario gets the
 * message too. Returns false, and stores nothing, when the channel has used the external id before.
 */
export async function storeIncoming(
  sql: Sql,
  chat: ChatRow,
  message: IncomingMessage,
  reaction: Reaction,
  announcements: readonly ({ reacted_to: string | null } & Record<string, JSONValue>)[],
  now: Date,
  /** With the id of a run that may begin. Null when no scenario listens. */
  listening: (Words & { runId: string }) | null,
): Promise<boolean> {
  const reacts = reaction.messages.length > 0;
  const stored = await sql`
    with fresh as (
      insert into external_ids (project_id, owner_id, external_id, message_id, chat_id, created_at)
      values (${chat.project_id}, ${chat.channel_id}, ${message.external_id}, ${message.id}, ${chat.id}, ${now})
      on conflict do nothing
      returning project_id, chat_id, message_id
    ),
    touched as (
      update chats set name = coalesce(${chat.name}, name), username = coalesce(${chat.username}, username),
        stopped_at = null,
        last_active_at = greatest(last_active_at, ${now}), heard_id = greatest(heard_id, ${message.id}::uuid)
      from fresh where chats.project_id = fresh.project_id and chats.id = fresh.chat_id
    ),
    message as (
      ${incomingMessage(sql, sql`fresh`, {
        channelId: chat.channel_id,
        contentType: message.content_type,
        content: message.content,
        externalId: message.external_id,
        now,
      })}
    ),
    ${listening ? sql`${hearingCtes(sql, sql`fresh`, { ...listening, platform: chat.platform, now })},` : sql``}
    ${reacts ? reactedCtes(sql, chat, reaction, now) : sql``}
    announced as (
      select event.* from jsonb_to_recordset(${sql.json(announcements)}) as event (reacted_to uuid, ${outboxColumns(sql)}), fresh
      where reacted_to is null ${reacts ? sql`or reacted_to in (select id from reacted)` : sql``}
    ),
    ${outboxCtes(sql, sql`announced`, now)}
    select message_id ${reacts ? sql`, (select count(*) from mailing_counted) as counted` : sql``} from fresh`;
  return stored.length > 0;
}

const reactedCtes = (sql: Sql, chat: ChatRow, reaction: Reaction, now: Date) => sql`
  reacted as (${noteReaction(sql, sql`fresh`, chat, reaction, now)}),
  mailing_counted as (${countedReactions(sql, reaction.type, sql`reacted`)}),`;
