import { hasOpenSession } from '../messaging/messages/open-session-store.ts';
import type { Sql } from '../platform/database/database.ts';
import { fewRows } from '../platform/database/few-rows.ts';
import { countedMoves, pathWith } from './counts-store.ts';
import type { State } from './state.ts';
import { isForNext } from './succession-store.ts';

export type RunKey = { project_id: string; chat_id: string; lease: string };

export type HeldRun = { chat_id: string; lease: string; unheard: number };

/**
 * Locks the runs whose leases still hold. Returns them by chat: a chat may be asked for twice, with a lost lease and with
 * the one that replaced it. `unheard` is the number of the client's messages that the run has not handled.
 */
export async function holdRuns(sql: Sql, runs: readonly RunKey[]): Promise<Map<string, HeldRun>> {
  const keys = runs.map(({ project_id, chat_id, lease }) => ({ project_id, chat_id, lease }));
  const held = await sql<HeldRun[]>`
    select runs.chat_id, runs.lease, unheard
    from ${fewRows(sql, keys, 'result', sql`project_id uuid, chat_id uuid, lease uuid`)}
    join scenario_runs runs on runs.project_id = result.project_id and runs.chat_id = result.chat_id
      and runs.lease = result.lease
    order by runs.project_id, runs.chat_id for update of runs`;
  return new Map(held.map((run) => [run.chat_id, run]));
}

/**
 * Makes the run of a chat due whose session was closed. One that waits for the client waits on. A turn that is just
 * being recorded is waited for: it may have paused for the session.
 */
export async function resumeRun(
  sql: Sql,
  { projectId, chatId }: { projectId: string; chatId: string },
  now: Date,
): Promise<void> {
  await sql`
    update scenario_runs set due_at = case when lease is null and due_at is not null then ${now} else due_at end
    where project_id = ${projectId} and chat_id = ${chatId} and status = 'running'`;
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
  /** Each move as a step, a space and a way: ids have no spaces. */
  trail: string[];
  /** The position of the handled client's message. Null when there was none. */
  heard: number | null;
  due_at: Date | null;
  /** A session was open when the turn began. */
  in_session: boolean;
  /** The run ends in its chat, and the one that it has displaced goes on there. */
  gives_back: boolean;
};

const changeColumns = (sql: Sql) => sql`
  project_id uuid, chat_id uuid, lease uuid, scenario_id integer, version integer, state jsonb, status text,
  reason text, start_id uuid, last_message_id uuid, trail text[], heard bigint, due_at timestamptz,
  in_session boolean, gives_back boolean`;

/**
 * Records the runs' states and counts their moves, gives the runs back, and deletes the messages that they have
 * handled. Messages from one on that starts another run stay, for `beginInTurn`.
 */
export async function saveRuns(sql: Sql, runs: readonly RunChange[], now: Date): Promise<void> {
  if (runs.length === 0) return;
  await sql`
    with result as (select * from ${fewRows(sql, runs, 'result', changeColumns(sql))}),
    counted as (${countedMoves(sql, sql`result`, now)}),
    forgotten as (
      delete from scenario_mail mail using result
      where mail.project_id = result.project_id and mail.chat_id = result.chat_id and not ${isForNext(sql, sql`mail`)}
        and (
          mail.seq <= result.heard
          or result.status <> 'running' and not result.gives_back and not ${followsStart(sql)}
        )
    )
    update scenario_runs runs set
      scenario_id = result.scenario_id, version = result.version, state = result.state, status = result.status,
      reason = result.reason, start_id = result.start_id, last_message_id = result.last_message_id,
      path = ${pathWith(sql, sql`runs.path`, sql`result.trail`)},
      unheard = case when result.status = 'running' then left_over.messages else 0 end,
      due_at = case
        when result.status = 'running' and left_over.messages > 0 then ${now}
        -- The pause for a session that was closed meanwhile.
        when result.due_at > ${now} and in_session and not ${hasOpenSession(sql, sql`result`)} then ${now}
        else result.due_at
      end,
      lease = null, attempts = 0
    from result cross join lateral (
      select count(*)::int as messages from scenario_mail mail
      where mail.project_id = result.project_id and mail.chat_id = result.chat_id
        and not ${isForNext(sql, sql`mail`)} and mail.seq > coalesce(result.heard, 0)
    ) left_over
    where runs.project_id = result.project_id and runs.chat_id = result.chat_id and runs.lease = result.lease`;
}

const followsStart = (sql: Sql) => sql`
  exists (
    select from scenario_mail start
    where start.project_id = mail.project_id and start.chat_id = mail.chat_id and start.seq <= mail.seq
      and start.starts is not null and not ${isForNext(sql, sql`start`)}
  )`;
