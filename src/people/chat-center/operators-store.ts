import type { OperatorRow } from '../../access/auth/operators-store.ts';
import type { Sql } from '../../platform/database/database.ts';

/** Everybody who may have sessions, by name. */
export async function listOperators(sql: Sql, projectId: string): Promise<OperatorRow[]> {
  return sql<OperatorRow[]>`
    select id, name, avatar from operators where project_id = ${projectId} order by lower(name), id limit 1000`;
}

export type AccountRow = {
  project: string;
  profile_name: string | null;
  categories: string[];
  themes: string[];
};

/** The number of latest closed sessions that suggestions are taken from. */
const lately = 500;

export async function findAccount(
  sql: Sql,
  projectId: string,
  profileId: string | null,
): Promise<AccountRow | undefined> {
  const words = (column: string) => sql`
    array(
      select ${sql(column)} from lately where ${sql(column)} <> '' group by ${sql(column)}
      order by max(closed_at) desc limit 50
    )`;
  const [row] = await sql<AccountRow[]>`
    with lately as materialized (
      select category_name, theme_name, closed_at from sessions
      where project_id = ${projectId} and closed_at is not null order by closed_at desc, id desc limit ${lately}
    )
    select projects.name as project, (
        select coalesce(name, phone_number, email, external_id) from profiles
        where project_id = ${projectId} and id = ${profileId}
      ) as profile_name,
      ${words('category_name')} as categories, ${words('theme_name')} as themes
    from projects where id = ${projectId}`;
  return row;
}
