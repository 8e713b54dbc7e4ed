import { templatePlatforms } from '../channels/registry.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';
import { asKeyword, startKeyword } from './keywords.ts';

/** Columns of `chats`. */
type Chat = { project_id: string; id: string; platform: string };

/**
 * Whether a run may receive a client's message in the chat, or the message may start one. A cheap check that saves
 * other messages the rest.
 */
export const listensTo = (sql: Sql, { project_id, id, platform }: Chat) => sql`(
  exists (select from scenario_runs where project_id = ${project_id} and chat_id = ${id} and status = 'running')
  or exists (select from scenario_starters where project_id = ${project_id} and is_enabled)
  ${
    invites(platform)
      ? sql`or exists (
          select from messages
          where messages.project_id = ${project_id} and messages.chat_id = ${id} and ${isInvitation(sql)}
        )`
      : sql``
  }
)`;

/** A template may name a scenario, which starts when the client answers it. Source: docs/contract.md, section 3. */
const invites = (platform: string): boolean => templatePlatforms.some((one) => one === platform);

const isInvitation = (sql: Sql) => sql`
  messages.content_type = 'WHATSAPP_TEMPLATE' and messages.content ? 'node'
  and messages.state in ('SENT', 'DELIVERED', 'READ')`;

/** `ref` is the parameter of the link by which the client came. */
export type Words = { text: string | null; ref: string | null };

type Heard = Words & { platform: string; runId: string; now: Date };

/**
 * Passes a client's message to scenarios, in the statement that stores it. A link's parameter or a keyword starts its
 * scenario, which gets the parameter as `ref`. The answer
 * to a template starts the scenario that it names. Otherwise the chat's run gets one more message. Without a run, a
 * chat's first message starts the welcome. `fresh` is the message's `project_id`, `chat_id` and `message_id`, or
 * empty. No scenario gets messages while an operator has the chat.
 */
export const hearingCtes = (sql: Sql, fresh: Fragment, { text, ref, platform, runId, now }: Heard) => sql`
  scenario_audience as (
    select fresh.*, runs.id as run_id, runs.scenario_id as running_id from ${fresh} as fresh
    left join scenario_runs runs on runs.project_id = fresh.project_id and runs.chat_id = fresh.chat_id
      and runs.status = 'running'
    where not exists (
      select from sessions
      where sessions.project_id = fresh.project_id and sessions.chat_id = fresh.chat_id and closed_at is null
    )
  ),
  scenario_starter as (
    select project_id, chat_id, scenario_id, version, params
    from (${wordStarters(sql, { text, ref })} ${invites(platform) ? sql`union all ${invitations(sql)}` : sql``}) starter
    order by rank, precision desc, scenario_id limit 1
  ),
  scenario_begun as (
    insert into scenario_runs (project_id, chat_id, id, scenario_id, version, params, lane, due_at, created_at)
    select project_id, chat_id, ${runId}, scenario_id, version, params, 0, ${now}, ${now} from scenario_starter
    on conflict (project_id, chat_id) do update set ${takenOver(sql)}
    returning id
  ),
  scenario_heard as (
    update scenario_runs runs set unheard = unheard + 1,
      due_at = case when lease is null then ${now} else due_at end
    from scenario_audience audience
    where runs.project_id = audience.project_id and runs.chat_id = audience.chat_id and runs.status = 'running'
      and not exists (select from scenario_starter)
    returning runs.project_id, runs.chat_id, runs.id, audience.message_id
  ),
  scenario_mailed as (
    insert into scenario_mail (project_id, chat_id, run_id, message_id)
    select project_id, chat_id, id, message_id from scenario_heard
  )`;

/**
 * The scenarios that the message starts by its link or its keyword, or as the chat's first message. A keyword without
 * wildcards goes before all with wildcards, and of these the one with the most characters. A keyword with wildcards
 * does not restart the scenario that asks the client something.
 */
function wordStarters(sql: Sql, { text, ref }: Words): Fragment {
  const start = ref === null ? null : startKeyword(ref);
  const word = asKeyword(text ?? '');
  return sql`
  select audience.project_id, audience.chat_id, scenarios.id as scenario_id, scenarios.version,
    ${sql.json(ref === null ? {} : { ref })}::jsonb as params,
    case
      when starters.keyword = ${start}::text then 0
      when starters.pattern is not null and ${start}::text like starters.pattern then 1
      when starters.keyword = '' then 5
      when starters.pattern is null then 2
      else 3
    end as rank,
    length(starters.pattern) as precision
  from scenario_audience audience
  join scenario_starters starters on starters.project_id = audience.project_id and starters.is_enabled and (
    starters.keyword in ('', ${word}, ${start}::text) and starters.pattern is null
    or starters.pattern is not null and (
      ${start}::text like starters.pattern
      or ${word} like starters.pattern and starters.scenario_id is distinct from running_id
    )
  )
  join scenarios on scenarios.project_id = starters.project_id and scenarios.id = starters.scenario_id
  where starters.keyword <> '' or run_id is null and not exists (
    select from messages
    where messages.project_id = audience.project_id and messages.chat_id = audience.chat_id and direction = 'in'
  )`;
}

/** The scenario that it starts as the first answer to the last template that names one. */
const invitations = (sql: Sql) => sql`
  select audience.project_id, audience.chat_id, scenarios.id, scenarios.version,
    coalesce(nullif(invitation.content -> 'get_params', 'null'), '{}'), 4, null
  from scenario_audience audience
  cross join lateral (
    select content, sent_at from messages
    where messages.project_id = audience.project_id and messages.chat_id = audience.chat_id and ${isInvitation(sql)}
    order by id desc limit 1
  ) invitation
  join scenarios on scenarios.project_id = audience.project_id
    and scenarios.name = invitation.content -> 'node' ->> 'name'
  where not exists (
    select from messages answer
    where answer.project_id = audience.project_id and answer.chat_id = audience.chat_id and answer.direction = 'in'
      and answer.created_at >= invitation.sent_at
  )`;

/** The assignments by which a new run takes over the row of the chat's last one. */
export const takenOver = (sql: Sql) => sql`
  id = excluded.id, scenario_id = excluded.scenario_id, version = excluded.version, params = excluded.params,
  state = null, status = 'running', reason = '', lane = excluded.lane, start_id = excluded.start_id,
  last_message_id = null, path = '{}', unheard = 0, due_at = excluded.due_at, lease = excluded.lease, attempts = excluded.attempts,
  created_at = excluded.created_at`;
