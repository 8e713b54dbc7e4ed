import type { Member } from '../../access/auth/member.ts';
import { isInForce } from '../../access/auth/person-store.ts';
import type { Sql } from '../../platform/database/database.ts';

export type NewsRow = {
  project_id: string;
  id: number;
  chat_id: string;
  /** The entry in the chat's history. Null if the chat itself has changed. */
  entry_id: string | null;
  /** The client who was renamed. The row names only the latest of their chats. */
  profile_id: string | null;
  /** The transaction that wrote it, which is its place for cursors. */
  written_by: string;
};

/** `snapshot` is PostgreSQL's: the transactions that were seen. */
export type Look = { news: NewsRow[]; snapshot: string };

/** Every transaction before this one was seen. Browsers keep it as their cursor. */
export const cursorOf = (snapshot: string): string => snapshot.slice(0, snapshot.indexOf(':'));

/** What a browser with this cursor has seen for certain. */
export const snapshotAt = (cursor: string): string => `${cursor}:${cursor}:`;

type LookRow = Omit<NewsRow, 'project_id'> & { project_id: string | null; snapshot: string };

/** The news of projects that a snapshot did not see yet, in the order of cursors. Of each project the first `most`. */
export async function findNews(
  sql: Sql,
  watches: readonly { project_id: string; since: string }[],
  most: number | null = null,
): Promise<Look> {
  const rows = await sql<LookRow[]>`
    select present.snapshot::text, news.project_id, news.id, news.chat_id, news.entry_id, news.profile_id,
      news.written_by::text
    from (select pg_current_snapshot() as snapshot) as present
    left join (
      select found.* from jsonb_to_recordset(${sql.json(watches)}) as watched (project_id uuid, since pg_snapshot)
      -- Each project by its index. The planner expects a third of the table behind any cursor, and would read it whole.
      cross join lateral (
        select * from chat_news
        where chat_news.project_id = watched.project_id and written_by >= pg_snapshot_xmin(watched.since)
          and not pg_visible_in_snapshot(written_by, watched.since)
        order by written_by limit ${most}::integer
      ) as found
    ) as news on true
    order by news.written_by, news.id`;
  const [first] = rows;
  if (!first) throw new Error('a look at the news has no answer');
  const news = rows.filter((row): row is LookRow & NewsRow => row.project_id !== null);
  return { news, snapshot: first.snapshot };
}

/** The latest chats of each client, but no more than `most` in all. */
export async function findLatestChats(
  sql: Sql,
  projectId: string,
  profileIds: readonly string[],
  { ofEach, most }: { ofEach: number; most: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select latest.id from unnest(${[...profileIds]}::uuid[]) as renamed (id)
    cross join lateral (
      select chats.id, last_active_at from chats where project_id = ${projectId} and profile_id = renamed.id
      order by last_active_at desc, id limit ${ofEach}
    ) as latest
    order by last_active_at desc, id limit ${most}`;
  return rows.map(({ id }) => id);
}

/**
 * Whether all news of a project since a cursor are still stored. They are while an older row exists, because the
 * oldest is removed first.
 */
export async function isKnownSince(sql: Sql, projectId: string, since: string): Promise<boolean> {
  const [row] = await sql<[{ known: boolean }]>`
    select ${since}::xid8 <= pg_snapshot_xmax(pg_current_snapshot())
      and exists (select from chat_news where project_id = ${projectId} and written_by < ${since}::xid8) as known`;
  return row.known;
}

/**
 * Removes news that are too old to resume from. Their age is measured by the database's clock, which also wrote them.
 */
export async function forgetNews(sql: Sql): Promise<void> {
  await sql`delete from chat_news where written_at < now() - interval '3 hours'`;
}

type Listener = Pick<Member, 'projectId' | 'operatorId' | 'cameBy'>;

/** The positions of listeners who still belong to their project, and whose session or frame is still open. */
export async function findWelcome(sql: Sql, listeners: readonly Listener[], now: Date): Promise<Set<number>> {
  const places = listeners.map(({ projectId, operatorId, cameBy }, place) => ({
    place,
    project_id: projectId,
    operator_id: operatorId,
    frame_id: 'frameId' in cameBy ? cameBy.frameId : null,
    session_hash: 'sessionHash' in cameBy ? cameBy.sessionHash.toString('hex') : null,
  }));
  const rows = await sql<{ place: number }[]>`
    select place from jsonb_to_recordset(${sql.json(places)})
      as listener (place integer, project_id uuid, operator_id uuid, frame_id uuid, session_hash text)
    join operators on operators.project_id = listener.project_id and operators.id = operator_id
      and not awaits_proof and (frame_id is not null or not awaits_consent)
    where exists (
      select from iframe_links where iframe_links.id = frame_id and session_expires_at > ${now}
    ) or exists (
      select from person_sessions where token_hash = decode(session_hash, 'hex') and ${isInForce(sql, now)}
    )`;
  return new Set(rows.map(({ place }) => place));
}
