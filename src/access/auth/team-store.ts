import type { Sql } from '../../platform/database/database.ts';
import type { Role } from './person.ts';

/** `by` changes `id`. Both are operators of one project. */
export type TeamMove = { by: string; id: string };

/**
 * The administrators, locked in one order everywhere. Of two who step down, or remove each other, at once, the later one
 * therefore sees the earlier change.
 */
const lockedAdmins = (sql: Sql, projectId: string) => sql`
  select operators.id, password_hash is not null and not awaits_proof and not awaits_consent as signs_in
  from operators left join users on users.id = user_id
  where project_id = ${projectId} and role = 'admin'
  order by operators.id for update of operators`;

// Counts read all administrators, so that all of them are locked.
const isAdmin = (sql: Sql, id: string) => sql`(select count(*) from admins where admins.id = ${id}) > 0`;

const hasOthers = (sql: Sql, id: string) =>
  sql`(select count(*) from admins where signs_in and admins.id <> ${id}) > 0`;

/**
 * Absent fields stay unchanged. Changes nothing and returns false when the project would have no administrator, or when
 * the caller is none any more.
 */
export async function changeMember(
  sql: Sql,
  projectId: string,
  { by, id }: TeamMove,
  { name = null, role = null }: { name?: string | null; role?: Role | null },
): Promise<boolean> {
  const rows = await sql`
    with admins as (${lockedAdmins(sql, projectId)})
    update operators set name = coalesce(${name}, name), role = coalesce(${role}, role)
    where project_id = ${projectId} and id = ${id} and ${isAdmin(sql, by)}
      and (coalesce(${role}, 'admin') = 'admin' or role = 'operator' or ${hasOthers(sql, id)})
    returning 1`;
  return rows.length === 1;
}

/**
 * Removes a member from the project. Unused links are deleted with them, unless another project has the user. False
 * as above.
 */
export async function deleteMember(sql: Sql, projectId: string, { by, id }: TeamMove): Promise<boolean> {
  const rows = await sql`
    with admins as (${lockedAdmins(sql, projectId)}),
    removed as (
      delete from operators
      where project_id = ${projectId} and id = ${id} and ${isAdmin(sql, by)} and (role = 'operator' or ${hasOthers(sql, id)})
      returning user_id
    ),
    links as (
      delete from sign_in_links using removed
      where sign_in_links.user_id = removed.user_id and not exists (
        select from operators elsewhere
        where elsewhere.user_id = removed.user_id and elsewhere.project_id <> ${projectId}
      )
    )
    select from removed`;
  return rows.length === 1;
}
