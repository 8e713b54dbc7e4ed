import type { Fragment, Sql } from '../platform/database/database.ts';
import { fewRows } from '../platform/database/few-rows.ts';
import type { Claim } from './claim-store.ts';
import { displacedBy } from './displaced-store.ts';
import { isBusyRun, isForNext, isPaused, takenOver } from './succession-store.ts';

export type Opening = {
  project_id: string;
  chat_id: string;
  /** The message that started the run. */
  message_id: string;
  /** The end of a wait before that message. Null when it is being sent. */
  due_at: Date | null;
};

const openingColumns = (sql: Sql) => sql`project_id uuid, chat_id uuid, message_id uuid, due_at timestamptz`;

/**
 * Puts runs that have not begun aside: their chats are free. What was written before is for the displaced runs. In a chat
 * without one it begins with the first message that starts a scenario.
 */
export async function putAside(sql: Sql, openings: readonly Opening[]): Promise<void> {
  if (openings.length === 0) return;
  await sql`
    with aside as (
      update scenario_runs runs set status = 'ended', due_at = null,
        unheard = case when displaced is null then 0 else unheard end
      from ${fewRows(sql, openings, 'opening', openingColumns(sql))}
      where runs.project_id = opening.project_id and runs.chat_id = opening.chat_id
      returning runs.*, opening.message_id, opening.due_at as next_at
    ),
    succeeding as (
      select aside.project_id, aside.chat_id, aside.id, 0 as seq, (displaced ->> 'id')::uuid as next_id from aside
      where displaced is not null
      union all
      (
        select distinct on (aside.chat_id) aside.project_id, aside.chat_id, aside.id, seq, (starts ->> 'id')::uuid from aside
        join scenario_mail mail on mail.project_id = aside.project_id and mail.chat_id = aside.chat_id
          and mail.run_id = aside.id
        where displaced is null and starts is not null
        order by aside.chat_id, seq
      )
    ),
    forgotten as (
      delete from scenario_mail mail using aside
      where mail.project_id = aside.project_id and mail.chat_id = aside.chat_id and aside.displaced is null
        and not ${isForNext(sql, sql`mail`)}
        and not exists (
          select from succeeding where succeeding.chat_id = aside.chat_id and succeeding.seq <= mail.seq
        )
    ),
    left_over as (
      update scenario_mail mail set run_id = next_id from succeeding
      where mail.project_id = succeeding.project_id and mail.chat_id = succeeding.chat_id
        and mail.run_id = succeeding.id and mail.seq >= succeeding.seq
    )
    insert into scenario_openings (
      project_id, message_id, chat_id, id, scenario_id, version, params, state, lane, path, due_at, created_at
    )
    select project_id, message_id, chat_id, id, scenario_id, version, params, state, lane, path, next_at, created_at
    from aside`;
}

/**
 * Makes leased runs of up to `free` openings: those whose wait is over, and those whose first message was sent, which
 * begin in their chats. An opening ends with a first message that failed or was cancelled: what the client has written
 * since is for the chat's run. It stays where that run is at work. `failed` are first messages of begun runs.
 */
