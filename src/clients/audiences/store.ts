import type { Pool, Sql } from '../../platform/database/database.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import type { JsonValue } from '../../platform/http/fields.ts';
import { isStorable } from '../../platform/http/storable.ts';

export type WireFilter = { [name: string]: JsonValue };

export type AudienceRow = {
  id: string;
  name: string;
  filter: WireFilter;
  author_name: string | null;
  created_at: Date;
  updated_at: Date;
};

const columns = (sql: Sql) => sql`id, name, filter, author_name, created_at, updated_at`;

/** By name. */
export function listAudiences(sql: Sql, projectId: string): Promise<AudienceRow[]> {
  return sql<AudienceRow[]>`
    select ${columns(sql)} from audiences where project_id = ${projectId} order by lower(name), name`;
}

export async function findAudience(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<AudienceRow | undefined> {
  const [row] = await sql<AudienceRow[]>`
    select ${columns(sql)} from audiences where project_id = ${projectId} and id = ${id}`;
  return row;
}

export type NamedAudience = Pick<AudienceRow, 'id' | 'name' | 'filter'>;

export async function findAudienceNamed(
  sql: Sql,
  projectId: string,
  name: string,
): Promise<NamedAudience | undefined> {
  if (!isStorable(name)) return undefined;
  const [row] = await sql<NamedAudience[]>`
    select id, name, filter from audiences where project_id = ${projectId} and name = ${name}`;
  return row;
}

/** The present filters of audiences by name. Unknown names are absent. */
export async function filtersNamed(
  sql: Sql,
  projectId: string,
  names: readonly string[],
): Promise<Map<string, WireFilter>> {
  const possible = names.filter(isStorable);
  const rows = await sql<Pick<AudienceRow, 'name' | 'filter'>[]>`
    select name, filter from audiences where project_id = ${projectId} and name = any (${possible}::text[])`;
  return new Map(rows.map(({ name, filter }) => [name, filter]));
}

/** The scenarios that name an audience: in their published version, or in one that a chat still follows. */
export async function scenariosOf(sql: Sql, projectId: string, name: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from scenarios
    where project_id = ${projectId} and exists (
      select from scenario_versions versions
      where versions.project_id = ${projectId} and versions.scenario_id = scenarios.id
        and jsonb_path_exists(
          definition, '$.steps[*].cases[*].when ? (@.audience == $name)', jsonb_build_object('name', ${name}::text)
        )
        and (versions.version = scenarios.version or exists (
          select from scenario_walks walks
          where walks.project_id = ${projectId} and walks.scenario_id = scenarios.id and walks.version = versions.version
        ))
    )
    order by name limit 100`;
  return rows.map(({ name }) => name);
}

/** The scenarios that start when a client enters an audience. */
export async function startedBy(sql: Sql, projectId: string, id: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from scenario_event_starters as starters
    join scenarios on scenarios.project_id = starters.project_id and scenarios.id = scenario_id
    where starters.project_id = ${projectId} and kind = 'audience' and subject = ${id}::text`;
  return rows.map(({ name }) => name);
}

export type NewAudience = {
  id: string;
  name: string;
  filter: WireFilter;
  authorId: string;
  authorName: string | null;
  now: Date;
};

/** Returns false for a name that is in use. */
export async function insertAudience(
  sql: Sql,
  projectId: string,
  { id, name, filter, authorId, authorName, now }: NewAudience,
): Promise<boolean> {
  const count = await sql`
    insert into audiences (project_id, id, name, filter, author_id, author_name, created_at, updated_at)
    values (
      ${projectId}, ${id}, ${name}, ${sql.json(filter)}, ${authorId}, ${authorName}, ${now}::timestamptz,
      ${now}::timestamptz
    )
    on conflict on constraint audiences_name do nothing`.count();
  return count === 1;
}

export async function updateAudience(
  sql: Sql,
  projectId: string,
  { id, name, filter, now }: Pick<NewAudience, 'id' | 'name' | 'filter' | 'now'>,
): Promise<'changed' | 'taken' | 'gone'> {
  try {
    const changed = await sql`
      update audiences set name = ${name}, filter = ${sql.json(filter)}, updated_at = ${now}
      where project_id = ${projectId} and id = ${id}
      returning id`;
    return changed.length === 1 ? 'changed' : 'gone';
  } catch (error) {
    if (isUniqueViolation(error, 'audiences_name')) return 'taken';
    throw error;
  }
}

/**
 * Nothing while a planned or running mailing names it. The lock makes a mailing that is being stored wait, and the
 * second statement sees one that was stored before the lock.
 */
export function deleteAudience(
  sql: Pool,
  projectId: string,
  id: string,
): Promise<'deleted' | 'awaited' | 'missing'> {
  return sql.begin(async (transaction) => {
    const locked = await transaction`
      select from audiences where project_id = ${projectId} and id = ${id} for update`;
    if (locked.length === 0) return 'missing';
    const gone = await transaction`
      delete from audiences
      where project_id = ${projectId} and id = ${id} and not exists (
        select from mailings
        where mailings.project_id = ${projectId} and audience_id = ${id} and state in ('planned', 'in_process')
      )
      returning id`;
    return gone.length === 1 ? 'deleted' : 'awaited';
  });
}

/** The names of mailings that name an audience and have not ended, newest first. */
export async function openMailingsOf(sql: Sql, projectId: string, id: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from mailings
    where project_id = ${projectId} and audience_id = ${id} and state in ('planned', 'in_process')
    order by mailings.id desc limit 100`;
  return rows.map(({ name }) => name);
}
