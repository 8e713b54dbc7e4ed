import { templatePlatforms } from '../../channels/registry.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { Audience, ListName } from '../audience.ts';
import { fieldOf, namedPeople } from '../people-store.ts';
import type { LeasedMailing } from '../planner-store.ts';

/** CTEs for the next lines of a list: `page (line, identifier, variables)`, and the `people` that they name. */
export const linePage = (sql: Sql, held: LeasedMailing, list: ListName, atOnce: number) => sql`
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
  ${namedPeople(sql, { projectId: held.project_id, list, field: held.customer_filter_field })},
  ${namesChats(held, list) ? sql`${alsoNamed(sql, held, list)},` : sql``}
  reached as (select max(line) as cursor from page having count(*) > 0)`;

/** The next phone numbers without a chat for templates, each once. */
export async function unknownNumbers(sql: Sql, held: LeasedMailing, atOnce: number): Promise<string[]> {
  const rows = await sql<{ identifier: string }[]>`
    with ${linePage(sql, held, 'phones', atOnce)}
    select distinct identifier from page
    where not exists (
      select from chats
      where project_id = ${held.project_id} and platform = any (${[...templatePlatforms]}::text[]) and external_id = page.identifier
    )`;
  return rows.map(({ identifier }) => identifier);
}

const namesChats = (
  { customer_filter_field }: LeasedMailing,
  list: ListName | null,
): list is 'array' | 'customers' =>
  list !== null && list !== 'phones' && customer_filter_field === 'CHAT_UUID';

/**
 * `also_named`: these people's other chats that the list names too, before this page or after it. Most people have
 * one chat, and then the list is not read. Otherwise it is read once. `is true` prevents a join.
 */
const alsoNamed = (sql: Sql, { project_id, id }: LeasedMailing, list: ListName) => sql`
  others as materialized (
    select chats.id::text from people
    join chats on chats.project_id = ${project_id} and chats.profile_id = people.id and chats.id <> people.only_chat
  ),
  also_named as materialized (
    select identifier from (
      select unnest(identifiers) as identifier from mailing_identifiers
      where project_id = ${project_id} and mailing_id = ${id} and list = ${list} and exists (select from others)
    ) as named
    where (identifier in (select id from others)) is true
  )`;

/**
 * Whether the array has this identifier. `is true` prevents a join: the planner takes the array for a short one, and
 * would compare each person with all of it.
 */
const isIn = (sql: Sql, { project_id, id }: LeasedMailing, identifier: Fragment) => sql`(
  ${identifier} in (
    select unnest(identifiers) from mailing_identifiers
    where project_id = ${project_id} and mailing_id = ${id} and list = 'array'
  )
) is true`;

/** Whether the array names a row of `profiles`, too. Null if the array names chats. */
export function isInArray(sql: Sql, held: LeasedMailing): Fragment | null {
  switch (fieldOf(held.customer_filter_field)) {
    case 'UUID':
      return isIn(sql, held, sql`profiles.id::text`);
    case 'EXTERNAL_ID':
      return isIn(sql, held, sql`profiles.external_id`);
    case 'PHONE_NUMBER':
      return isIn(sql, held, sql`profiles.phone_number`);
    case 'CHAT_UUID':
      return null;
  }
}

/** Whether the audience's lists name a row of `chats`. Null if they name people. */
export function isMeant(sql: Sql, held: LeasedMailing, { list, isInArray }: Audience): Fragment | null {
  if (list === 'phones') return sql`chats.id = profiles.only_chat`;
  if (!namesChats(held, list)) return null;
  const isInList = sql`(chats.id = profiles.only_chat or chats.id::text in (select identifier from also_named))`;
  return isInArray ? sql`${isInList} and ${isIn(sql, held, sql`chats.id::text`)}` : isInList;
}
