import { issuedCte, type NamedGroup, reservedCtes } from '../../clients/promocodes/reservation-store.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { Audience } from '../audience.ts';
import { profilePage } from '../people-store.ts';
import { heldToWork } from '../recipients-store.ts';
import { columns, type Held, isHeld, type MailingRow } from './mailing-store.ts';
import { linePage } from './page-store.ts';
import { problemCte, recipientCtes } from './recipients-store.ts';
import { mostProblems } from './rules.ts';

export type Chunk = {
  audience: Audience;
  atOnce: number;
  /** Every text takes a code of each. */
  groups: readonly NamedGroup[];
  now: Date;
  leaseUntil: Date;
  /** Plans none of these lines or profiles, for this reason. */
  parkedFor: string | null;
};

/** `made` counts the messages that were inserted. */
export type Planned = MailingRow & { made: number };

const pageOf = (sql: Sql, held: Held, { audience: { list }, atOnce }: Chunk): Fragment =>
  list === null
    ? profilePage(sql, held.project_id, held.progress.cursor ?? null, atOnce)
    : linePage(sql, held, list, atOnce);

/**
 * Plans the next lines or profiles: their messages, what is said of them, and where the next chunk begins, in one
 * statement. The page may be empty: then the stage is over. Undefined when the lease is lost.
 * Throws `TooMuchWork` for a filter that looks at too much of them.
 * A person whose profiles become one after this may have two messages: the claim of sending lets one of them through.
 */
export async function planChunk(sql: Sql, held: Held, chunk: Chunk): Promise<Planned | undefined> {
  const [row] = await heldToWork(sql<Planned[]>`
    with ${pageOf(sql, held, chunk)},
    ${recipientCtes(sql, held, chunk)},
    ${problemCte(sql, held, chunk)},
    turn as (
      update mailings set
        stage = case when exists (select from page) then stage else 'sending' end,
        progress = progress || jsonb_build_object(
          'cursor', (select cursor from reached), 'at_once', ${chunk.atOnce}::integer, 'tries', 0,
          'problems', coalesce((progress ->> 'problems')::integer, 0) + (select count(*) from problem)
        ),
        due_at = ${chunk.leaseUntil}
      where ${isHeld(sql, held)}
      returning *
    ),
    ${insertedCtes(sql, held, chunk)},
    counted as (
      insert into mailing_platforms (project_id, mailing_id, platform, planned)
      select ${held.project_id}, ${held.id}, platform, count(*)
      from (select platform, message_id in (select id from inserted) as is_made from chosen) as told
      where is_made group by platform
      on conflict (project_id, mailing_id, platform)
        do update set planned = mailing_platforms.planned + excluded.planned
    ),
    noted as (
      insert into mailing_problems (project_id, mailing_id, run, list, line, identifier, reason)
      select turn.project_id, turn.id, turn.run, ${chunk.audience.list ?? 'profiles'}, line, identifier, reason
      from problem, turn
      order by line limit greatest(0, ${mostProblems} - ${held.progress.problems ?? 0}::integer)
      on conflict do nothing
    ),
    -- The lines of a file are needed no more, and are people's data.
    forgotten as (
      delete from mailing_identifiers using turn
      where mailing_identifiers.project_id = turn.project_id and mailing_id = turn.id and list <> 'array'
        and turn.stage = 'sending'
    )
    select ${columns(sql)}, made.made,
      case when made.made > 0 then add_to_mailing_counts(
        ${held.project_id}, ${held.id}, array[made.made, 0, 0, 0, made.refused, 0, 0, 0, 0]
      )::text end as told
    from turn as mailings, (
      select count(*)::int as made, (count(*) filter (where state = 'UNDELIVERED'))::int as refused from inserted
    ) as made`);
  return row;
}

/** Counts the next recipients, and makes nothing for them: of `needed` so far. */
export async function countChunk(sql: Sql, held: Held, chunk: Chunk): Promise<MailingRow | undefined> {
  const [row] = await heldToWork(sql<MailingRow[]>`
    with ${pageOf(sql, held, chunk)},
    ${recipientCtes(sql, held, chunk)}
    update mailings set
      progress = progress || jsonb_build_object(
        'cursor', (select cursor from reached), 'at_once', ${chunk.atOnce}::integer, 'tries', 0,
        'needed', coalesce((progress ->> 'needed')::integer, 0) + (select count(*) from chosen where content_type = 'TEXT')
      ),
      due_at = ${chunk.leaseUntil}
    where ${isHeld(sql, held)}
    returning ${columns(sql)}`);
  return row;
}

/** `inserted`: the messages, once the turn is ours. One that is there already is not made again. */
function insertedCtes(sql: Sql, held: Held, chunk: Chunk): Fragment {
  const { groups, now } = chunk;
  const reserves = groups.length > 0;
  const lacks = sql`(chosen.content_type = 'TEXT' and reserved.message_id is null)`;
  return sql`
    ${reserves ? sql`${reservingCtes(sql, held, chunk)},` : sql``}
    inserted as (
      insert into messages (
        project_id, id, chat_id, channel_id, direction, source, content_type, content, is_force, created_at,
        state, state_detail, lane, due_at, mailing_id, mailing_run
      )
      select turn.project_id, chosen.message_id, chosen.chat_id,
        case when chosen.content_type <> 'NODE' then chosen.channel_id end, 'out', 'mailing', chosen.content_type,
        ${reserves ? sql`jsonb_strip_nulls(jsonb_build_object('promocodes', reserved.promocodes)) ||` : sql``}
        case when chosen.variables is null then '{}' else jsonb_build_object('variables', chosen.variables) end,
        turn.origin = 'chat_center', ${now},
        ${reserves ? sql`case when ${lacks} then 'UNDELIVERED' else 'PENDING' end` : sql`'PENDING'`},
        ${reserves ? sql`case when ${lacks} then 'There was no promo code left.' else '' end` : sql`''`},
        1, ${now}, turn.id, turn.run
      from turn, chosen ${reserves ? sql`left join reserved on reserved.message_id = chosen.message_id` : sql``}
      on conflict (project_id, id) do nothing
      returning id, state
    )
    ${reserves ? sql`, ${issuedCte(sql, { projectId: held.project_id, now })}` : sql``}`;
}

/** Codes for those whose message is not there yet. */
const reservingCtes = (sql: Sql, { project_id }: Held, { groups, now }: Chunk) => sql`
  recipients as (
    select message_id, chat_id from chosen
    where content_type = 'TEXT' and not exists (
      select from messages where messages.project_id = ${project_id} and messages.id = chosen.message_id
    )
  ),
  ${reservedCtes(sql, { projectId: project_id, groups, now })}`;
