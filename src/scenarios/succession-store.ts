import { hasOpenSession } from '../messaging/messages/open-session-store.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';
import { fewRows } from '../platform/database/few-rows.ts';

/** Whether a running run waits for the client or a moment. Otherwise it goes on by itself: it may make a request. */
const isAtRest = (sql: Sql, runs: Fragment): Fragment => sql`
  coalesce(${runs}.state #>> '{at,for,what}' in ('client', 'time'), false)`;

/** Whether a run has not made its first step, or is not at rest. */
export const isUnderWay = (sql: Sql, runs: Fragment): Fragment => sql`(
  ${runs}.status = 'running' and (${runs}.state is null or not ${isAtRest(sql, runs)})
)`;

/**
 * Whether a run has not made its first step, or has not answered all that the client has written: another one waits to
 * begin in its chat. A run that waits for a time before its first message makes none wait.
 */
export const isAtWork = (sql: Sql, runs: Fragment): Fragment =>
  isAtWorkFor(sql, runs, sql`${runs}.unheard > 0`);

/**
 * The same about what the client had written by this time. What they write later makes a message that starts a scenario
 * wait no longer: they may never pause.
 */
export const isAtWorkSince = (sql: Sql, runs: Fragment, time: Fragment): Fragment =>
  isAtWorkFor(
    sql,
    runs,
    sql`
      ${runs}.unheard > 0 and exists (
        select from scenario_mail mail
        join messages said on said.project_id = mail.project_id and said.id = mail.message_id
        where mail.project_id = ${runs}.project_id and mail.chat_id = ${runs}.chat_id and said.created_at <= ${time}
          and not ${isForNext(sql, sql`mail`)}
      )`,
  );

const isAtWorkFor = (sql: Sql, runs: Fragment, hasUnheard: Fragment): Fragment => sql`(
  ${isUnderWay(sql, runs)} or ${runs}.status = 'running' and ${runs}.start_id is null and ${hasUnheard}
)`;

/** Whether the chat's run has something to do first, or has not come to rest yet. */
export const isBusyRun = (sql: Sql, runs: Fragment): Fragment => sql`(
  ${isAtWork(sql, runs)} or ${runs}.status = 'running' and ${runs}.start_id is not null
    and ${runs}.state #>> '{at,for,what}' is distinct from 'client'
)`;

/**
 * Whether a run at work does nothing while the chat's session is open. Its leased turn was under way before. A run whose
 * first message is yet to come, and a forced one, go on in the session.
 */
export const isPaused = (sql: Sql, runs: Fragment): Fragment => sql`(
  ${runs}.lease is null and ${runs}.start_id is null and ${hasOpenSession(sql, runs)} and not ${breaksThrough(sql, runs)}
)`;

/** Whether a forced run goes on by itself, and the client has not answered it. */
const breaksThrough = (sql: Sql, runs: Fragment): Fragment => sql`(
  ${runs}.state is not null and not ${isAtRest(sql, runs)} and not ${runs}.state ? 'isAnswered'
  and exists (
    select from messages
    where messages.project_id = ${runs}.project_id and messages.id = ${runs}.last_message_id and is_force
  )
)`;

/**
 * The last message of the run that another one follows in its chat, if it has not been sent yet: the client reads it
 * before those of the next run.
 */
export const lastQueued = (sql: Sql, runs: Fragment): Fragment => sql`(
  select id from messages
  where messages.project_id = ${runs}.project_id and messages.id = ${runs}.last_message_id
    and messages.source = 'scenario' and messages.state in ('PENDING', 'IN_PROCESS')
)`;

/** Whether a row of `scenario_mail` is for a run that has yet to begin in the chat. All others are for the chat's run. */
export const isForNext = (sql: Sql, mail: Fragment): Fragment => sql`
  exists (
    select from scenario_openings openings
    where openings.project_id = ${mail}.project_id and openings.chat_id = ${mail}.chat_id and openings.id = ${mail}.run_id
  )`;

/**
 * The assignments by which a run takes over the row of the chat's last one. It may keep what it displaces, what was
 * said to it before, and the message that its first one follows.
 */
export const takenOver = (
  sql: Sql,
  {
    displaced = sql`null`,
    unheard = sql`0`,
    lastMessage = sql`excluded.last_message_id`,
  }: { displaced?: Fragment; unheard?: Fragment; lastMessage?: Fragment } = {},
) => sql`
  id = excluded.id, scenario_id = excluded.scenario_id, version = excluded.version, params = excluded.params,
  state = excluded.state, status = 'running', reason = '', lane = excluded.lane, start_id = excluded.start_id,
  last_message_id = ${lastMessage}, path = excluded.path, unheard = ${unheard}, due_at = excluded.due_at,
  lease = excluded.lease, attempts = excluded.attempts, created_at = excluded.created_at, displaced = ${displaced}`;

/**
 * Begins the runs whose turn it is among the client's messages in these chats: the earlier ones are answered, or the run
 * that would handle them has ended. The messages after it are for the new run.
 */
export async function beginInTurn(
  sql: Sql,
  chats: readonly { project_id: string; chat_id: string }[],
  now: Date,
): Promise<void> {
  if (chats.length === 0) return;
  const keys = chats.map(({ project_id, chat_id }) => ({ project_id, chat_id }));
  const unheard = sql`(select count(*) from left_over where left_over.chat_id = excluded.chat_id)`;
  await sql`
    with next as (
      select distinct on (runs.chat_id) runs.project_id, runs.chat_id, seq, starts
      from ${fewRows(sql, keys, 'given', sql`project_id uuid, chat_id uuid`)}
      join scenario_runs runs on runs.project_id = given.project_id and runs.chat_id = given.chat_id
      join scenario_mail mail on mail.project_id = runs.project_id and mail.chat_id = runs.chat_id
        and not ${isForNext(sql, sql`mail`)}
      where runs.status <> 'running' and starts is not null
        or runs.status = 'running' and ${isAtRest(sql, sql`runs`)}
      order by runs.chat_id, seq
    ),
    begun as (
      select next.project_id, next.chat_id, seq, start.* from next
      cross join lateral jsonb_to_record(starts) as start (id uuid, scenario_id integer, version integer, params jsonb)
      where starts is not null
    ),
    heard as (
      delete from scenario_mail mail using begun
      where mail.project_id = begun.project_id and mail.chat_id = begun.chat_id and mail.seq <= begun.seq
        and not ${isForNext(sql, sql`mail`)}
    ),
    left_over as (
      select mail.chat_id from begun
      join scenario_mail mail on mail.project_id = begun.project_id and mail.chat_id = begun.chat_id and mail.seq > begun.seq
      where not ${isForNext(sql, sql`mail`)}
    )
    insert into scenario_runs (project_id, chat_id, id, scenario_id, version, params, lane, due_at, created_at)
    select project_id, chat_id, id, scenario_id, version, params, 0, ${now}, ${now} from begun order by chat_id
    on conflict (project_id, chat_id) do update set
      ${takenOver(sql, { lastMessage: lastQueued(sql, sql`scenario_runs`), unheard })}`;
}
