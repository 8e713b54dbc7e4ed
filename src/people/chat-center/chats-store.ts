import type { Platform } from '../../channels/contract/platforms.ts';
import { knownBy, type Search, searchReach } from '../../clients/profiles/search-store.ts';
import type { MessageState } from '../../messaging/chats/rules.ts';
import { smallAscii } from '../../platform/ascii.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { Place } from './rules.ts';
import type { ChatList } from './schema.ts';
import { isShown } from './timeline-store.ts';

export type ChatEntryRow = {
  id: string;
  platform: Platform;
  external_id: string;
  name: string | null;
  username: string | null;
  phone: string | null;
  avatar: string | null;
  last_active_at: Date;
  profile_id: string;
  profile_name: string | null;
  profile_phone: string | null;
  profile_email: string | null;
  unread: number;
  was_closed: boolean;
  session_id: string | null;
  operator_id: string | null;
  operator_name: string | null;
  session_title: string | null;
  session_opened_at: Date | null;
  last_id: string | null;
  last_direction: 'in' | 'out' | null;
  last_type: string | null;
  last_text: string | null;
  last_state: MessageState | null;
  last_author_name: string | null;
  last_at: Date | null;
};

/** Characters of the last message. */
const snippet = 160;
const mostUnread = 100;

/** The chats of a project, or of one client in it. */
export type Scope = { projectId: string; profileId: string | null };

const ofProfile = (sql: Sql, { profileId }: Scope): Fragment =>
  profileId === null ? sql`` : sql`and chats.profile_id = ${profileId}`;

/** Chats as lists show them, unordered. */
export function findEntries(sql: Sql, projectId: string, ids: readonly string[]): Promise<ChatEntryRow[]> {
  return sql<ChatEntryRow[]>`
    select chats.id, chats.platform, chats.external_id, chats.name, chats.username, chats.phone, chats.avatar,
      chats.last_active_at, chats.profile_id, profiles.name as profile_name, profiles.phone_number as profile_phone,
      profiles.email as profile_email,
      case when chats.heard_id > chats.read_id then (
        select count(*)::int from (
          select from messages
          where messages.project_id = chats.project_id and messages.chat_id = chats.id and direction = 'in'
            and messages.id > chats.read_id
          limit ${mostUnread}
        ) as unread
      ) else 0 end as unread,
      exists (
        select from sessions closed
        where closed.project_id = chats.project_id and closed.chat_id = chats.id and closed.closed_at is not null
      ) as was_closed,
      open.id as session_id, open.operator_id, coalesce(operators.name, nullif(open.operator_name, '')) as operator_name,
      open.title as session_title, open.opened_at as session_opened_at,
      last.id as last_id, last.direction as last_direction, last.type as last_type, last.text as last_text,
      last.state as last_state, last.author_name as last_author_name, last.at as last_at
    from chats
    join profiles on profiles.project_id = chats.project_id and profiles.id = chats.profile_id
    left join sessions open on open.project_id = chats.project_id and open.chat_id = chats.id and open.closed_at is null
    left join operators on operators.project_id = open.project_id and operators.id = open.operator_id
    left join lateral (
      select messages.id, direction, coalesce(rendered ->> 'type', content_type) as type,
        left(coalesce(rendered, content) ->> 'text', ${snippet}) as text, state, author_name,
        coalesce(sent_at, messages.created_at) as at
      from messages
      where messages.project_id = chats.project_id and messages.chat_id = chats.id and ${isShown(sql)}
      order by messages.id desc limit 1
    ) as last on true
    where chats.project_id = ${projectId} and chats.id = any (${[...ids]}::uuid[])`;
}

export type Listed = { id: string; place_at: Date; place_id: string };

type Listing = Scope & { operatorId: string; before: Place | null; limit: number };

/** A page of a list, in its order. */
export function findListed(sql: Sql, list: ChatList, listing: Listing): Promise<Listed[]> {
  switch (list) {
    case 'mine':
      return findMine(sql, listing);
    case 'waiting':
      return findWaiting(sql, listing);
    case 'all':
      return findAll(sql, listing);
    case 'closed':
      return findClosed(sql, listing);
  }
}

const activityPlace = (sql: Sql) => sql`chats.id, chats.last_active_at as place_at, chats.id as place_id`;

const latestFirst = (sql: Sql, limit: number) => sql`order by place_at desc, place_id desc limit ${limit}`;

const behind = (sql: Sql, before: Place | null): Fragment =>
  before === null ? sql`` : sql`and (chats.last_active_at, chats.id) < (${before.at}, ${before.id}::uuid)`;

/** The open sessions that these operators have. */
const ownSessions = (sql: Sql, projectId: string, operatorIds: readonly string[]): Fragment => sql`
  select project_id, chat_id, operator_id from sessions
  where project_id = ${projectId} and operator_id = any (${[...operatorIds]}::uuid[]) and closed_at is null`;

/**
 * The chats of sessions, each looked up by its key. Closed sessions are far more numerous, and mislead the planner
 * about the number of open ones. It would rather read all chats.
 */
const chatsOf = (sql: Sql, sessions: Fragment): Fragment => sql`
  (${sessions}) as sessions
  cross join lateral (
    select * from chats where chats.project_id = sessions.project_id and chats.id = sessions.chat_id
    offset 0
  ) as chats`;

function findMine(sql: Sql, { operatorId, before, limit, ...scope }: Listing): Promise<Listed[]> {
  return sql<Listed[]>`
    select ${activityPlace(sql)} from ${chatsOf(sql, ownSessions(sql, scope.projectId, [operatorId]))}
    where true ${ofProfile(sql, scope)} ${behind(sql, before)}
    ${latestFirst(sql, limit)}`;
}