export async function takeOpenings(
  sql: Sql,
  { projectId, lease, now, leaseUntil }: Claim,
  free: number,
): Promise<{ taken: number; failed: string[] }> {
  const [row] = await sql<[{ taken: number; failed: string[] }]>`
    with sent as (${sentNotes(sql, projectId, now, free)}),
    due as (${dueOpenings(sql, projectId, now, free)}),
    ready as (
      select message_id from sent union all select message_id from (
        select distinct on (chat_id) message_id from due order by chat_id, due_at
      ) as first_of_chat
    ),
    held as (
      select runs.chat_id, runs.status = 'running' as is_running from scenario_runs runs
      where runs.project_id = ${projectId} and runs.chat_id in (
        select chat_id from scenario_openings openings join ready using (message_id) where project_id = ${projectId}
      )
      order by runs.chat_id for update of runs
    ),
    going as (
      select distinct on (openings.chat_id) openings.* from ready
      join scenario_openings openings on openings.project_id = ${projectId} and openings.message_id = ready.message_id
      join messages on messages.project_id = ${projectId} and messages.id = openings.message_id
      where messages.state = any (case when openings.due_at is null then array['SENT', 'DELIVERED', 'READ'] else array['PENDING'] end)
      order by openings.chat_id, openings.message_id desc
    ),
    taken as (
      insert into scenario_runs (
        project_id, chat_id, id, scenario_id, version, params, state, lane, start_id, last_message_id, path, due_at, lease,
        attempts, created_at
      )
      select project_id, chat_id, id, scenario_id, version, params, state, lane,
        case when due_at is not null then message_id end, case when due_at is null then message_id end, path,
        ${leaseUntil}, ${lease}, 1, created_at
      from going order by chat_id
      on conflict (project_id, chat_id) do update set
        ${takenOver(sql, { displaced: displacedBy(sql), unheard: saidSince(sql) })}
        where not ${holdsUp(sql, sql`scenario_runs`, sql`coalesce(excluded.start_id, excluded.last_message_id)`)}
      returning id
    ),
    staying as (select message_id from going where id not in (select id from taken)),
    opened as (
      delete from scenario_openings openings using ready
      where openings.project_id = ${projectId} and openings.message_id = ready.message_id
        and openings.message_id not in (select message_id from staying)
      returning openings.*
    ),
    noted as (
      delete from scenario_sent notes using sent
      where notes.project_id = ${projectId} and notes.message_id = sent.message_id
        and notes.message_id not in (select message_id from staying)
      returning notes.message_id
    ),
    over as (
      select opened.chat_id, opened.id, going.id as next_id, going.id is null and is_running as is_back
      from opened left join going using (chat_id) left join held using (chat_id)
      where opened.id not in (select id from going)
    ),
    passed_on as (
      update scenario_mail mail set run_id = next_id from over
      where mail.project_id = ${projectId} and mail.chat_id = over.chat_id and mail.run_id = over.id
        and next_id is not null
    ),
    forgotten as (
      delete from scenario_mail mail using over
      where mail.project_id = ${projectId} and mail.chat_id = over.chat_id and mail.run_id = over.id
        and next_id is null and is_back is not true
    ),
    back as (
      update scenario_runs runs set unheard = unheard + 1, due_at = case when lease is null then ${now} else due_at end
      where project_id = ${projectId} and chat_id in (select chat_id from over where is_back)
    )
    select (select count(*)::int from taken) as taken,
      array(select message_id from noted where message_id not in (select message_id from opened)) as failed`;
  return row;
}

/** A run whose first message was sent reads what the client may have written since. Its turn counts how much. */
const saidSince = (sql: Sql): Fragment => sql`(excluded.start_id is null)::int`;

const sentNotes = (sql: Sql, projectId: string, now: Date, free: number): Fragment => sql`
  select message_id from scenario_sent
  where project_id = ${projectId} and due_at <= ${now} and not exists (
    select from scenario_openings openings
    where openings.project_id = ${projectId} and openings.message_id = scenario_sent.message_id
      and ${isBusy(sql, projectId)}
  )
  order by message_id limit ${free} for update skip locked`;

/** A chat's sent opening goes first. */
const dueOpenings = (sql: Sql, projectId: string, now: Date, free: number): Fragment => sql`
  select message_id, chat_id, due_at from scenario_openings openings
  where project_id = ${projectId} and due_at <= ${now} and not ${isBusy(sql, projectId)} and not exists (
    select from scenario_openings others join sent on sent.message_id = others.message_id
    where others.project_id = ${projectId} and others.chat_id = openings.chat_id
  )
  order by due_at limit greatest(0, ${free} - (select count(*) from sent)) for update of openings skip locked`;

const isBusy = (sql: Sql, projectId: string): Fragment => sql`
  exists (
    select from scenario_runs runs
    where runs.project_id = ${projectId} and runs.chat_id = openings.chat_id
      and ${holdsUp(sql, sql`runs`, sql`openings.message_id`)}
  )`;

/** Whether an opening waits for the chat's run. A forced one does not wait for the end of the session that pauses it. */
const holdsUp = (sql: Sql, runs: Fragment, messageId: Fragment): Fragment => sql`(
  ${isBusyRun(sql, runs)} and not (
    ${isPaused(sql, runs)} and exists (
      select from messages where messages.project_id = ${runs}.project_id and messages.id = ${messageId} and is_force
    )
  )
)`;

/** Makes begun runs due whose first message has failed since: they end. */
export async function endFailed(
  sql: Sql,
  projectId: string,
  messageIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    update scenario_runs runs set due_at = ${now}
    from messages
    where messages.project_id = ${projectId} and messages.id = any (${[...messageIds]}::uuid[])
      and runs.project_id = ${projectId} and runs.chat_id = messages.chat_id and runs.last_message_id = messages.id
      and runs.lease is null`;
}
