import type { Fragment } from 'postgres';
import type { IdentifierField } from '../mailings/identifiers.ts';
import type { Sql } from '../storage/database.ts';
import type { Held } from './mailing-store.ts';
import type { ListName } from './rules.ts';

const uuidForm = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/** The identifier as a uuid; null where it is none. */
const asUuid = (sql: Sql, identifier: Fragment) =>
  sql`case when ${identifier} ~ ${uuidForm} then ${identifier}::uuid end`;

/**
 * CTEs for the next profiles of the project: `page`, and `people`, who are the same.
 * A row of `people` is one of `profiles` with `line`, `variables`, and `only_chat`, the one chat that is meant.
 */
export const profilePage = (sql: Sql, { project_id, progress }: Held, atOnce: number) => sql`
  page as materialized (
    select profiles.*, null::integer as line, null::jsonb as variables, null::uuid as only_chat from profiles
    where project_id = ${project_id} and id > ${progress.cursor ?? noUuid}::uuid
    order by id limit ${atOnce}
  ),
  people as (select * from page),
  reached as (select id::text as cursor from page order by id desc limit 1)`;

/** Lower than any that there is. */
export const noUuid = '00000000-0000-0000-0000-000000000000';

/** CTEs for the next lines of a list: `page (line, identifier, variables)`, and the `people` whom they name. */
export const linePage = (sql: Sql, held: Held, list: ListName, atOnce: number) => sql`
  page as materialized (
    select line.*
    from (
      select * from mailing_identifiers
      where project_id = ${held.project_id} and mailing_id = ${held.id} and list = ${list}
        and last_line > ${held.progress.cursor ?? 0}::integer
      order by last_line limit 1
    ) as block, rows from (
      unnest(
        coalesce(block.lines, array(
          select generate_series(last_line - cardinality(block.identifiers) + 1, last_line)
        )),
        block.identifiers
      ),
      jsonb_array_elements(block.variables)
    ) as line (line, identifier, variables)
    where line > ${held.progress.cursor ?? 0}::integer
    order by line limit ${atOnce}
  ),
  people as (
    select profiles.*, page.line, nullif(page.variables, 'null') as variables, ${named(sql, held, list)}
  ),
  reached as (select max(line) as cursor from page having count(*) > 0)`;

/** The end of the select: how the lines are joined to those whom they name. */
function named(sql: Sql, { project_id, customer_filter_field }: Held, list: ListName): Fragment {
  if (list === 'phones') {
    return sql`named.id as only_chat
      from page
      cross join lateral (
        select id, profile_id from chats
        where project_id = ${project_id} and platform = 'Whatsapp' and external_id = page.identifier
        order by last_active_at desc, id limit 1
      ) as named
      join profiles on profiles.project_id = ${project_id} and profiles.id = named.profile_id`;
  }
  const identifier = sql`page.identifier`;
  const profiles = sql`null::uuid as only_chat from page join profiles on profiles.project_id = ${project_id}`;
  switch (fieldOf(customer_filter_field)) {
    case 'UUID':
      return sql`${profiles} and profiles.id = ${asUuid(sql, identifier)}`;
    case 'EXTERNAL_ID':
      return sql`${profiles} and profiles.external_id = page.identifier`;
    case 'PHONE_NUMBER':
      return sql`${profiles} and profiles.phone_number = page.identifier`;
    case 'CHAT_UUID':
      return sql`null::uuid as only_chat
        from page
        join chats as named on named.project_id = ${project_id} and named.id = ${asUuid(sql, identifier)}
        join profiles on profiles.project_id = ${project_id} and profiles.id = named.profile_id`;
  }
}

/** Lists have one: the schema of the API sees to it. */
function fieldOf(field: IdentifierField | null): IdentifierField {
  if (field === null) throw new Error('a list of identifiers without their field');
  return field;
}

/**
 * Whether a row of `profiles` is named by the array too. `is true` keeps it from becoming a join: the planner takes the
 * array for a short one, and would compare everybody with all of it.
 */
export function isInArray(sql: Sql, { project_id, id, customer_filter_field }: Held): Fragment {
  const isGiven = (identifier: Fragment) => sql`(
    ${identifier} in (
      select unnest(identifiers) from mailing_identifiers
      where project_id = ${project_id} and mailing_id = ${id} and list = 'array'
    )
  ) is true`;
  switch (fieldOf(customer_filter_field)) {
    case 'UUID':
      return isGiven(sql`profiles.id::text`);
    case 'EXTERNAL_ID':
      return isGiven(sql`profiles.external_id`);
    case 'PHONE_NUMBER':
      return isGiven(sql`profiles.phone_number`);
    case 'CHAT_UUID':
      return sql`(exists (
        select from chats as named
        where named.project_id = ${project_id} and named.profile_id = profiles.id and ${isGiven(sql`named.id::text`)}
      )) is true`;
  }
}
