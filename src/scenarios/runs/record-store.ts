import type { JSONValue, Sql } from '../../platform/database/database.ts';
import type { State } from '../state.ts';

type RunKey = { project_id: string; chat_id: string; lease: string };

/** Locks the runs whose lease still holds, and returns their chats. */
export async function holdRuns(sql: Sql, runs: readonly RunKey[]): Promise<Set<string>> {
  const held = await sql<{ chat_id: string }[]>`
    select runs.chat_id
    from jsonb_to_recordset(${sql.json(runs.map(keyOf))}) as result (project_id uuid, chat_id uuid, lease uuid)
    join scenario_runs runs on runs.project_id = result.project_id and runs.chat_id = result.chat_id
      and runs.lease = result.lease
    order by runs.project_id, runs.chat_id for update of runs`;
  return new Set(held.map(({ chat_id }) => chat_id));
}

const keyOf = ({ project_id, chat_id, lease }: RunKey): RunKey => ({ project_id, chat_id, lease });

export type MessageKey = { project_id: string; id: string };

/**
 * Locks the messages from which runs continue, and returns their states. They are neither cancelled nor recorded
 * until the end of the transaction.
 */
export async function lockMessages(sql: Sql, keys: readonly MessageKey[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<{ id: string; state: string }[]>`
    select messages.id, messages.state
    from jsonb_to_recordset(${sql.json(keys)}) as key (project_id uuid, id uuid)
    join messages on messages.project_id = key.project_id and messages.id = key.id
    order by messages.id for update of messages`;
  return new Map(rows.map(({ id, state }) => [id, state]));
}

export type Rendered = { type: string; [field: string]: JSONValue | undefined };
export type Fill = MessageKey & {
  channel_id: string;
  rendered: Rendered;
  promocodes: { [group: string]: string } | null;
};

/**
 * Locks the profile of a chat. A merge may have replaced it since the claim. Null if the merge has just happened:
 * another attempt then finds the new one.
 */
export async function lockProfile(sql: Sql, projectId: string, chatId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select profiles.id from chats
    join profiles on profiles.project_id = chats.project_id and profiles.id = chats.profile_id
    where chats.project_id = ${projectId} and chats.id = ${chatId}
    for update of profiles`;
  return row?.id ?? null;
}

/** Turns the start message of a run into its first message, which is now due. */
export async function fillStarts(sql: Sql, fills: readonly Fill[], now: Date): Promise<void> {
  if (fills.length === 0) return;
  await sql`
    update messages set rendered = fill.rendered, channel_id = fill.channel_id, due_at = ${now},
      content = content || jsonb_strip_nulls(jsonb_build_object('promocodes', fill.promocodes))
    from jsonb_to_recordset(${sql.json(fills)}) as fill (
      project_id uuid, id uuid, channel_id uuid, rendered jsonb, promocodes jsonb)
    where messages.project_id = fill.project_id and messages.id = fill.id`;
}

/** Links each message to the next one. */
export async function linkMessages(
  sql: Sql,
  links: readonly (MessageKey & { next_id: string })[],
): Promise<void> {
  if (links.length === 0) return;
  await sql`
    update messages set next_id = link.next_id
    from jsonb_to_recordset(${sql.json(links)}) as link (project_id uuid, id uuid, next_id uuid)
    where messages.project_id = link.project_id and messages.id = link.id`;
}

export type RunChange = {
  project_id: string;
  chat_id: string;
  lease: string;
  scenario_id: number | null;
  version: number | null;
  state: State;
  status: 'running' | 'ended' | 'failed';
  reason: string;
  start_id: string | null;
  last_message_id: string | null;
  /** The position of the handled client's message. Null when there was none. */
  heard: number | null;
  due_at: Date | null;
};

/** Records the runs' states, gives the runs back, and deletes the messages that they have handled. */
export async function saveRuns(sql: Sql, runs: readonly RunChange[], now: Date): Promise<void> {
  if (runs.length === 0) return;
  await sql`
    with result as (
      select * from jsonb_to_recordset(${sql.json(runs)}) as (
        project_id uuid, chat_id uuid, lease uuid, scenario_id integer, version integer, state jsonb, status text,
        reason text, start_id uuid, last_message_id uuid, heard bigint, due_at timestamptz)
    ),
    forgotten as (
      delete from scenario_mail mail using result
      where mail.project_id = result.project_id and mail.chat_id = result.chat_id
        and (mail.seq <= result.heard or result.status <> 'running')
    )
    update scenario_runs runs set
      scenario_id = result.scenario_id, version = result.version, state = result.state, status = result.status,
      reason = result.reason, start_id = result.start_id, last_message_id = result.last_message_id,
      unheard = case when result.status = 'running' then unheard - (result.heard is not null)::int else 0 end,
      due_at = case
        when result.status = 'running' and unheard - (result.heard is not null)::int > 0 then ${now}
        else result.due_at
      end,
      lease = null, attempts = 0
    from result
    where runs.project_id = result.project_id and runs.chat_id = result.chat_id and runs.lease = result.lease`;
}
