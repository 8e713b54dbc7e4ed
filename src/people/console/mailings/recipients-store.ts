import type { Platform } from '../../../channels/contract/platforms.ts';
import { platforms } from '../../../channels/contract/platforms.ts';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { fewIds } from '../../../platform/database/few-rows.ts';
import { isUuid, lastUuid } from '../../../platform/id.ts';
import { normalizePhone } from '../../../platform/phone.ts';

export type RecipientRow = {
  id: string;
  mailing_run: number;
  variant: number | null;
  state: string;
  state_detail: string;
  platform: Platform;
  profile_id: string;
  name: string | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  jumped_at: Date | null;
  clicked_at: Date | null;
  replied_at: Date | null;
};

/** The number of messages that one statement reads to find those of a state. */
const lookedAt = 20_000;
const failed = ['UNDELIVERED', 'ERROR'];

export type Slice = { ids: string[]; next: string | null };

/**
 * The next messages of a mailing in one of these states, newest first. Only this many are read. A slice may therefore
 * be empty although more follow.
 */
export async function nextMessages(
  sql: Sql,
  { projectId, id }: { projectId: string; id: string },
  states: readonly string[] | null,
  after: string | null,
  limit: number,
): Promise<Slice> {
  // Failed messages have their own index.
  const isFailed = states?.every((state) => failed.includes(state)) ?? false;
  const depth = states === null || isFailed ? limit : lookedAt;
  const [row] = await sql<[{ ids: string[]; looked: number; last: string | null }]>`
    with looked as materialized (
      select id, state from messages
      where project_id = ${projectId} and mailing_id = ${id} and id < ${after ?? lastUuid}::uuid
        ${isFailed ? sql`and has_failed` : sql``}
      order by id desc limit ${depth}
    )
    select
      array(
        select id from looked where ${states === null} or state = any (${[...(states ?? [])]}::text[])
        order by id desc limit ${limit}
      ) as ids,
      (select count(*)::int from looked) as looked,
      (select id from looked order by id limit 1) as last`;
  const { ids, looked, last } = row;
  if (ids.length === limit) return { ids, next: ids.at(-1) ?? null };
  return { ids, next: looked === depth ? last : null };
}

/** The messages in these states to the recipients of an identifier. */
export async function messagesTo(
  sql: Sql,
  { projectId, id }: { projectId: string; id: string },
  states: readonly string[] | null,
  search: string,
): Promise<string[]> {
  const uuid = isUuid(search) ? search : null;
  const rows = await sql<{ id: string }[]>`
    with people as (
      select id from profiles where project_id = ${projectId} and id = ${uuid}
      union select id from profiles where project_id = ${projectId} and external_id = ${search}
      union select id from profiles where project_id = ${projectId} and phone_number = ${normalizePhone(search)}
    ),
    theirs as (
      select id from chats where project_id = ${projectId} and profile_id in (select id from people)
      union select id from chats where project_id = ${projectId} and id = ${uuid}
      union select id from chats
        where project_id = ${projectId} and platform = any (${[...platforms]}::text[]) and external_id = ${search}
    )
    select messages.id from theirs
    join messages on messages.project_id = ${projectId} and chat_id = theirs.id
    where mailing_id = ${id} and (${states === null} or state = any (${[...(states ?? [])]}::text[]))
    order by messages.id desc limit 100`;
  return rows.map((row) => row.id);
}

export type ExportedRow = RecipientRow & {
  external_id: string | null;
  phone_number: string | null;
  address: string;
  due_at: Date | null;
};

/** The next `limit` messages of a mailing in the order of ids: each comes once, whatever changes meanwhile. */
export const messagesBehind = (
  sql: Sql,
  { projectId, id }: { projectId: string; id: string },
  after: string,
  limit: number,
): Fragment => sql`
  select id, chat_id, mailing_run, variant, state, state_detail, due_at, sent_at, delivered_at, read_at, jumped_at, clicked_at,
    replied_at
  from messages where project_id = ${projectId} and mailing_id = ${id} and id > ${after}
  order by id limit ${limit}`;

/** The recipients of `messagesBehind`. */
export function recipientsBehind(
  sql: Sql,
  mailing: { projectId: string; id: string },
  after: string,
  limit: number,
): Promise<ExportedRow[]> {
  const { projectId } = mailing;
  return sql<ExportedRow[]>`
    with next as materialized (${messagesBehind(sql, mailing, after, limit)})
    select next.*, chats.platform, chats.external_id as address, profiles.id as profile_id, profiles.external_id,
      profiles.phone_number, coalesce(profiles.name, chats.name) as name
    from next ${clientOf(sql, projectId, sql`next.chat_id`)}
    order by next.id`;
}

/**
 * Joins `chats` and `profiles`, those of a message. 'offset 0': each by its key. For a page of messages the planner
 * would read all clients of the project.
 */
const clientOf = (sql: Sql, projectId: string, chatId: Fragment): Fragment => sql`
  cross join lateral (
    select platform, external_id, profile_id, name from chats
    where chats.project_id = ${projectId} and chats.id = ${chatId} offset 0
  ) as chats
  cross join lateral (
    select id, external_id, phone_number, name from profiles
    where profiles.project_id = ${projectId} and profiles.id = chats.profile_id offset 0
  ) as profiles`;

/** Newest first. */
export function findRecipients(sql: Sql, projectId: string, ids: readonly string[]): Promise<RecipientRow[]> {
  return sql<RecipientRow[]>`
    select messages.id, mailing_run, variant, state, state_detail, chats.platform, profiles.id as profile_id,
      coalesce(profiles.name, chats.name) as name, sent_at, delivered_at, read_at, jumped_at, clicked_at, replied_at
    from ${fewIds(sql, sql`${[...ids]}::uuid[]`, ids.length)}
    join messages on messages.project_id = ${projectId} and messages.id = few.id
    ${clientOf(sql, projectId, sql`messages.chat_id`)}
    order by messages.id desc`;
}
