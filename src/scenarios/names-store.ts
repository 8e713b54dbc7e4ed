import type { Fragment, Sql } from '../platform/database/database.ts';

/** The id of the scenario that has a name, or else of the one that had it last. Null for none. */
export const idNamed = (sql: Sql, projectId: string | Fragment, name: string | Fragment): Fragment => sql`
  coalesce(
    (select id from scenarios named where named.project_id = ${projectId} and named.name = ${name}),
    (
      select scenario_id from scenario_former_names former
      where former.project_id = ${projectId} and former.name = ${name}
    )
  )`;

/** A statement for a CTE: keeps the name that a scenario, a row of `before`, no longer has in `after`. */
export const keptName = (sql: Sql, before: Fragment, after: Fragment): Fragment => sql`
  insert into scenario_former_names (project_id, name, scenario_id)
  select before.project_id, before.name, before.id
  from ${before} as before join ${after} as after using (project_id, id)
  where before.name <> after.name
  on conflict (project_id, name) do update set scenario_id = excluded.scenario_id`;
