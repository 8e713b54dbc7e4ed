import { issuedCodes, type NamedGroup, reservedCtes } from '../../clients/promocodes/reservation-store.ts';
import { addedCounts, countedWaits } from '../../messaging/messages/mailing-counts-store.ts';
import { plannedMessages } from '../../messaging/messages/new-store.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { Audience } from '../audience.ts';
import { forgottenLines, notedProblems } from '../lists-store.ts';
import { profilePage } from '../people-store.ts';
import {
  columns,
  countedPlatforms,
  type LeasedMailing,
  type MailingRow,
  steppedMailing,
} from '../planner-store.ts';
import { heldToWork } from '../recipients-store.ts';
import { linePage } from './page-store.ts';
import type { ProjectRules } from './project-rules.ts';
import { type Draw, problemCte, recipientCtes } from './recipients-store.ts';

export type Chunk = ProjectRules & {
  audience: Audience;
  atOnce: number;
  /** Every text takes a code of each. */
  groups: readonly NamedGroup[];
  now: Date;
  leaseUntil: Date;
  /** If set, plans none of these lines or profiles, for this reason. */
  parkedFor: string | null;
  /** What an A/B test plans now. Null outside of one. */
  draw: Draw | null;
};

/** `made` counts the inserted messages. */
export type Planned = MailingRow & { made: number };

const pageOf = (sql: Sql, held: LeasedMailing, { audience: { list }, atOnce }: Chunk): Fragment =>
  list === null
    ? profilePage(sql, held.project_id, held.progress.cursor ?? null, atOnce)
    : linePage(sql, held, list, atOnce);

/**
 * Plans the next lines or profiles in one statement: their messages, their problem lines, and the next cursor. An
 * empty page ends the stage. Undefined when the lease is lost. A person whose profiles merge afterwards may have two
 * messages. The claim of sending lets one of them through.
 * Throws `TooMuchWork` for a filter that looks at too much of them.
 */
export async function planChunk(sql: Sql, held: LeasedMailing, chunk: Chunk): Promise<Planned | undefined> {
  const key = { projectId: held.project_id, mailingId: held.id };
  const made = sql`(
    select platform, count(*) as planned
    from (select platform, message_id in (select id from inserted) as is_made from chosen) as told
    where is_made group by platform
  )`;
  const waiting = sql`(
    select ${held.project_id}::uuid as project_id, ${held.id}::uuid as mailing_id, due_at as until
    from inserted where state = 'PENDING' and due_at > ${chunk.now}
  )`;
  const difference = sql`array[count(*), 0, 0, 0, count(*) filter (where state = 'UNDELIVERED'), 0, 0, 0, 0]::integer[]`;
  const nextStage = sql`case when exists (select from page) then stage else 'sending' end`;
  const [row] = await heldToWork(sql<Planned[]>`
    with ${pageOf(sql, held, chunk)},
    ${recipientCtes(sql, held, chunk)},
    ${problemCte(sql, held, chunk)},
    turn as (
      ${steppedMailing(sql, held, {
        stage: nextStage,
        progress: sql`jsonb_build_object(
          'cursor', (select cursor from reached), 'at_once', ${chunk.atOnce}::integer, 'tries', 0,
          'problems', coalesce((progress ->> 'problems')::integer, 0) + (select count(*) from problem)
        )`,
        leaseUntil: chunk.leaseUntil,
      })}
      returning *
    ),
    ${insertedCtes(sql, held, chunk)},
    counted as (${countedPlatforms(sql, key, made)}),
    ${chunk.quiet && held.finish_by === null ? sql`rested as (${countedWaits(sql, waiting)}),` : sql``}
    noted as (
      ${notedProblems(sql, held, chunk.audience.list ?? 'profiles', { turn: sql`turn`, problems: sql`problem` })}
    ),
    -- The lines of a file are needed no more, and are personal data.
    forgotten as (${forgottenLines(sql, sql`(select * from turn where stage = 'sending' and ${chunk.draw?.part !== 'sample'})`)})
    select ${columns(sql)}, (select count(*)::int from inserted) as made,
      array(select ${addedCounts(sql, key, { variant: sql`variant`, difference })}::text from inserted group by variant) as told
    from turn as mailings`);
  return row;
}

