import type { Fragment, Sql } from './database.ts';

/** A lease of due rows, of which one project gets few. `taken` counts those that the caller has of a project already. */
export type FairLease = {
  now: Date;
  until: Date;
  most: number;
  mostOfProject: number;
  taken: readonly { project_id: string; count: number }[];
};

/** Rows that one look compares. Those of projects without a free place do not count. */
const window = 500;

/**
 * The keys of the oldest due rows, for a statement that leases them. `due` is the column by which rows are due, and it
 * has an index. The statement repeats the condition on it: another process may lease the same rows meanwhile.
 */
export function fairlyDue(
  sql: Sql,
  table: string,
  due: string,
  { now, most, mostOfProject, taken }: FairLease,
): Fragment {
  const full = taken.flatMap(({ project_id, count }) => (count >= mostOfProject ? [project_id] : []));
  return sql`
    select ranked.project_id, ranked.id from (
      select oldest.*, row_number() over (partition by oldest.project_id order by oldest.due, oldest.id) as place
      from (
        select project_id, id, ${sql(due)} as due from ${sql(table)}
        where ${sql(due)} <= ${now} and project_id <> all (${full}::uuid[])
        order by ${sql(due)} limit ${window}
      ) as oldest
    ) as ranked
    left join jsonb_to_recordset(${sql.json(taken)}) as taken (project_id uuid, count integer)
      on taken.project_id = ranked.project_id
    where ranked.place + coalesce(taken.count, 0) <= ${mostOfProject}
    order by ranked.due limit ${most}`;
}
