import type { Fragment, Sql } from '../platform/database/database.ts';
import { fewRows } from '../platform/database/few-rows.ts';
import { isForNext } from './succession-store.ts';

/**
 * What a run that a message starts keeps of the run that it displaces, for an upsert: the chat goes back to that run
 * if the message does not arrive. A run that has not begun itself passes on the one that it has displaced. A begun one
 * keeps its own, one deep.
 */
export const displacedBy = (sql: Sql): Fragment => sql`
  case when scenario_runs.status = 'running' then
    case when scenario_runs.start_id is null then to_jsonb(scenario_runs) #- '{displaced,displaced}'
      else scenario_runs.displaced end
  end`;

type ChatKey = { project_id: string; chat_id: string };

const chatOf = ({ project_id, chat_id }: ChatKey): ChatKey => ({ project_id, chat_id });

/** Gives chats back to the displaced runs. They also hear what the client has written since. */
export async function giveBack(sql: Sql, chats: readonly ChatKey[], now: Date): Promise<void> {
  if (chats.length === 0) return;
  await sql`
    with back as (
      select runs.project_id, runs.chat_id, former.*
      from ${fewRows(sql, chats.map(chatOf), 'given', sql`project_id uuid, chat_id uuid`)}
      join scenario_runs runs on runs.project_id = given.project_id and runs.chat_id = given.chat_id
        and runs.displaced is not null
      cross join lateral jsonb_to_record(runs.displaced) as former (
        id uuid, scenario_id integer, version integer, params jsonb, state jsonb, lane smallint, last_message_id uuid,
        path text[], due_at timestamptz, created_at timestamptz, displaced jsonb
      )
    ),
    unheard as (
      select back.project_id, back.chat_id, count(*)::int as messages from back
      join scenario_mail mail on mail.project_id = back.project_id and mail.chat_id = back.chat_id
      where not ${isForNext(sql, sql`mail`)}
      group by back.project_id, back.chat_id
    )
    update scenario_runs runs set
      id = back.id, scenario_id = back.scenario_id, version = back.version, params = back.params, state = back.state,
      status = 'running', reason = '', lane = back.lane, start_id = null, last_message_id = back.last_message_id,
      path = back.path, unheard = coalesce(unheard.messages, 0),
      -- A pause for a session may have ended meanwhile. A wait that has not goes on.
      due_at = case when unheard.messages > 0 or back.due_at is not null then ${now}::timestamptz end,
      lease = null, attempts = 0, created_at = back.created_at, displaced = back.displaced
    from back left join unheard using (project_id, chat_id)
    where runs.project_id = back.project_id and runs.chat_id = back.chat_id`;
}