/** Counts the next recipients without messages, and adds them to `needed`. */
export async function countChunk(
  sql: Sql,
  held: LeasedMailing,
  chunk: Chunk,
): Promise<MailingRow | undefined> {
  const [row] = await heldToWork(sql<MailingRow[]>`
    with ${pageOf(sql, held, chunk)},
    ${recipientCtes(sql, held, chunk)}
    ${steppedMailing(sql, held, {
      progress: sql`jsonb_build_object(
        'cursor', (select cursor from reached), 'at_once', ${chunk.atOnce}::integer, 'tries', 0,
        'needed', coalesce((progress ->> 'needed')::integer, 0) + (select count(*) from chosen where content_type = 'TEXT' and not is_over)
      )`,
      leaseUntil: chunk.leaseUntil,
    })}
    returning ${columns(sql)}`);
  return row;
}

/** `inserted`: the messages, if the lease is ours. An existing message is not inserted again. */
function insertedCtes(sql: Sql, held: LeasedMailing, chunk: Chunk): Fragment {
  const { groups, now } = chunk;
  const reserves = groups.length > 0;
  const issuing = { reserved: sql`reserved`, inserted: sql`inserted`, projectId: held.project_id, now };
  const lacks = sql`(chosen.content_type = 'TEXT' and reserved.message_id is null)`;
  const rows = sql`
    select turn.project_id, chosen.message_id as id, chosen.chat_id,
      -- Who gets nothing is no failure of the channel.
      case when chosen.content_type <> 'NODE' and not chosen.is_over then chosen.channel_id end as channel_id,
      chosen.content_type,
      ${reserves ? sql`jsonb_strip_nulls(jsonb_build_object('promocodes', reserved.promocodes)) ||` : sql``}
      case when chosen.variables is null then '{}' else jsonb_build_object('variables', chosen.variables) end as content,
      turn.origin = 'chat_center' as is_force,
      case when chosen.is_over ${reserves ? sql`or ${lacks}` : sql``} then 'UNDELIVERED' else 'PENDING' end as state,
      case when chosen.is_over then chosen.over
        ${reserves ? sql`when ${lacks} then 'There was no promo code left.'` : sql``} else '' end as state_detail,
      ${dueAt(sql, held, chunk)} as due_at,
      turn.id as mailing_id, turn.run as mailing_run, chosen.variant
    from turn, chosen ${reserves ? sql`left join reserved on reserved.message_id = chosen.message_id` : sql``}`;
  return sql`
    ${reserves ? sql`${reservingCtes(sql, held, chunk)},` : sql``}
    inserted as (
      ${plannedMessages(sql, sql`(${rows})`, now)}
    )
    ${reserves ? sql`, issued as (${issuedCodes(sql, issuing)})` : sql``}`;
}

/** With a moment to finish by, messages wait for it, and the stage `sending` hands them over before. */
function dueAt(sql: Sql, { finish_by }: LeasedMailing, { quiet, now }: Chunk): Fragment {
  if (finish_by) return sql`${finish_by}::timestamptz`;
  return quiet ? sql`coalesce(chosen.quiet_until, ${now})` : sql`${now}::timestamptz`;
}

/** Codes for recipients without a message. */
const reservingCtes = (sql: Sql, { project_id }: LeasedMailing, { groups, now }: Chunk) => sql`
  recipients as (
    select message_id, chat_id from chosen
    where content_type = 'TEXT' and not is_over and not exists (
      select from messages where messages.project_id = ${project_id} and messages.id = chosen.message_id
    )
  ),
  ${reservedCtes(sql, sql`reserved`, { recipients: sql`recipients`, projectId: project_id, groups, now })}`;
