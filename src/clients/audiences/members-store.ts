import type { Fragment, Sql } from '../../platform/database/database.ts';

type Audience = { projectId: string; audienceId: string };

/** A statement for a CTE: keeps the clients who came, with rows of `profile_id`. Returns those who were not there. */
export const enteredMembers = (
  sql: Sql,
  { projectId, audienceId }: Audience,
  clients: Fragment,
): Fragment => sql`
  insert into audience_members (project_id, audience_id, profile_id)
  select ${projectId}, ${audienceId}, profile_id from ${clients} as clients order by profile_id
  on conflict do nothing
  returning profile_id`;

/** A statement for a CTE: forgets the `members` who fulfil the condition, and returns their `profile_id`. */
export const goneMembers = (
  sql: Sql,
  { projectId, audienceId }: Audience,
  condition: Fragment,
): Fragment => sql`
  delete from audience_members members
  where project_id = ${projectId} and audience_id = ${audienceId} and ${condition}
  returning profile_id`;

/** A profile that is merged into another one is a member there, and so enters no audience again. */
export async function carryMembers(
  sql: Sql,
  projectId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`
    update audience_members members set profile_id = ${to}
    from audiences
    where audiences.project_id = ${projectId} and members.project_id = ${projectId}
      and members.audience_id = audiences.id and members.profile_id = ${from}
      and not exists (
        select from audience_members already
        where already.project_id = ${projectId} and already.audience_id = audiences.id and already.profile_id = ${to}
      )`;
}

/** Deletes clients of deleted audiences. Returns their number. It reads one row of each audience that stays. */
export function forgetMembers(sql: Sql, most: number): Promise<number> {
  return sql`
    with recursive looked as (
      (select project_id, audience_id from audience_members order by project_id, audience_id limit 1)
      union all
      select further.* from looked cross join lateral (
        select project_id, audience_id from audience_members as members
        where (members.project_id, members.audience_id) > (looked.project_id, looked.audience_id)
        order by members.project_id, members.audience_id limit 1
      ) as further
    ),
    ownerless as (
      select * from looked
      where not exists (
        select from audiences where audiences.project_id = looked.project_id and audiences.id = looked.audience_id
      )
    )
    delete from audience_members where (project_id, audience_id, profile_id) in (
      select project_id, audience_id, profile_id
      from audience_members join ownerless using (project_id, audience_id) limit ${most}
    )`.count();
}
