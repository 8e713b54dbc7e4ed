import type { Fragment, Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';
import { inPositions } from '../../platform/database/positions.ts';
import { reactedMessages } from '../messages/moves-store.ts';
import type { Reaction } from './reactions.ts';
import type { ChatRow } from './store.ts';

/** A message of the stream or of a mailing. */
export type Touched = { id: string; source: 'stream' | 'mailing' };

const awaitsReaction = (sql: Sql) => sql`source in ('stream', 'mailing')`;

/** A fast client answers before the sending is recorded. The call is then still running. */
const isUnderWay = (sql: Sql) => sql`(sent_at is null and lease is not null)`;

/** For each chat, the messages sent to it since then without a reply. */
export async function findUnanswered(
  sql: Sql,
  chats: readonly { chat: ChatRow; since: Date }[],
): Promise<Touched[][]> {
  const asked = chats.map(({ chat, since }, position) => ({
    position,
    project_id: chat.project_id,
    chat_id: chat.id,
    since: since.toISOString(),
  }));
  const columns = sql`position integer, project_id uuid, chat_id uuid, since timestamptz`;
  const unanswered = sql`
    select id, source from messages
    where messages.project_id = asked.project_id and messages.chat_id = asked.chat_id and ${awaitsReaction(sql)}
      and replied_at is null`;
  const rows = await sql<Found[]>`
    select asked.position, unanswered.id, unanswered.source
    from ${fewRows(sql, asked, 'asked', columns)}
    cross join lateral (
      ${unanswered} and sent_at >= asked.since union all ${unanswered} and ${isUnderWay(sql)}
    ) as unanswered`;
  return inGroups(asked, rows);
}

/** A pressed button by its payload or else its label. `pressedIn` is the provider's id of its message, if known. */
export type Press = { chat: ChatRow; button: string; pressedIn: string | null };

/**
 * For each chat, the message whose button was pressed: the named one, or else the last one with such a button. None
 * if this is a message of another kind.
 */
export async function findPressed(sql: Sql, presses: readonly Press[]): Promise<Touched[][]> {
  const asked = presses.map(({ chat, button, pressedIn }, position) => ({
    position,
    project_id: chat.project_id,
    chat_id: chat.id,
    channel_id: chat.channel_id,
    pressed_in: pressedIn,
    by_payload: { buttons: [{ payload: button }] },
    by_label: { buttons: [{ text: button }] },
  }));
  const columns = sql`position integer, project_id uuid, chat_id uuid, channel_id uuid, pressed_in text, by_payload jsonb, by_label jsonb`;
  const ofChat = sql`messages.project_id = asked.project_id and messages.chat_id = asked.chat_id`;
  const hasButton = sql`(
    coalesce(rendered, content) @> asked.by_payload or coalesce(rendered, content) @> asked.by_label)`;
  const rows = await sql<Found[]>`
    select asked.position, coalesce(named.id, pressed.id) as id, coalesce(named.source, pressed.source) as source
    from ${fewRows(sql, asked, 'asked', columns)}
    left join lateral (
      select id, source, ${awaitsReaction(sql)} as awaits_reaction from messages
      where ${ofChat} and messages.channel_id = asked.channel_id and messages.provider_id = asked.pressed_in
        and direction = 'out'
      order by id desc limit 1
    ) as named on true
    left join lateral (
      select id, source, sent_at from messages
      where ${ofChat} and ${awaitsReaction(sql)} and (sent_at is not null or ${isUnderWay(sql)}) and ${hasButton}
      order by sent_at desc nulls first, id desc limit 1
    ) as pressed on named.id is null
    where named.awaits_reaction or pressed.id is not null and not exists (
      select from messages
      where ${ofChat} and direction = 'out' and id > pressed.id and sent_at > pressed.sent_at and ${hasButton}
    )`;
  return inGroups(asked, rows);
}

/** A pressed button by its payload or else its label. */
export type Unlabelled = { chat: ChatRow; button: string };

/** A press comes soon. Without this limit a button of no message would read the chat's whole history. */
const pressedAmong = 200;

/**
 * For each chat, the label of the pressed button: of the last message sent to it with such a button. Undefined if none
 * of its latest messages has one.
 */
export async function findLabels(
  sql: Sql,
  presses: readonly Unlabelled[],
): Promise<({ label: string } | undefined)[]> {
  const asked = presses.map(({ chat, button }, position) => ({
    position,
    project_id: chat.project_id,
    chat_id: chat.id,
    button,
  }));
  const columns = sql`position integer, project_id uuid, chat_id uuid, button text`;
  const rows = await sql<{ position: number; label: string }[]>`
    select asked.position, pressed.label
    from ${fewRows(sql, asked, 'asked', columns)}
    cross join lateral (
      select offered ->> 'text' as label
      from (
        select id, direction, sent_at, lease, coalesce(rendered, content) -> 'buttons' as buttons from messages
        where messages.project_id = asked.project_id and messages.chat_id = asked.chat_id
        order by id desc limit ${pressedAmong}
      ) as recent
      cross join jsonb_array_elements(case jsonb_typeof(buttons) when 'array' then buttons else '[]' end) as offered
      where direction = 'out' and (sent_at is not null or ${isUnderWay(sql)}) and offered ->> 'text' is not null
        and asked.button in (offered ->> 'payload', offered ->> 'text')
      order by id desc, offered ->> 'payload' is distinct from asked.button limit 1
    ) as pressed`;
  return inPositions(asked, rows);
}

type Found = Touched & { position: number };

const inGroups = (asked: readonly unknown[], rows: readonly Found[]): Touched[][] => {
  const groups = asked.map((): Touched[] => []);
  for (const { position, id, source } of rows) groups[position]?.push({ id, source });
  return groups;
};

/** A client's message, and its reaction to earlier ones. */
export type Reacting = { incomingId: string; projectId: string; reaction: Reaction };

/**
 * CTEs that note each reaction on the messages without it, for the client's messages in `fresh`, by their
 * `message_id`. `reacted` has the messages that now have their reaction. They are locked in the order that every
 * statement uses.
 */
export function reactedCtes(sql: Sql, fresh: Fragment, reacting: readonly Reacting[], now: Date): Fragment {
  const touches = reacting
    .flatMap(({ incomingId, projectId, reaction: { type, messages } }) =>
      messages.map(({ id }) => ({ incoming_id: incomingId, project_id: projectId, id, type })),
    )
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const columns = sql`incoming_id uuid, project_id uuid, id uuid, type text`;
  // Each by its whole key: for a list of ids the planner may read the whole project.
  return sql`
    unmarked as (
      select unmarked.*, touched.type from ${fewRows(sql, touches, 'touched', columns)}
      join ${fresh} as fresh on fresh.message_id = touched.incoming_id
      cross join lateral (
        select messages.project_id, messages.id from messages
        where messages.project_id = touched.project_id and messages.id = touched.id
          and case touched.type when 'REPLY' then replied_at else clicked_at end is null
        for update
      ) as unmarked
    ),
    reacted as (
      ${reactedMessages(sql, sql`unmarked`, touches.length, now)}
      returning messages.id, messages.project_id, mailing_id, variant, given.type
    )`;
}
