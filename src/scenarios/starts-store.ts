import { hasList, whyNot } from '../clients/consent/refusal-store.ts';
import { handedMessages, startedMessages } from '../messaging/messages/moves-store.ts';
import { hasOpenSession } from '../messaging/messages/open-session-store.ts';
import { saidBy } from '../messaging/messages/said-store.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';
import type { Claim } from './claim-store.ts';
import { displacedBy } from './displaced-store.ts';
import { idNamed } from './names-store.ts';
import { isAtWorkSince, isPaused, isUnderWay, takenOver } from './succession-store.ts';

/**
 * Makes leased runs from up to `free` due start messages. Returns the number of handled messages. A run that has just
 * begun in the same chat is not replaced before its first step. During a session, the sending engine refuses a
 * message that is not forced, and the chat's own run stays. It also refuses a mailing's message to a client who left.
 */
export async function takeStarts(
  sql: Sql,
  claim: Claim,
  free: number,
  newRunId: () => string,
): Promise<number> {
  const { projectId, now } = claim;
  const ids = Array.from({ length: free }, newRunId);
  const [row] = await sql<[{ taken: number }]>`
    with due as (${dueStarts(sql, projectId, now)} order by due_at limit ${free} for update skip locked),
    earliest as (
      select distinct on (chat_id) * from due where is_free and why is null order by chat_id, due_at, id
    ),
    numbered as (select *, row_number() over (order by due_at, id) as place from earliest),
    begun as (
      ${begunRuns(sql, claim, ids)}
      returning chat_id
    ),
    beginning as (select * from earliest where chat_id in (select chat_id from begun)),
    taken as (
      ${startedMessages(sql, sql`beginning`)}
      returning messages.id
    ),
    barred as (
      ${handedMessages(sql, barredStarts(sql, projectId))}
      returning messages.id
    ),
    silenced as (${silencedOpenings(sql, projectId)}),
    refused as (
      ${handedMessages(sql, refusedStarts(sql, projectId))}
      returning messages.id
    )
    select ((select count(*) from taken) + (select count(*) from barred))::int as taken`;
  return row.taken;
}

/**
 * A start waits while its mailing does not run, or while the run of its chat is at work and has not paused for a session.
 */
const dueStarts = (sql: Sql, projectId: string, now: Date): Fragment => sql`
  select project_id, id, chat_id, lane, content, mailing_id, variant, due_at, is_force or not ${hasOpenSession(sql, sql`messages`)} as is_free, case when mailing_id is not null then ${whyBarred(sql, projectId)} end as why
  from messages
  where project_id = ${projectId} and is_queued and channel_id is null and due_at <= ${now}
    and (mailing_id is null or exists (
      select from mailings
      where mailings.project_id = ${projectId} and mailings.id = mailing_id and mailings.state = 'in_process'
        and (finish_by is null or finish_by > ${now})
    ))
    and not exists (
      select from scenario_runs runs
      where runs.project_id = ${projectId} and runs.chat_id = messages.chat_id
        and ${isAtWorkSince(sql, sql`runs`, sql`messages.due_at`)}
        and not ${isPaused(sql, sql`runs`)}
    )`;

/** The due starts that end without a run, with the reason as their text. */
const barredStarts = (sql: Sql, projectId: string): Fragment => sql`(
  select due.project_id, due.id, chats.channel_id,
    jsonb_build_object(
      'type', 'nothing', 'is_refused', true, 'text', coalesce(why, 'The chat has an open operator session.')
    ) as rendered
  from due join chats on chats.project_id = ${projectId} and chats.id = due.chat_id
  where not is_free or why is not null
)`;

/**
 * Makes a leased run of each of `numbered`, in the version that its mailing's approver saw. A run that another worker
 * has begun in the chat meanwhile stays.
 */
const begunRuns = (sql: Sql, { projectId, lease, now, leaseUntil }: Claim, ids: string[]): Fragment => sql`
  insert into scenario_runs (
    project_id, chat_id, id, scenario_id, version, params, lane, start_id, due_at, lease, attempts, created_at
  )
  select ${projectId}, numbered.chat_id, (${ids}::uuid[])[place], scenarios.id,
    coalesce((mailings.approved_versions ->> scenarios.id::text)::integer, scenarios.version),
    ${paramsOf(sql)}, numbered.lane, numbered.id, ${leaseUntil}, ${lease}, 1, ${now}
  from numbered
  left join mailings on mailings.project_id = ${projectId} and mailings.id = numbered.mailing_id
  left join lateral ${saidBy(sql, sql`numbered.variant`)} as said on true
  left join scenarios on scenarios.project_id = ${projectId} and scenarios.id = coalesce(
    said.node_id, ${idNamed(sql, projectId, sql`coalesce(said.node_name, content -> 'node' ->> 'name')`)}
  )
  order by numbered.chat_id
  on conflict (project_id, chat_id) do update set ${takenOver(sql, { displaced: displacedBy(sql) })}
    where not ${isUnderWay(sql, sql`scenario_runs`)} or ${isPaused(sql, sql`scenario_runs`)}`;

/** A start ends the run before that still waits for its first message. */
const silencedOpenings = (sql: Sql, projectId: string): Fragment => sql`
  delete from scenario_openings where project_id = ${projectId} and message_id = any (array(
    select message_id from scenario_openings openings join beginning on beginning.chat_id = openings.chat_id
    where openings.project_id = ${projectId} and openings.due_at is not null for update of openings skip locked
  ))
  returning message_id, chat_id`;

const refusedStarts = (sql: Sql, projectId: string): Fragment => sql`(
  select silenced.message_id as id, chats.project_id, chats.channel_id, jsonb_build_object(
    'type', 'nothing', 'text', 'Another scenario began before this one had sent anything.'
  ) as rendered
  from silenced join chats on chats.project_id = ${projectId} and chats.id = silenced.chat_id
)`;

/** Why a mailing's message does not reach its client since it was planned. Null if it may. */
function whyBarred(sql: Sql, projectId: string): Fragment {
  const client = { projectId: sql`chats.project_id`, profileId: sql`chats.profile_id` };
  const topicId = sql`(
    select topic_id from mailings where mailings.project_id = ${projectId} and mailings.id = messages.mailing_id
  )`;
  const rule = { topicId, hasList: hasList(sql, sql`${projectId}`) };
  return sql`(
    select ${whyNot(sql, client, rule)} from chats
    where chats.project_id = ${projectId} and chats.id = messages.chat_id
  )`;
}

/** The sender's parameters by bare names: a push's, a mailing's, and the columns of the recipient's line. */
const paramsOf = (sql: Sql) => sql`
  coalesce((
    select jsonb_object_agg(param ->> 'name', param -> 'value')
    from jsonb_array_elements(said.node_get_params) as param
  ), '{}')
  || coalesce(nullif(content -> 'get_params', 'null'), '{}')
  || coalesce(nullif(content -> 'variables', 'null'), '{}')`;
