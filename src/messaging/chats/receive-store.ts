import { outboxColumns, outboxCtes } from '../../events/outbox.ts';
import type { Fragment, JSONValue, Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';
import { inPositions } from '../../platform/database/positions.ts';
import {
  type Heard,
  heardColumns,
  heardRow,
  hearingCtes,
  heldRuns,
  listensTo,
} from '../../scenarios/hearing-store.ts';
import { countedReactions } from '../messages/mailing-counts-store.ts';
import { incomingMessages } from '../messages/new-store.ts';
import type { Asked } from './consent-words.ts';
import type { SessionFacts } from './present.ts';
import type { Reaction } from './reactions.ts';
import { reactedCtes } from './reactions-store.ts';
import { openSessionFacts } from './sessions-store.ts';
import type { ChatRow } from './store.ts';

export type IncomingMessage = {
  id: string;
  external_id: string;
  content_type: string;
  content: Record<string, JSONValue>;
};

/** A client's message with all that it changes. */
export type Incoming = {
  /** With the client's current names. */
  chat: ChatRow;
  message: IncomingMessage;
  reaction: Reaction;
  /** Those that name our message by `reacted_to` are dropped unless it is the first such reaction. */
  announcements: readonly ({ reacted_to: string | null } & Record<string, JSONValue>)[];
  /** Null when no scenario listens. */
  heard: Heard | null;
  /** When it came. */
  now: Date;
};

/** The circumstances of a client's message. */
type SessionOnMessage = {
  /** Whether the project opens a session when a client writes. */
  wanted: boolean;
  /** The chat's open session. */
  session: SessionFacts | null;
  /** Whether a scenario may react to the message. */
  listens: boolean;
  /** What the message asks for as a word of the project. Null for any other message. */
  asked: Asked | null;
};

/** A message that came: its chat, and the text as `asKeyword` makes it. */
export type Said = { chat: ChatRow; word: string };

export async function sessionsOnMessage(
  sql: Sql,
  said: readonly Said[],
): Promise<(SessionOnMessage | undefined)[]> {
  const asked = said.map(({ chat: { project_id, id, profile_id, platform }, word }, position) => ({
    position,
    project_id,
    chat_id: id,
    profile_id,
    platform,
    word,
  }));
  const columns = sql`
    position integer, project_id uuid, chat_id uuid, profile_id uuid, platform text, word text`;
  const rows = await sql<(SessionOnMessage & { position: number })[]>`
    select asked.position, open_session_on_message as wanted, met.session,
      met.session is null and ${listensTo(sql, sql`asked`)} as listens,
      ${askedBy(sql)} as asked
    from ${fewRows(sql, asked, 'asked', columns)}
    join projects on projects.id = asked.project_id
    cross join lateral (
      select ${openSessionFacts(sql, sql`asked.project_id`, sql`asked.chat_id`)} as session
    ) as met`;
  return inPositions(asked, rows);
}

/** What a word of `asked` asks for. Who left nothing cannot come back: their message is as any other. */
const askedBy = (sql: Sql): Fragment => sql`
  case
    when asked.word = any (leave_words) then jsonb_build_object(
      'change', 'leave', 'topic', null, 'answer', leave_answer, 'return_words', return_words
    )
    when asked.word = any (return_words) and exists (
      select from chats as theirs
      where theirs.project_id = asked.project_id and theirs.profile_id = asked.profile_id
        and (theirs.unsubscribed_at is not null or theirs.left_topics is not null)
    ) then jsonb_build_object(
      'change', 'return', 'topic', null, 'answer', return_answer, 'return_words', return_words
    )
    else (
      select jsonb_build_object(
        'change', 'leave', 'topic', jsonb_build_object('id', topics.id, 'name', topics.name),
        'answer', leave_answer, 'return_words', return_words
      )
      from topics where topics.project_id = asked.project_id and asked.word = any (topics.words)
      order by topics.id limit 1
    )
  end`;

/**
 * Stores clients' messages, at most one of each chat, with their announcements. Updates the clients: reachable,
 * listening, with these names. Listening scenarios get the messages too. Returns for each whether it was stored.
 * Nothing of it is stored when the channel has used the external id before. Chats are locked in the order of their
 * ids, so that batches cannot deadlock. Their scenarios are locked before them, and the queues of events after, as by
 * turns of scenarios.
 */
export async function storeIncoming(sql: Sql, incoming: readonly Incoming[], now: Date): Promise<boolean[]> {
  const rows = incoming.map(incomingRow);
  const announcements = incoming.flatMap(({ message, announcements }) =>
    announcements.map((row) => ({ ...row, incoming_id: message.id })),
  );
  const reacting = incoming
    .filter(({ reaction }) => reaction.messages.length > 0)
    .map(({ chat, message, reaction }) => ({
      incomingId: message.id,
      projectId: chat.project_id,
      reaction,
    }));
  const reacts = reacting.length > 0;
  const hears = incoming.some(({ heard }) => heard !== null);
  const stored = await sql<{ message_id: string }[]>`
    with given as (select * from ${fewRows(sql, rows, 'given', incomingColumns(sql))}),
    fresh_ids as (
      insert into external_ids (project_id, owner_id, external_id, message_id, chat_id, created_at)
      select project_id, channel_id, external_id, message_id, chat_id, at from given
      order by project_id, channel_id, external_id
      on conflict do nothing
      returning message_id
    ),
    stored as (select given.* from given join fresh_ids using (message_id)),
    ${
      hears
        ? sql`talking as (${heldRuns(sql, sql`(select * from stored where run_id is not null)`)}),
          fresh as (select stored.*, running_id, is_running from stored left join talking using (chat_id)),`
        : sql`fresh as (select * from stored),`
    }
    writing as (
      select fresh.message_id from fresh
      join chats on chats.project_id = fresh.project_id and chats.id = fresh.chat_id
      order by chats.project_id, chats.id
      for no key update of chats
    ),
    touched as (
      update chats set name = coalesce(fresh.name, chats.name), username = coalesce(fresh.username, chats.username),
        stopped_at = null,
        last_active_at = greatest(last_active_at, fresh.at), heard_id = greatest(heard_id, fresh.message_id)
      from fresh join writing using (message_id)
      where chats.project_id = fresh.project_id and chats.id = fresh.chat_id
    ),
    message as (${incomingMessages(sql, sql`fresh`)}),
    ${hears ? sql`${hearingCtes(sql, sql`(select * from fresh where run_id is not null)`, now)},` : sql``}
    ${
      reacts
        ? sql`${reactedCtes(sql, sql`fresh`, reacting, now)},
          mailing_counted as (${countedReactions(sql, sql`reacted`)}),`
        : sql``
    }
    announced as (
      select event.* from jsonb_to_recordset(${sql.json(announcements)})
        as event (incoming_id uuid, reacted_to uuid, ${outboxColumns(sql)})
      join fresh on fresh.message_id = event.incoming_id
      where reacted_to is null ${reacts ? sql`or reacted_to in (select id from reacted)` : sql``}
    ),
    ${outboxCtes(sql, sql`announced`, now)}
    select message_id ${reacts ? sql`, (select count(*) from mailing_counted) as counted` : sql``} from fresh`;
  const fresh = new Set(stored.map(({ message_id }) => message_id));
  return incoming.map(({ message }) => fresh.has(message.id));
}

const incomingRow = ({ chat, message, heard, now }: Incoming) => ({
  project_id: chat.project_id,
  chat_id: chat.id,
  channel_id: chat.channel_id,
  platform: chat.platform,
  name: chat.name,
  username: chat.username,
  message_id: message.id,
  external_id: message.external_id,
  content_type: message.content_type,
  content: message.content,
  at: now.toISOString(),
  ...(heard && heardRow(heard)),
});

const incomingColumns = (sql: Sql) => sql`
  project_id uuid, chat_id uuid, channel_id uuid, platform text, name text, username text, message_id uuid,
  external_id text, content_type text, content jsonb, at timestamptz, ${heardColumns(sql)}`;
