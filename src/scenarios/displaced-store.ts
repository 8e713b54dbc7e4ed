import { endsRun } from '../messaging/messages/scenario-store.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';
import { fewRows } from '../platform/database/few-rows.ts';
import { keyOf, type RunKey } from './runs-store.ts';

/**
 * What a run that a message starts keeps of the run that it displaces, for an upsert. It begins in the chat with that
 * message, which may still be refused or cancelled. Of several such runs in turn the first displaced one is kept.
 */
export const displacedBy = (sql: Sql): Fragment => sql`
  case when scenario_runs.status = 'running' and scenario_runs.start_id is null and excluded.start_id is not null then
    coalesce(scenario_runs.displaced, to_jsonb(scenario_runs) - 'displaced') || jsonb_build_object('by', excluded.start_id)
  end`;

/**
 * Gives chats back to the runs that others have displaced, if the first message of these did not reach the client. They
 * also hear what the client has written since. Returns the chats.
 */
export async function giveBack(sql: Sql, runs: readonly RunKey[], now: Date): Promise<Set<string>> {
  if (runs.length === 0) return new Set();
  const given = await sql<{ chat_id: string }[]>`
    with back as (
      select runs.project_id, runs.chat_id, former.*
      from ${fewRows(sql, runs.map(keyOf), 'result', sql`project_id uuid, chat_id uuid, lease uuid`)}
      join scenario_runs runs on runs.project_id = result.project_id and runs.chat_id = result.chat_id
        and runs.lease = result.lease and runs.displaced is not null
      join messages on messages.project_id = runs.project_id and messages.id = (runs.displaced ->> 'by')::uuid
        and ${endsRun(sql, sql`messages`)}
      cross join lateral jsonb_to_record(runs.displaced) as former (
        id uuid, scenario_id integer, version integer, params jsonb, state jsonb, lane smallint, last_message_id uuid,
        path text[], due_at timestamptz, created_at timestamptz
      )
    ),
    mailed as (
      update scenario_mail mail set run_id = back.id from back
      where mail.project_id = back.project_id and mail.chat_id = back.chat_id
      returning mail.project_id, mail.chat_id
    ),
    unheard as (select project_id, chat_id, count(*)::int as messages from mailed group by project_id, chat_id)
    update scenario_runs runs set
      id = back.id, scenario_id = back.scenario_id, version = back.version, params = back.params, state = back.state,
      status = 'running', reason = '', lane = back.lane, start_id = null, last_message_id = back.last_message_id,
      path = back.path, unheard = coalesce(unheard.messages, 0),
      due_at = case when unheard.messages is null then back.due_at else ${now} end,
      lease = null, attempts = 0, created_at = back.created_at, displaced = null
    from back left join unheard using (project_id, chat_id)
    where runs.project_id = back.project_id and runs.chat_id = back.chat_id
    returning runs.chat_id`;
  return new Set(given.map(({ chat_id }) => chat_id));
}

type Place = { project_id: string; chat_id: string };

/**
 * Looks at some runs that have displaced others, after a place. One whose first message did not reach the client is due
 * at once, and then ends. One whose message did is the chat's own. Returns the last place. Null at the end.
 */
export async function lookAtDisplaced(
  sql: Sql,
  { project_id, chat_id }: Place,
  { now, atMost }: { now: Date; atMost: number },
): Promise<Place | null> {
  const [row] = await sql<[{ last: Place | null }]>`
    with looked as materialized (
      select project_id, chat_id, (displaced ->> 'by')::uuid as by from scenario_runs
      where displaced is not null and (project_id, chat_id) > (${project_id}, ${chat_id})
      order by project_id, chat_id limit ${atMost}
    ),
    known as (
      select looked.project_id, looked.chat_id, message.is_over
      from looked cross join lateral (
        select ${endsRun(sql, sql`messages`)} as is_over from messages
        where messages.project_id = looked.project_id and messages.id = looked.by
          and state not in ('PENDING', 'IN_PROCESS')
      ) as message
    ),
    settled as (
      update scenario_runs runs set
        due_at = case when is_over then ${now} else due_at end,
        displaced = case when is_over then displaced end
      from known
      where runs.project_id = known.project_id and runs.chat_id = known.chat_id and lease is null
    )
    select case when (select count(*) from looked) = ${atMost} then (
      select jsonb_build_object('project_id', project_id, 'chat_id', chat_id) from looked
      order by project_id desc, chat_id desc limit 1
    ) end as last`;
  return row.last;
}
