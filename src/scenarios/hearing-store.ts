import { templatePlatforms } from '../channels/registry.ts';
import { hasOpenSession } from '../messaging/messages/open-session-store.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';
import { asKeyword, startKeyword } from './keywords.ts';
import { idNamed } from './names-store.ts';
import { isAtWork, isForNext, lastQueued, takenOver } from './succession-store.ts';

/**
 * Whether a run may receive a client's message in the chat, or the message may start one. A cheap check that saves
 * other messages the rest. `chat` names a row with `project_id`, `chat_id` and `platform`.
 */
export const listensTo = (sql: Sql, chat: Fragment) => sql`(
  exists (
    select from scenario_runs runs
    where runs.project_id = ${chat}.project_id and runs.chat_id = ${chat}.chat_id and status = 'running'
  )
  or exists (
    select from scenario_openings openings
    where openings.project_id = ${chat}.project_id and openings.chat_id = ${chat}.chat_id
  )
  or exists (select from scenario_starters starters where starters.project_id = ${chat}.project_id and is_enabled)
  or ${invites(sql, chat)} and exists (
    select from messages
    where messages.project_id = ${chat}.project_id and messages.chat_id = ${chat}.chat_id and ${isInvitation(sql)}
  )
)`;

/** A template may name a scenario, which starts when the client answers it. Source: docs/contract.md, section 3. */
const invites = (sql: Sql, chat: Fragment) => sql`${chat}.platform = any (${[...templatePlatforms]}::text[])`;

const isInvitation = (sql: Sql) => sql`
  messages.content_type = 'WHATSAPP_TEMPLATE' and messages.content ? 'node'
  and messages.state in ('SENT', 'DELIVERED', 'READ')`;

/** `ref` is the parameter of the link by which the client came. */
type Words = { text: string | null; ref: string | null };

/** A message to scenarios, with the id of a run that may begin. */
export type Heard = Words & { runId: string };

/** The columns of `heardRow` for `jsonb_to_recordset`. */
export const heardColumns = (sql: Sql) => sql`run_id uuid, word text, ref text, start text`;

export const heardRow = ({ text, ref, runId }: Heard) => ({
  run_id: runId,
  word: matchable(asKeyword(text ?? '')),
  ref,
  start: ref === null ? null : matchable(startKeyword(ref)),
});

/** A longer text matches no keyword: a thousand with wildcards would be compared with each of its places. */
const longestMatched = 1_000;

const matchable = (text: string): string | null => (text.length > longestMatched ? null : text);

/**
 * A statement for a CTE: locks the runs of the chats of `heard`. Its rows are `chat_id`, `running_id`, which is the
 * scenario of a running one, and `is_running`, which is true or null.
 */
export const heldRuns = (sql: Sql, heard: Fragment): Fragment => sql`
  select runs.chat_id, case when runs.status = 'running' then runs.scenario_id end as running_id,
    nullif(runs.status = 'running', false) as is_running
  from ${heard} as heard
  join scenario_runs runs on runs.project_id = heard.project_id and runs.chat_id = heard.chat_id
  order by runs.project_id, runs.chat_id for update of runs`;

/**
 * Passes clients' messages to scenarios, in the statement that stores them. A link's parameter or a keyword starts its
 * scenario, which gets the parameter as `ref`. The answer to a template starts the scenario that it names. Otherwise the
 * chat's run gets one more message. Without a run, a chat's first message starts the welcome.
 *
 * A run whose first message was sent gets the message once it has begun. Without another run it also gets what comes
 * while that message is being sent, because it may be the answer. A message that starts a scenario waits for those
 * before it that the chat's run has not handled.
 *
 * `heard` has the messages, at most one of a chat: their `project_id`, `chat_id`, `message_id`, `platform`, the
 * `heardColumns`, and the columns of `heldRuns`. No scenario gets messages while an operator has the chat.
 */
