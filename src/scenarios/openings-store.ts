import { endsRun } from '../messaging/messages/scenario-store.ts';
import type { Sql } from '../platform/database/database.ts';
import { fewRows } from '../platform/database/few-rows.ts';
import type { Claim } from './claim-store.ts';
import { takenOver } from './hearing-store.ts';

type ChatKey = { project_id: string; chat_id: string };

/** Puts runs whose first message is being sent aside, until they begin in their chats. */
export async function putAside(sql: Sql, runs: readonly ChatKey[]): Promise<void> {
  if (runs.length === 0) return;
  await sql`
    insert into scenario_openings (
      project_id, message_id, chat_id, id, scenario_id, version, params, state, lane, path, created_at
    )
    select runs.project_id, last_message_id, runs.chat_id, id, scenario_id, version, params, state, lane, path, created_at
    from ${fewRows(sql, runs.map(chatOf), 'opening', sql`project_id uuid, chat_id uuid`)}
    join scenario_runs runs on runs.project_id = opening.project_id and runs.chat_id = opening.chat_id`;
}

export const chatOf = ({ project_id, chat_id }: ChatKey): ChatKey => ({ project_id, chat_id });

/**
 * Makes leased runs of up to `free` openings whose first message has been sent: they begin in their chats. An opening
 * ends with a message that ends its run. It also ends for a run that was started later and has not sent anything yet.
 * Returns the number of begun runs.
 */
export async function takeOpenings(
  sql: Sql,
  { projectId, lease, now, leaseUntil }: Claim,
  free: number,
): Promise<number> {
  const [row] = await sql<[{ begun: number }]>`
    with sent as (
      delete from scenario_sent where project_id = ${projectId} and message_id = any (array(
        select message_id from scenario_sent
        where project_id = ${projectId} and due_at <= ${now} order by message_id limit ${free} for update skip locked
      ))
      returning message_id
    ),
    opened as (
      delete from scenario_openings openings using sent
      where openings.project_id = ${projectId} and openings.message_id = sent.message_id
      returning openings.*
    ),
    beginning as (
      select distinct on (opened.chat_id) opened.* from opened
      join messages on messages.project_id = ${projectId} and messages.id = opened.message_id
      where not ${endsRun(sql, sql`messages`)}
      order by opened.chat_id, opened.message_id desc
    ),
    begun as (
      insert into scenario_runs (
        project_id, chat_id, id, scenario_id, version, params, state, lane, last_message_id, path, due_at, lease, attempts,
        created_at
      )
      select project_id, chat_id, id, scenario_id, version, params, state, lane, message_id, path, ${leaseUntil}, ${lease},
        1, created_at
      from beginning order by chat_id
      on conflict (project_id, chat_id) do update set ${takenOver(sql)}
      where not (scenario_runs.status = 'running' and scenario_runs.start_id is not null)
      returning 1
    )
    select count(*)::int as begun from begun`;
  return row.begun;
}
