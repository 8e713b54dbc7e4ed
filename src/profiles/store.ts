import type { Fragment, JSONValue } from 'postgres';
import type { Sql } from '../storage/database.ts';
import { isUniqueViolation } from '../storage/unique-violation.ts';

export type NewProfile = {
  projectId: string;
  id: string;
  name: string | null;
  createdAt: Date;
};

/** An INSERT to be placed in a larger statement; it makes the profile for the row that `source` gives, if it gives one. */
export const insertProfile = (
  sql: Sql,
  { projectId, id, name, createdAt }: NewProfile,
  source: Fragment,
) => sql`
  insert into profiles (project_id, id, name, created_at, updated_at)
  select ${projectId}, ${id}, ${name}, ${createdAt}, ${createdAt} ${source}`;

/** The id of the profile that has this phone number (E.164); it is made where there is none. */
export async function profileOfPhone(sql: Sql, phone: string, profile: NewProfile): Promise<string> {
  const { projectId, id, name, createdAt } = profile;
  // The update changes nothing: it makes the statement answer with the row that was there before.
  const [row] = await sql<[{ id: string }]>`
    insert into profiles (project_id, id, name, phone_number, created_at, updated_at)
    values (${projectId}, ${id}, ${name}, ${phone}, ${createdAt}, ${createdAt})
    on conflict (project_id, phone_number) do update set phone_number = excluded.phone_number
    returning id`;
  return row.id;
}

/** Gives the phone number to this profile, unless it has one already or another profile has this one. */
export async function claimPhone(
  sql: Sql,
  projectId: string,
  profileId: string,
  phone: string,
  now: Date,
): Promise<void> {
  try {
    await sql`
      update profiles set phone_number = ${phone}, updated_at = ${now}
      where project_id = ${projectId} and id = ${profileId} and phone_number is null
        and not exists (select from profiles where project_id = ${projectId} and phone_number = ${phone})`;
  } catch (error) {
    // Another profile got it while this statement ran.
    if (!isUniqueViolation(error)) throw error;
  }
}

/** Those that the project has defined; a null clears the attribute. */
export async function addTagsAndAttrs(
  sql: Sql,
  projectId: string,
  profileId: string,
  { tags, attrs }: { tags: readonly string[]; attrs: { readonly [name: string]: JSONValue | undefined } },
  now: Date,
): Promise<void> {
  // The new values are reckoned from the row inside SET: so two that come at once add up.
  await sql`
    with given as (
      select
        array(
          select name from tags where project_id = ${projectId} and name = any (${[...tags]}::text[]) order by name
        ) as tags,
        coalesce(jsonb_object_agg(name, value) filter (where value <> 'null'), '{}') as attrs,
        coalesce(array_agg(name) filter (where value = 'null'), '{}') as cleared
      from attributes join jsonb_each(${sql.json(attrs)}) as entry (name, value) using (name)
      where project_id = ${projectId}
    )
    update profiles set
      tags = profiles.tags || array(select unnest(given.tags) except select unnest(profiles.tags) order by 1),
      attrs = (profiles.attrs || given.attrs) - given.cleared,
      updated_at = ${now}
    from given
    where profiles.project_id = ${projectId} and profiles.id = ${profileId}
      and not (profiles.tags @> given.tags and profiles.attrs = (profiles.attrs || given.attrs) - given.cleared)`;
}
