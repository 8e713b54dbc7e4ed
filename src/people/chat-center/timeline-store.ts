import type { MessageState } from '../../messaging/chats/rules.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { messageSources, SessionStep } from './schema.ts';

type Entry = { id: string; at: Date; author_id: string | null; author_name: string | null };

type Details =
  | {
      kind: 'message';
      details: {
        direction: 'in' | 'out';
        source: (typeof messageSources)[number];
        type: string;
        content: { text?: string; url?: string; buttons?: { text: string }[] };
        external_id: string | null;
        state: MessageState | null;
        state_detail: string;
      };
    }
  | { kind: 'note'; details: { text: string; echo_id: string | null } }
  | {
      kind: 'session';
      details: {
        session_id: string;
        step: SessionStep;
        title: string;
        operator_id: string | null;
        operator_name: string | null;
        category_name: string | null;
        theme_name: string | null;
      };
    };

export type EntryRow = Entry & Details;

/** Messages that are not sent yet, or never will be, are not history. Operators' own messages always are. */
export const isShown = (sql: Sql): Fragment => sql`
  (
    messages.direction = 'in' or messages.source in ('operator', 'connector')
    or messages.state in ('SENT', 'DELIVERED', 'READ', 'UNDELIVERED', 'ERROR')
  )`;

type Part = { chatId: Fragment; which: Fragment; order: Fragment };

/** The messages, notes and session steps of a chat, as rows of one form. Each kind is read from its own index. */
const entries = (sql: Sql, projectId: string, { chatId, which, order }: Part): Fragment => sql`
  (
    select id, 'message' as kind, coalesce(sent_at, created_at) as at, author_id, author_name, jsonb_build_object(
      'direction', direction, 'source', source, 'type', coalesce(rendered ->> 'type', content_type),
      'content', coalesce(rendered, content), 'external_id', external_id, 'state', state, 'state_detail', state_detail
    ) as details
    from messages where project_id = ${projectId} and chat_id = ${chatId} and ${isShown(sql)} ${which} ${order}
  )
  union all
  (
    select id, 'note', created_at, author_id, author_name, jsonb_build_object('text', text, 'echo_id', external_id)
    from notes where project_id = ${projectId} and chat_id = ${chatId} ${which} ${order}
  )
  union all
  (
    select steps.id, 'session', steps.created_at, steps.author_id, steps.author_name, jsonb_build_object(
      'session_id', session_id, 'step', step, 'title', title, 'operator_id', steps.operator_id,
      'operator_name', steps.operator_name,
      'category_name', case when step = 'closed' then category_name end,
      'theme_name', case when step = 'closed' then theme_name end
    )
    from (
      select * from session_steps where project_id = ${projectId} and chat_id = ${chatId} ${which} ${order}
    ) as steps
    join sessions on sessions.project_id = steps.project_id and sessions.id = session_id
  )`;

/** Entries next to a place, nearest first. Without a place, from the end. */
export function findTimeline(
  sql: Sql,
  projectId: string,
  chatId: string,
  { from, limit }: { from: { before: string } | { after: string } | null; limit: number },
): Promise<EntryRow[]> {
  const isForward = from !== null && 'after' in from;
  const order = sql`order by id ${isForward ? sql`asc` : sql`desc`} limit ${limit}`;
  const which =
    from === null
      ? sql``
      : 'after' in from
        ? sql`and id > ${from.after}::uuid`
        : sql`and id < ${from.before}::uuid`;
  return sql<EntryRow[]>`
    select * from (${entries(sql, projectId, { chatId: sql`${chatId}::uuid`, which, order })}) as entries ${order}`;
}

type Wanted = { chat_id: string; entry_id: string };

/** The entries of wanted ids in their chats. */
const wantedEntries = (sql: Sql, projectId: string, wanted: readonly Wanted[]): Fragment => sql`
  jsonb_to_recordset(${sql.json(wanted)}) as wanted (chat_id uuid, entry_id uuid)
  cross join lateral (
    ${entries(sql, projectId, {
      chatId: sql`wanted.chat_id`,
      which: sql`and id = wanted.entry_id`,
      order: sql`limit 1`,
    })}
  ) as entries`;

/** Entries by their ids, with their chats. Entries that are not shown are left out. */
export function findTimelineEntries(
  sql: Sql,
  projectId: string,
  wanted: readonly Wanted[],
): Promise<(EntryRow & { chat_id: string })[]> {
  return sql<(EntryRow & { chat_id: string })[]>`
    select wanted.chat_id, entries.* from ${wantedEntries(sql, projectId, wanted)} order by entries.id`;
}

/** The bytes of entries, by their ids. The database measures them, so that nothing large is sent here. */
export async function measureEntries(
  sql: Sql,
  projectId: string,
  wanted: readonly Wanted[],
): Promise<Map<string, number>> {
  const rows = await sql<{ id: string; bytes: number }[]>`
    select entries.id, octet_length(entries.details::text) as bytes from ${wantedEntries(sql, projectId, wanted)}`;
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}
