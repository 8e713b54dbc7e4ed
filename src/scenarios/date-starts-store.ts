import type { Sql } from '../platform/database/database.ts';

export type DateStarter = {
  id: string;
  project_id: string;
  scenario_id: number;
  attribute: string;
  hour: number;
};

export function dateStarters(sql: Sql): Promise<DateStarter[]> {
  return sql<DateStarter[]>`
    select id, project_id, scenario_id, subject as attribute, value::int as hour from scenario_event_starters
    where kind = 'date' and is_enabled order by project_id, id`;
}

/** `day` is the day of the year, as in `11-22`. */
export type Birthday = { id: string; timezone: string | null; day: string };

/** One profile after `after`, and more up to these limits. `mostBytes` counts attributes as they are stored. */
export type ProfilesPage = { after: string; most: number; mostBytes: number };

/**
 * Of a page of profiles, those whose date in the attribute is on one of the days. `last` is the last profile of the
 * page, and undefined when none is left.
 */
export async function birthdaysPage(
  sql: Sql,
  { project_id, attribute }: DateStarter,
  days: readonly string[],
  { after, most, mostBytes }: ProfilesPage,
): Promise<{ last: string | undefined; found: Birthday[] }> {
  const [row] = await sql<[{ last: string | null; found: Birthday[] }]>`
    with sized as (
      select id, timezone, attrs, sum(pg_column_size(attrs)) over (order by id) - pg_column_size(attrs) as bytes_before
      from (
        select id, timezone, attrs from profiles
        where project_id = ${project_id} and id > ${after} order by id limit ${most}
      ) as next
    ),
    page as materialized (
      select id, timezone, attrs ->> ${attribute}::text as date from sized where bytes_before < ${mostBytes}
    ),
    dated as (
      select id, timezone, case
        when date ~ '^\\d{4}-\\d{2}-\\d{2}' then substr(date, 6, 5)
        when date ~ '^\\d{2}[./]\\d{2}' then substr(date, 4, 2) || '-' || left(date, 2)
      end as day
      from page
    )
    select (select id from page order by id desc limit 1) as last, coalesce((
      select jsonb_agg(jsonb_build_object('id', id, 'timezone', timezone, 'day', day)) from dated
      where day = any (${[...days]}::text[])
    ), '[]') as found`;
  return { last: row.last ?? undefined, found: row.found };
}

/** Queues the starts of profiles that the starter has not started in this year. Returns their number. */
export async function queueDateStarts(
  sql: Sql,
  { id: starterId, project_id, scenario_id, attribute }: DateStarter,
  profiles: readonly { id: string; year: number }[],
  now: Date,
): Promise<number> {
  return await sql`
    with fresh as (
      insert into scenario_date_starts (project_id, scenario_id, attribute, profile_id, year)
      select ${project_id}, ${scenario_id}, ${attribute}, id, year
      from jsonb_to_recordset(${sql.json(profiles)}) as (id uuid, year smallint)
      order by id
      on conflict do nothing
      returning profile_id
    )
    insert into scenario_event_starts (project_id, profile_id, scenario_id, params, due_at, starter_id)
    select ${project_id}, profile_id, ${scenario_id}, jsonb_build_object('attribute', ${attribute}::text), ${now},
      ${starterId}::uuid
    from fresh order by profile_id`.count();
}

/** A profile that is merged into another one has been started there, too. */
export async function carryDateStarts(
  sql: Sql,
  projectId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`
    insert into scenario_date_starts (project_id, scenario_id, attribute, profile_id, year)
    select starts.project_id, starts.scenario_id, starts.attribute, ${to}, year
    from scenario_event_starters starters
    join scenario_date_starts starts on starts.project_id = starters.project_id
      and starts.scenario_id = starters.scenario_id and starts.attribute = starters.subject
    where starters.project_id = ${projectId} and kind = 'date' and starts.profile_id = ${from}
    order by starts.scenario_id, starts.attribute, year
    on conflict do nothing`;
}

/** Forgets the years before this one. */
export async function forgetDateStarts(sql: Sql, year: number): Promise<void> {
  await sql`delete from scenario_date_starts where year < ${year}`;
}
