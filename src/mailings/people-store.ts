import { templatePlatforms } from '../channels/registry.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';
import { nilUuid } from '../platform/id.ts';
import type { ListName } from './audience.ts';
import type { IdentifierField } from './identifiers.ts';

const uuidForm = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/** The identifier as a uuid. Null if it is none. */
const asUuid = (sql: Sql, identifier: Fragment) =>
  sql`case when ${identifier} ~ ${uuidForm} then ${identifier}::uuid end`;

/**
 * CTEs for the next profiles of the project: `page`, and `people`, which are the same. A row of `people` is a row of
 * `profiles` with `line`, `variables`, and `only_chat`, the chat that the line names.
 */
export const profilePage = (
  sql: Sql,
  projectId: string,
  after: string | number | null,
  atOnce: number,
) => sql`
  page as materialized (
    select profiles.*, null::integer as line, null::jsonb as variables, null::uuid as only_chat from profiles
    where project_id = ${projectId} and id > ${after ?? nilUuid}::uuid
    order by id limit ${atOnce}
  ),
  people as (select * from page),
  reached as (select id::text as cursor from page order by id desc limit 1)`;

/** How the lines of a list name people. */
export type Naming = { projectId: string; list: ListName; field: IdentifierField | null };

/** `people`: the profiles that the lines of `page (line, identifier, variables)`, an earlier CTE, name. */
export const namedPeople = (sql: Sql, naming: Naming) => sql`
  people as (
    select profiles.*, page.line, nullif(page.variables, 'null') as variables, ${named(sql, naming)}
  )`;

/**
 * The end of the select: the lines with the profiles that they name. The limits make the database look up each line by
 * an index. Without them it may read a whole table for a few lines.
 */
function named(sql: Sql, { projectId, list, field }: Naming): Fragment {
  if (list === 'phones') {
    return chatNamed(
      sql,
      projectId,
      sql`
        platform = any (${[...templatePlatforms]}::text[]) and external_id = page.identifier
        order by last_active_at desc, id`,
    );
  }
  switch (fieldOf(field)) {
    case 'UUID':
      return profileNamed(sql, projectId, sql`id = ${asUuid(sql, sql`page.identifier`)}`);
    case 'EXTERNAL_ID':
      return profileNamed(sql, projectId, sql`external_id = page.identifier`);
    case 'PHONE_NUMBER':
      return profileNamed(sql, projectId, sql`phone_number = page.identifier`);
    case 'CHAT_UUID':
      return chatNamed(sql, projectId, sql`id = ${asUuid(sql, sql`page.identifier`)}`);
  }
}

const profileNamed = (sql: Sql, projectId: string, which: Fragment) => sql`
  null::uuid as only_chat from page ${oneProfile(sql, projectId, which)}`;

const chatNamed = (sql: Sql, projectId: string, which: Fragment) => sql`
  named.id as only_chat
  from page
  cross join lateral (
    select id, profile_id from chats where project_id = ${projectId} and ${which} limit 1
  ) as named
  ${oneProfile(sql, projectId, sql`id = named.profile_id`)}`;

const oneProfile = (sql: Sql, projectId: string, which: Fragment) => sql`
  cross join lateral (
    select * from profiles where project_id = ${projectId} and ${which} limit 1
  ) as profiles`;

/** Lists have a field, which the API's schema ensures. */
export function fieldOf(field: IdentifierField | null): IdentifierField {
  if (field === null) throw new Error('a list of identifiers without their field');
  return field;
}
