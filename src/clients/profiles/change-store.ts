import type { JSONValue, Sql } from '../../platform/database/database.ts';
import { mostKept } from '../../platform/http/fields.ts';
import type { Entry } from './audit.ts';
import { insertRecord } from './audit-store.ts';
import { isNaming, type ProfileFields } from './rules.ts';
import type { ProfileUpdate } from './schema.ts';

/** Tags and attributes that the project has not defined are ignored. A null clears an attribute. */
export type ProfileChange = {
  fields?: ProfileFields;
  tags?: { add: readonly string[]; remove?: readonly string[] } | { replace: readonly string[] };
  attrs?: { readonly [name: string]: JSONValue | undefined };
};

/** The values that a person saw before the change, as the API shows them; `attrs` by key. */
export type Seen = ProfileUpdate;

/** Facts that a record holds beside the differences: `{field: [old, new]}`. */
export type More = { [field: string]: [before: string, after: string] };

/**
 * `isThere`: the profile exists. A merge deletes one. `tooLarge`: what would exceed its limit. Nothing has changed
 * then.
 */
export type Changed = { isThere: boolean; isChanged: boolean; tooLarge: 'attrs' | 'tags' | null };

/**
 * Changes an existing profile, and records the change. A change without effect is neither applied nor recorded. The
 * same holds for a change whose `seen` is outdated. A number or an external id of another profile fails as a unique
 * violation.
 */
export async function changeProfile(
  sql: Sql,
  projectId: string,
  id: string,
  { fields = {}, tags = { add: [] }, attrs = {} }: ProfileChange,
  entry: Entry,
  { action = 'updated', more = {}, seen }: { action?: 'updated' | 'merged'; more?: More; seen?: Seen } = {},
): Promise<Changed> {
  const named = 'add' in tags ? tags.add : tags.replace;
  const [row] = await sql<{ is_changed: boolean; too_large: Changed['tooLarge'] }[]>`
    with given as (
      select
        array(
          select name from unnest(${[...named]}::text[]) with ordinality as wanted (name, place)
          join tags using (name) where project_id = ${projectId} group by name order by min(place)
        ) as tags,
        coalesce(jsonb_object_agg(name, value) filter (where value <> 'null'), '{}') as attrs,
        coalesce(array_agg(name) filter (where value = 'null'), '{}') as cleared
      from attributes join jsonb_each(${sql.json(attrs)}::jsonb) as entry (name, value) using (name)
      where project_id = ${projectId}
    ),
    locked as (
      select profiles as before from profiles ${isNaming(fields) ? sql`, (${namingTurn(sql, projectId)}) as turn` : sql``}
      where project_id = ${projectId} and id = ${id} for update of profiles
    ),
    wanted as (
      select before, jsonb_populate_record(before, ${sql.json(fields)}::jsonb || jsonb_build_object(
        'tags', ${'add' in tags ? added(sql, tags.remove ?? []) : replaced(sql)},
        'attrs', ((before).attrs || given.attrs) - given.cleared
      )) as after
      from locked, given
    ),
    measured as (
      select before, after, case
        when ${isTooLong(sql, 'attrs')} then 'attrs'
        when ${isTooLong(sql, 'tags')} then 'tags'
      end as too_large
      from wanted
    ),
    changed as (
      select before, after, changes
      from measured, lateral (select profile_changes(before, after) || ${sql.json(more)}::jsonb) as told (changes)
      where changes <> '{}' and too_large is null ${seen ? sql`and ${isStill(sql, seen)}` : sql``}
    ),
    updated as (
      update profiles set
        external_id = (after).external_id, phone_number = (after).phone_number, email = (after).email,
        name = (after).name, timezone = (after).timezone, pda_agreed = (after).pda_agreed, tags = (after).tags,
        attrs = (after).attrs, updated_at = ${entry.now}
      from changed where project_id = ${projectId} and id = ${id}
    ),
    recorded as (${insertRecord(sql, action, entry, sql`changed`)} returning id)
    select exists (select from recorded) as is_changed, too_large from measured`;
  return {
    isThere: row !== undefined,
    isChanged: row?.is_changed ?? false,
    tooLarge: row?.too_large ?? null,
  };
}

/**
 * A page of a list has a hundred profiles. Each change is small, but any number of them add up. A profile that is too
 * large already may shrink.
 */
const isTooLong = (sql: Sql, column: 'attrs' | 'tags') => sql`
  char_length((after).${sql(column)}::text) > greatest(${mostKept}, char_length((before).${sql(column)}::text))`;

const isStill = (sql: Sql, { attrs = {}, ...fields }: Seen) => sql`
  not exists (
    select from jsonb_each(${sql.json(fields)}::jsonb) as seen (field, value)
    where profile_facts(before) -> field is distinct from value
  )
  and not exists (
    select from jsonb_each(${sql.json(attrs)}::jsonb) as seen (name, value)
    where coalesce((before).attrs -> name, 'null') <> value
  )`;

/**
 * A project's profiles get numbers and external ids one after another. Two profiles that want each other's would
 * otherwise deadlock. The lock is taken before any profile's, and lasts to the end of the transaction.
 */
export const namingTurn = (sql: Sql, projectId: string) => sql`
  select pg_advisory_xact_lock(hashtextextended(${projectId}::text || ' naming', 0))`;

const added = (sql: Sql, removed: readonly string[]) => sql`
  array(
    select tag from unnest((before).tags) as tag where tag <> all (${[...removed]}::text[]) or tag = any (given.tags)
  ) || array(select tag from unnest(given.tags) as tag where tag <> all ((before).tags))`;

/** Tags are a set: another order is no change. */
const replaced = (sql: Sql) => sql`
  case when (before).tags @> given.tags and given.tags @> (before).tags then (before).tags else given.tags end`;