export const hearingCtes = (sql: Sql, heard: Fragment, now: Date) => {
  const isOwn = sql`(coalesce(next.id, runs.id) = runs.id)`;
  return sql`
  scenario_audience as (
    select * from ${heard} as heard
    where not ${hasOpenSession(sql, sql`heard`)}
  ),
  scenario_starter as (
    select distinct on (chat_id) project_id, chat_id, run_id, scenario_id, version, params
    from (${wordStarters(sql)} union all ${invitations(sql)}) starter
    order by chat_id, rank, precision desc, scenario_id
  ),
  scenario_next as (
    select audience.chat_id, openings.id, openings.is_sent from scenario_audience audience
    cross join lateral (
      select openings.id, messages.state in ('SENT', 'DELIVERED', 'READ') as is_sent from scenario_openings openings
      join messages on messages.project_id = openings.project_id and messages.id = openings.message_id
      where openings.project_id = audience.project_id and openings.chat_id = audience.chat_id and (
        messages.state in ('SENT', 'DELIVERED', 'READ') or audience.is_running is null and messages.state <> 'PENDING'
      )
      order by openings.message_id desc limit 1 for key share of openings
    ) openings
  ),
  scenario_begun as (
    insert into scenario_runs (project_id, chat_id, id, scenario_id, version, params, lane, due_at, created_at)
    select project_id, chat_id, run_id, scenario_id, version, params, 0, ${now}, ${now} from scenario_starter
    order by chat_id
    on conflict (project_id, chat_id) do update set
      ${takenOver(sql, { lastMessage: lastQueued(sql, sql`scenario_runs`) })}
      where not ${isWaitedFor(sql)}
    returning chat_id
  ),
  -- Another transaction has just begun the chat's run. Only an insertion meets its row.
  scenario_unseen as (
    insert into scenario_runs (project_id, chat_id, id, scenario_id, version, params, lane, due_at, created_at)
    select starter.project_id, chat_id, starter.run_id, scenario_id, version, params, 0, ${now}, ${now}
    from scenario_starter starter
    join scenario_audience audience using (chat_id)
    where is_running is null and chat_id not in (select chat_id from scenario_begun)
      and chat_id not in (select chat_id from scenario_next)
    order by chat_id
    on conflict (project_id, chat_id) do update set
      unheard = scenario_runs.unheard + 1,
      due_at = case when scenario_runs.lease is null then ${now} else scenario_runs.due_at end
    returning project_id, chat_id, id
  ),
  scenario_dropped as (
    delete from scenario_mail mail using scenario_audience audience
    where mail.project_id = audience.project_id and mail.chat_id = audience.chat_id and not ${isForNext(sql, sql`mail`)}
      and audience.chat_id in (select chat_id from scenario_begun)
  ),
  scenario_heard as (
    update scenario_runs runs set
      unheard = unheard + ${isOwn}::int,
      due_at = case when ${isOwn} and runs.status = 'running' and lease is null then ${now} else due_at end
    from scenario_audience audience
    left join scenario_next next on next.chat_id = audience.chat_id
    where runs.project_id = audience.project_id and runs.chat_id = audience.chat_id
      and (audience.is_running or next.id is not null) and audience.chat_id not in (select chat_id from scenario_begun)
    returning runs.project_id, runs.chat_id, coalesce(next.id, runs.id) as id, audience.message_id
  ),
  scenario_mailed as (
    insert into scenario_mail (project_id, chat_id, run_id, message_id, starts)
    select heard.project_id, heard.chat_id, heard.id, message_id, case when starter.run_id is not null then
      jsonb_build_object('id', starter.run_id, 'scenario_id', scenario_id, 'version', version, 'params', params) end
    from (
      select * from scenario_heard
      union all
      select unseen.*, message_id from scenario_unseen unseen join scenario_audience using (chat_id)
    ) as heard
    left join scenario_starter starter on starter.chat_id = heard.chat_id
  )`;
};

/**
 * Whether the scenario that a message starts waits for the chat's run: it has not answered what came before, or has yet
 * to send its first message, or the message is for a run that has yet to begin.
 */
const isWaitedFor = (sql: Sql) => sql`(
  scenario_runs.status = 'running' and (
    scenario_runs.start_id is not null
    or ${isAtWork(sql, sql`scenario_runs`)}
  )
  or exists (
    select from scenario_next next
    where next.chat_id = scenario_runs.chat_id
      and case when scenario_runs.status = 'running' then next.id <> scenario_runs.id else is_sent end
  )
)`;

/**
 * The scenarios that the message starts by its link or its keyword, or as the chat's first message. A keyword without
 * wildcards goes before all with wildcards, and of these the one with the most characters. A keyword with wildcards
 * does not restart the scenario that asks the client something.
 */
const wordStarters = (sql: Sql) => sql`
  select audience.project_id, audience.chat_id, audience.run_id, scenarios.id as scenario_id, scenarios.version,
    case when ref is null then '{}' else jsonb_build_object('ref', ref) end as params,
    case
      when starters.keyword = audience.start then 0
      when starters.pattern is not null and audience.start like starters.pattern then 1
      when starters.keyword = '' then 5
      when starters.pattern is null then 2
      else 3
    end as rank,
    length(starters.pattern) as precision
  from scenario_audience audience
  join scenario_starters starters on starters.project_id = audience.project_id and starters.is_enabled and (
    starters.keyword in ('', audience.word, audience.start) and starters.pattern is null
    or starters.pattern is not null and (
      audience.start like starters.pattern
      or audience.word like starters.pattern and starters.scenario_id is distinct from running_id
    )
  )
  join scenarios on scenarios.project_id = starters.project_id and scenarios.id = starters.scenario_id
  where starters.keyword <> '' or is_running is null and not exists (
    select from messages
    where messages.project_id = audience.project_id and messages.chat_id = audience.chat_id and direction = 'in'
  )`;

/** The scenario that it starts as the first answer to the last template that names one. */
const invitations = (sql: Sql) => sql`
  select audience.project_id, audience.chat_id, audience.run_id, scenarios.id, scenarios.version,
    coalesce(nullif(invitation.content -> 'get_params', 'null'), '{}'), 4, null
  from scenario_audience audience
  cross join lateral (
    select content, sent_at from messages
    where messages.project_id = audience.project_id and messages.chat_id = audience.chat_id and ${isInvitation(sql)}
    order by id desc limit 1
  ) invitation
  join scenarios on scenarios.project_id = audience.project_id
    and scenarios.id = ${idNamed(sql, sql`audience.project_id`, sql`invitation.content -> 'node' ->> 'name'`)}
  where ${invites(sql, sql`audience`)} and not exists (
    select from messages answer
    where answer.project_id = audience.project_id and answer.chat_id = audience.chat_id and answer.direction = 'in'
      and answer.created_at >= invitation.sent_at
  )`;
