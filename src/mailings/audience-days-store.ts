import { enteredMembers, goneMembers } from '../clients/audiences/members-store.ts';
import type { WireFilter } from '../clients/audiences/store.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';
import { nilUuid } from '../platform/id.ts';
import { startedByAudience } from '../scenarios/audience-starts-store.ts';
import { profilePage } from './people-store.ts';
import { bestCte, type Choice, heldToWork } from './recipients-store.ts';

/** An audience that is due for its look, or in the middle of it. */
export type DueLook = { project_id: string; audience_id: string; name: string; filter: WireFilter };

/** Audiences without an ended look of this day, one of each project before a second of any. */
export function dueLooks(sql: Sql, day: string, most: number): Promise<DueLook[]> {
  return sql<DueLook[]>`
    select project_id, id as audience_id, name, filter from audiences
    where not exists (
      select from audience_days as days
      where days.project_id = audiences.project_id and audience_id = id and day = ${day}::date and ended_at is not null
    )
    order by row_number() over (partition by project_id order by id), project_id limit ${most}`;
}

/** A look that goes on: every profile up to the cursor has been looked at. */
export type Look = { project_id: string; audience_id: string; day: string; cursor: string };

/** Begins the look of a day, or continues the unfinished one, of an earlier day too. Undefined when it has ended. */
export async function beginLook(
  sql: Sql,
  { project_id, audience_id }: Pick<Look, 'project_id' | 'audience_id'>,
  day: string,
): Promise<Look | undefined> {
  const [row] = await sql<Look[]>`
    with before as (
      select * from audience_days where project_id = ${project_id} and audience_id = ${audience_id}
    ),
    begun as (
      insert into audience_days (project_id, audience_id, day, size, came, gone, cursor)
      select project_id, id, ${day}::date, 0, compared.zero, compared.zero, ${nilUuid}::uuid
      from audiences cross join (
        select case when exists (select from before where problem is null) then 0 end as zero
      ) as compared
      where project_id = ${project_id} and id = ${audience_id}
        and not exists (select from before where ended_at is null)
      on conflict do nothing
      returning *
    )
    select project_id, audience_id, day::text, cursor from (
      select * from begun union all select * from before where ended_at is null
    ) as open
    order by day limit 1`;
  return row;
}

/**
 * Looks at the next profiles, unless another process has, and starts the scenarios of those who came. Undefined when the
 * look has ended, or is another one's. Throws `TooMuchWork`.
 */
export async function lookAtNext(
  sql: Sql,
  look: Look,
  { choice, atOnce, now }: { choice: Choice; atOnce: number; now: Date },
): Promise<Look | undefined> {
  const { project_id, audience_id, day, cursor } = look;
  const ours = sql`project_id = ${project_id} and audience_id = ${audience_id}`;
  const audience = { projectId: project_id, audienceId: audience_id };
  const [row] = await heldToWork(sql<(Pick<Look, 'cursor'> & { goes_on: boolean })[]>`
    with held as materialized (
      select came is not null as compares from audience_days
      where ${ours} and day = ${day}::date and cursor = ${cursor} and ended_at is null
      for update
    ),
    ${profilePage(sql, project_id, cursor, atOnce)},
    ${bestCte(sql, choice)},
    reach as (
      select case when (select count(*) from page) = ${atOnce} then (select cursor::uuid from reached) end as last
    ),
    went as (${goneMembers(sql, audience, wentIn(sql, cursor))}),
    came as (${enteredMembers(sql, audience, sql`(select profile_id from best where exists (select from held))`)}),
    started as (${startedByAudience(sql, { ...audience, entered: enteredBy(sql, look, now) })})
    update audience_days set
      size = size + (select count(*) from best), came = came + (select count(*) from came),
      gone = gone + (select count(*) from went), cursor = coalesce(reach.last, audience_days.cursor),
      ended_at = case when reach.last is null then ${now}::timestamptz end
    from reach
    where ${ours} and day = ${day}::date and exists (select from held)
    returning audience_days.cursor, ended_at is null as goes_on`);
  return row?.goes_on ? { ...look, cursor: row.cursor } : undefined;
}

/** Who of the page's `members` is no longer in the audience. */
const wentIn = (sql: Sql, cursor: string): Fragment => sql`
  exists (select from held) and members.profile_id > ${cursor}::uuid
  and not exists (select from reach where members.profile_id > reach.last)
  and not exists (select from best where best.profile_id = members.profile_id)`;

/**
 * Who came, and when a message may reach them. Nobody in the first look, nor while the look before may have had another
 * filter: they came by a change of the audience, not of themselves.
 */
const enteredBy = (sql: Sql, { project_id, audience_id, day }: Look, now: Date): Fragment => sql`
  (
    select best.profile_id, coalesce(best.quiet_until, ${now}) as due_at from came join best using (profile_id)
    where (select compares from held) and exists (
      select from audiences
      where project_id = ${project_id} and id = ${audience_id} and (
        updated_at = created_at or updated_at < (
          select max(before.day)::timestamp at time zone 'UTC' from audience_days as before
          where before.project_id = ${project_id} and before.audience_id = ${audience_id} and before.day < ${day}::date
            and before.ended_at is not null
        )
      )
    )
  )`;

/** Ends a look that no later attempt could finish. */
export async function giveLookUp(
  sql: Sql,
  { project_id, audience_id, day }: Look,
  problem: string,
  now: Date,
): Promise<void> {
  await sql`
    update audience_days set problem = ${problem}, ended_at = ${now}
    where project_id = ${project_id} and audience_id = ${audience_id} and day = ${day}::date and ended_at is null`;
}

/** Returns their number. */
export function forgetDays(sql: Sql, before: string, most: number): Promise<number> {
  return sql`
    delete from audience_days where (project_id, audience_id, day) in (
      select project_id, audience_id, day from audience_days where day < ${before}::date limit ${most}
    )`.count();
}

export type DayRow = {
  day: string;
  size: number;
  came: number | null;
  gone: number | null;
  problem: string | null;
};

/** The ended looks of an audience, oldest first: the last `most`. */
export function daysOf(sql: Sql, projectId: string, audienceId: string, most: number): Promise<DayRow[]> {
  return sql<DayRow[]>`
    select * from (
      select day::text, size, came, gone, problem from audience_days
      where project_id = ${projectId} and audience_id = ${audienceId} and ended_at is not null
      order by audience_days.day desc limit ${most}
    ) as last order by day`;
}

/** The last ended look of each audience of a project. */
export function lastDays(sql: Sql, projectId: string): Promise<(DayRow & { audience_id: string })[]> {
  return sql<(DayRow & { audience_id: string })[]>`
    select distinct on (audience_id) audience_id, day::text, size, came, gone, problem from audience_days
    where project_id = ${projectId} and ended_at is not null
    order by audience_id, audience_days.day desc`;
}
