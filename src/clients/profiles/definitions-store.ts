import type { Sql } from '../../platform/database/database.ts';
import { rowCount } from '../../platform/database/row-counts.ts';
import type { Actor } from './audit.ts';

/** A tag or an attribute of the project, and the number of its profiles. */
export type Defined = { name: string; profiles: number };

export async function insertTag(sql: Sql, projectId: string, name: string): Promise<void> {
  await sql`insert into tags (project_id, name) values (${projectId}, ${name}) on conflict do nothing`;
}

export async function insertAttribute(sql: Sql, projectId: string, name: string): Promise<void> {
  await sql`insert into attributes (project_id, name) values (${projectId}, ${name}) on conflict do nothing`;
}

/** Sorted by name. */
export function listTags(sql: Sql, projectId: string): Promise<Defined[]> {
  return sql<Defined[]>`
    select name, ${rowCount(sql, projectId, 'profile_tags', sql`tags.name`)} as profiles
    from tags where project_id = ${projectId} order by lower(name), name`;
}

/**
 * Sorted by name. `profiles` counts only among the newest `among` profiles, because no index finds an attribute's
 * profiles.
 */
export function listAttributes(sql: Sql, projectId: string, among: number): Promise<Defined[]> {
  return sql<Defined[]>`
    with newest as (
      select attrs from profiles where project_id = ${projectId} order by id desc limit ${among}
    ),
    had as (
      select name, count(*)::int as profiles from newest, jsonb_object_keys(attrs) as name group by name
    )
    select name, coalesce(profiles, 0) as profiles from attributes left join had using (name)
    where project_id = ${projectId} order by lower(name), name`;
}

type Doing = { actor: Actor; now: Date; recordIds: readonly string[] };

/**
 * The rest of a statement that changes the profiles in `locked (before)`, its earlier part. Sets `assignment`, and
 * records each change under one of the ids.
 */
const changed = (
  sql: Sql,
  projectId: string,
  assignment: ReturnType<Sql>,
  { actor, now, recordIds }: Doing,
) => sql`
  numbered as (select before, row_number() over (order by (before).id) as place from locked),
  updated as (
    update profiles set ${assignment}, updated_at = ${now}
    from numbered where project_id = ${projectId} and id = (before).id
    returning before, profiles as after, place
  ),
  recorded as (
    insert into profile_audit (project_id, id, profile_id, action, changes, actor_type, actor_name, created_at)
    select ${projectId}, (${[...recordIds]}::uuid[])[place], (after).id, 'updated', profile_changes(before, after),
      ${actor.type}, ${actor.name}, ${now}
    from updated
    returning id
  )`;

/** Removes a tag from as many profiles as there are record ids, and records it. Returns the number of profiles. */
export async function untagProfiles(sql: Sql, projectId: string, tag: string, doing: Doing): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    with locked as materialized (
      select profiles as before from profiles
      where project_id = ${projectId} and id = any (array(
        select profile_id from profile_tags where project_id = ${projectId} and tag = ${tag}
        order by profile_id limit ${doing.recordIds.length}
      ))
      order by id for update
    ),
    ${changed(sql, projectId, sql`tags = array_remove(tags, ${tag}::text)`, doing)}
    select count(*)::int as count from recorded`;
  return row.count;
}

/**
 * Looks at as many profiles after `after` as there are record ids. Clears an attribute of those that have it. Returns
 * the last profile's id, undefined when none is left.
 */
export async function clearAttribute(
  sql: Sql,
  projectId: string,
  name: string,
  after: string,
  doing: Doing,
): Promise<string | undefined> {
  const [row] = await sql<{ last: string }[]>`
    with looked_at as materialized (
      select id from profiles where project_id = ${projectId} and id > ${after}
      order by id limit ${doing.recordIds.length}
    ),
    locked as materialized (
      select profiles as before from profiles
      where project_id = ${projectId} and id = any (array(select id from looked_at)) and attrs ? ${name}
      order by id for update
    ),
    ${changed(sql, projectId, sql`attrs = attrs - ${name}::text`, doing)}
    select id as last from looked_at order by id desc limit 1`;
  return row?.last;
}

export async function hasDefinition(
  sql: Sql,
  projectId: string,
  table: 'tags' | 'attributes',
  name: string,
): Promise<boolean> {
  const rows = await sql`select from ${sql(table)} where project_id = ${projectId} and name = ${name}`;
  return rows.length > 0;
}

export async function deleteTag(sql: Sql, projectId: string, name: string): Promise<void> {
  await sql`delete from tags where project_id = ${projectId} and name = ${name}`;
}

export async function deleteAttribute(sql: Sql, projectId: string, name: string): Promise<void> {
  await sql`delete from attributes where project_id = ${projectId} and name = ${name}`;
}
