import { handedMessages, startedMessages } from '../messaging/messages/moves-store.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Claim } from './claim-store.ts';
import { takenOver } from './hearing-store.ts';

/**
 * Makes leased runs from up to `free` due start messages. Returns the number of handled messages. A run that has just
 * begun in the same chat is not replaced before its first step. During a session, the sending engine refuses a
 * message that is not forced, and the chat's own run stays.
 */
export async function takeStarts(
  sql: Sql,
  { projectId, lease, now, leaseUntil }: Claim,
  free: number,
  newRunId: () => string,
): Promise<number> {
  const ids = Array.from({ length: free }, newRunId);
  const [row] = await sql<[{ taken: number }]>`
    with due as (
      select project_id, id, chat_id, lane, content, mailing_id, due_at, is_force or not exists (
        select from sessions
        where sessions.project_id = ${projectId} and sessions.chat_id = messages.chat_id and closed_at is null
      ) as may_begin
      from messages
      where project_id = ${projectId} and is_queued and channel_id is null and due_at <= ${now}
        and (mailing_id is null or exists (
          select from mailings
          where mailings.project_id = ${projectId} and mailings.id = mailing_id and mailings.state = 'in_process'
        ))
        and not exists (
          select from scenario_runs runs
          where runs.project_id = ${projectId} and runs.chat_id = messages.chat_id and runs.status = 'running'
            and runs.start_id is not null and runs.state is null
        )
      order by due_at limit ${free} for update skip locked
    ),
    beginning as (
      select distinct on (chat_id) * from due where may_begin order by chat_id, due_at, id
    ),
    numbered as (select *, row_number() over (order by due_at, id) as place from beginning),
    taken as (
      ${startedMessages(sql, sql`beginning`)}
      returning messages.id
    ),
    barred as (
      ${handedMessages(
        sql,
        sql`(
        select due.project_id, due.id, chats.channel_id,
          '{"type": "nothing", "text": "The chat has an open operator session."}'::jsonb as rendered
        from due join chats on chats.project_id = ${projectId} and chats.id = due.chat_id where not may_begin
      )`,
      )}
      returning messages.id
    ),
    begun as (
      insert into scenario_runs (
        project_id, chat_id, id, scenario_id, version, params, lane, start_id, due_at, lease, attempts, created_at
      )
      select ${projectId}, numbered.chat_id, (${ids}::uuid[])[place], scenarios.id, scenarios.version,
        ${paramsOf(sql)}, numbered.lane, numbered.id, ${leaseUntil}, ${lease}, 1, ${now}
      from numbered
      left join mailings on mailings.project_id = ${projectId} and mailings.id = numbered.mailing_id
      left join scenarios on scenarios.project_id = ${projectId} and case
        when mailings.node_id is not null then scenarios.id = mailings.node_id
        else scenarios.name = coalesce(mailings.node_name, content -> 'node' ->> 'name')
      end
      order by numbered.chat_id
      on conflict (project_id, chat_id) do update set ${takenOver(sql)}
    )
    select ((select count(*) from taken) + (select count(*) from barred))::int as taken`;
  return row.taken;
}

/** The sender's parameters by bare names: a push's, a mailing's, and the columns of the recipient's line. */
const paramsOf = (sql: Sql) => sql`
  coalesce((
    select jsonb_object_agg(param ->> 'name', param -> 'value')
    from jsonb_array_elements(mailings.node_get_params) as param
  ), '{}')
  || coalesce(nullif(content -> 'get_params', 'null'), '{}')
  || coalesce(nullif(content -> 'variables', 'null'), '{}')`;