const nobodys = (sql: Sql) => sql`sessions.operator_id is null and coalesce(sessions.operator_name, '') = ''`;

const isOpenSession = (sql: Sql) =>
  sql`sessions.project_id = chats.project_id and sessions.chat_id = chats.id and sessions.closed_at is null`;

/**
 * The number of unassigned sessions that are searched for those with read messages. Unread messages have their own
 * query, which finds all of them.
 */
const reach = 5_000;

const nobodysSessions = (sql: Sql, projectId: string): Fragment => sql`
  select project_id, chat_id from sessions
  where project_id = ${projectId} and closed_at is null and ${nobodys(sql)}
  order by opened_at desc, chat_id limit ${reach}`;

/** Unassigned chats: with unread messages, or with a session. */
const waiting = (sql: Sql, scope: Scope, { before, limit }: Pick<Listing, 'before' | 'limit'>) => sql`
  (
    select ${activityPlace(sql)} from chats
    where chats.project_id = ${scope.projectId} and heard_id > read_id ${ofProfile(sql, scope)} ${behind(sql, before)}
      and not exists (select from sessions where ${isOpenSession(sql)} and not (${nobodys(sql)}))
    ${latestFirst(sql, limit)}
  )
  union
  (
    select ${activityPlace(sql)}
    from ${chatsOf(sql, nobodysSessions(sql, scope.projectId))}
    where true ${ofProfile(sql, scope)} ${behind(sql, before)}
    ${latestFirst(sql, limit)}
  )`;

const findWaiting = (sql: Sql, listing: Listing): Promise<Listed[]> => sql<Listed[]>`
  select * from (${waiting(sql, listing, listing)}) as waiting ${latestFirst(sql, listing.limit)}`;

const findAll = (sql: Sql, { before, limit, ...scope }: Listing): Promise<Listed[]> => sql<Listed[]>`
  select ${activityPlace(sql)} from chats
  where chats.project_id = ${scope.projectId} ${ofProfile(sql, scope)} ${behind(sql, before)}
  ${latestFirst(sql, limit)}`;

/** Ordered by the closing of the last session. */
function findClosed(sql: Sql, { before, limit, ...scope }: Listing): Promise<Listed[]> {
  return sql<Listed[]>`
    select sessions.chat_id as id, sessions.closed_at as place_at, sessions.id as place_id from sessions
    ${scope.profileId === null ? sql`` : sql`join chats on chats.project_id = sessions.project_id and chats.id = chat_id`}
    where sessions.project_id = ${scope.projectId} and sessions.closed_at is not null ${ofProfile(sql, scope)}
      ${before === null ? sql`` : sql`and (sessions.closed_at, sessions.id) < (${before.at}, ${before.id}::uuid)`}
      and not exists (
        select from sessions later
        where later.project_id = sessions.project_id and later.chat_id = sessions.chat_id
          and (later.closed_at is null or (later.closed_at, later.id) > (sessions.closed_at, sessions.id))
      )
    ${latestFirst(sql, limit)}`;
}

/** The chats of clients found by a text, and those with that user name. The most recently active come first. */
export function findKnown(
  sql: Sql,
  { projectId, profileId }: Scope,
  { text, country, platforms, limit }: Search & { platforms: readonly Platform[]; limit: number },
): Promise<Listed[]> {
  const username = smallAscii(text.replace(/^@/, ''));
  return sql<Listed[]>`
    with found as (
      select theirs.* from (${knownBy(sql, projectId, { text, country })}) as known
      cross join lateral (
        select id, profile_id, last_active_at from chats
        where project_id = ${projectId} and profile_id = known.id offset 0
      ) as theirs
      union
      (
        select id, profile_id, last_active_at from chats
        where project_id = ${projectId} and platform = any (${[...platforms]}::text[])
          and lower(username collate "C") = ${username} and username is not null
        limit ${searchReach}
      )
    )
    select ${activityPlace(sql)} from found as chats where true ${ofProfile(sql, { projectId, profileId })}
    ${latestFirst(sql, limit)}`;
}

export type CountsRow = { mine: number; mine_unread: number; waiting: number; unread: number };

const mostCounted = 1_000;

/** The number of chats of each of these operators. Unassigned and unread ones are counted up to a thousand. */
export function countLists(
  sql: Sql,
  scope: Scope,
  operatorIds: readonly string[],
): Promise<(CountsRow & { operator_id: string })[]> {
  return sql<(CountsRow & { operator_id: string })[]>`
    with shared as materialized (
      select
        (
          select count(*)::int from (
            select from (${waiting(sql, scope, { before: null, limit: mostCounted })}) as waiting limit ${mostCounted}
          ) as counted
        ) as waiting,
        (
          select count(*)::int from (
            select from chats where project_id = ${scope.projectId} and heard_id > read_id ${ofProfile(sql, scope)}
            limit ${mostCounted}
          ) as counted
        ) as unread
    )
    select operator_id, coalesce(mine, 0) as mine, coalesce(mine_unread, 0) as mine_unread, waiting, unread
    from unnest(${[...operatorIds]}::uuid[]) as operator_ids (operator_id)
    left join (
      select operator_id, count(*)::int as mine, count(*) filter (where heard_id > read_id)::int as mine_unread
      from ${chatsOf(sql, ownSessions(sql, scope.projectId, operatorIds))}
      where true ${ofProfile(sql, scope)}
      group by operator_id
    ) as own using (operator_id)
    cross join shared`;
}
