import { hasList, mayReach } from '../clients/consent/refusal-store.ts';
import { hasOpenSession } from '../messaging/messages/open-session-store.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Claim } from './claim-store.ts';
import { isBusyRun, isForNext, lastQueued, takenOver } from './succession-store.ts';

/**
 * Begins leased runs for up to `free` events, and deletes their rows in the same statement. Each run begins in the
 * client's most recently active chat on one of the platforms. A run before its first step is not replaced, and
 * answers what the client has written: the next event of its chat waits. It also waits for a run whose first message
 * was sent before. An event starts nothing if its client has no chat, if an operator has it, or if its starter was
 * switched off. Neither does an event without an act of anybody if its client has left mailings.
 */
export async function takeEventStarts(
  sql: Sql,
  { projectId, lease, now, leaseUntil }: Claim,
  { free, platforms }: { free: number; platforms: readonly string[] },
  newRunId: () => string,
): Promise<number> {
  const ids = Array.from({ length: free }, newRunId);
  const [row] = await sql<[{ begun: number }]>`
    with due as (
      select starts.project_id, starts.id, starts.scenario_id, starts.params, coalesce(starts.chat_id, latest.id) as chat_id,
        ${isCalledOff(sql)} or ${isUnwanted(sql)} as is_called_off
      from scenario_event_starts starts
      left join lateral (
        select id from chats
        where project_id = ${projectId} and profile_id = starts.profile_id and platform = any (${[...platforms]}::text[])
        order by last_active_at desc, id limit 1
      ) latest on starts.profile_id is not null
      where starts.project_id = ${projectId} and due_at <= ${now} and not exists (
        select from scenario_runs runs
        where runs.project_id = ${projectId} and runs.chat_id = coalesce(starts.chat_id, latest.id)
          and ${isBusyRun(sql, sql`runs`)} and not ${hasOpenSession(sql, sql`runs`)}
      )
      and not exists (
        select from scenario_openings openings join scenario_sent using (project_id, message_id)
        where openings.project_id = ${projectId} and openings.chat_id = coalesce(starts.chat_id, latest.id)
      )
      order by due_at, starts.id limit ${free} for update of starts skip locked
    ),
    free_chats as (
      select due.*, due.chat_id is not null and not is_called_off and not ${hasOpenSession(sql, sql`due`)} as may_begin
      from due
    ),
    beginning as (
      select distinct on (chat_id) * from free_chats where may_begin order by chat_id, id
    ),
    numbered as (select *, row_number() over (order by id) as place from beginning),
    begun as (
      insert into scenario_runs (
        project_id, chat_id, id, scenario_id, version, params, lane, due_at, lease, attempts, created_at
      )
      select ${projectId}, chat_id, (${ids}::uuid[])[place], scenarios.id, scenarios.version, params, 1,
        ${leaseUntil}, ${lease}, 1, ${now}
      from numbered
      join scenarios on scenarios.project_id = ${projectId} and scenarios.id = numbered.scenario_id
      order by chat_id
      on conflict (project_id, chat_id) do update set
        ${takenOver(sql, { lastMessage: lastQueued(sql, sql`scenario_runs`) })}
      -- Another worker may have begun a run meanwhile, or the client may have written.
      where not ${isBusyRun(sql, sql`scenario_runs`)}
      returning chat_id
    ),
    dropped as (
      delete from scenario_mail mail
      where mail.project_id = ${projectId} and mail.chat_id in (select chat_id from begun)
        and not ${isForNext(sql, sql`mail`)}
    ),
    taken as (
      delete from scenario_event_starts starts using free_chats
      where starts.project_id = ${projectId} and starts.id = free_chats.id and (
        not may_begin
        or free_chats.id in (select beginning.id from beginning join begun on begun.chat_id = beginning.chat_id)
      )
    )
    select count(*)::int as begun from begun`;
  return row.begun;
}

/** A client whose profile is merged into another one is started there. Two starts by the same event are one. */
export async function carryEventStarts(
  sql: Sql,
  projectId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`
    update scenario_event_starts starts set profile_id = ${to}
    where project_id = ${projectId} and profile_id = ${from} and not exists (
      select from scenario_event_starts others
      where others.project_id = ${projectId} and others.profile_id = ${to} and others.scenario_id = starts.scenario_id
        and others.params = starts.params
    )`;
}

/** Its starter was switched off or deleted meanwhile. */
const isCalledOff = (sql: Sql) => sql`(
  starts.starter_id is not null and not exists (
    select from scenario_event_starters starters
    where starters.project_id = starts.project_id and starters.id = starts.starter_id and is_enabled
  )
)`;

/** Nobody asked for it, as for a mailing, and no mailing may reach the client. */
const isUnwanted = (sql: Sql) => {
  const client = { projectId: sql`starts.project_id`, profileId: sql`starts.profile_id` };
  const rule = { topicId: null, hasList: hasList(sql, sql`starts.project_id`) };
  return sql`case
    when exists (
      select from scenario_event_starters starters
      where starters.project_id = starts.project_id and starters.id = starts.starter_id and kind in ('date', 'audience')
    ) then not (${mayReach(sql, client, rule)})
    else false
  end`;
};
