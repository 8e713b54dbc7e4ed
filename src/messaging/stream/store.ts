import type { Sql } from '../../platform/database/database.ts';

export type Asked = { projectId: string; places: number };

/** The times of a project's places, earliest first: as many as it asked for, or fewer. */
export type Given = { project_id: string; moments: Date[] };

/**
 * Takes places for the tasks of each project. Each place is a window after the place `most` before it, and no later
 * than `soonest`. A project that gets none is left out. The statement updates the latest version of each row, in one
 * order. Any number of processes therefore share the limit, and cannot deadlock.
 */
export function takePlaces(
  sql: Sql,
  asked: readonly Asked[],
  limit: { most: number; windowMs: number; now: Date; soonest: Date },
): Promise<Given[]> {
  const { most, windowMs, now, soonest } = limit;
  const window = sql`make_interval(secs => ${windowMs / 1000})`;
  return sql<Given[]>`
    insert into stream_pace as pace (project_id, accepted, added)
    select project_id,
      array_fill('-infinity'::timestamptz, array[${most}::integer - places])
        || array_fill(${now}::timestamptz, array[places]),
      places
    from unnest(
      ${asked.map(({ projectId }) => projectId)}::uuid[],
      ${asked.map(({ places }) => Math.min(places, most))}::integer[]
    ) as asked (project_id, places)
    order by project_id
    on conflict (project_id) do update set (accepted, added) = (
      select
        pace.accepted[count(*) + 1:]
          || array_agg(greatest(${now}, pace.accepted[${most}], past.moment + ${window}) order by place),
        count(*)
      from unnest(pace.accepted) with ordinality as past (moment, place)
      where place <= excluded.added and past.moment + ${window} <= ${soonest}
    )
    where pace.accepted[1] + ${window} <= ${soonest}
    returning project_id, accepted[${most}::integer - added + 1:] as moments`;
}
