import type { ListName } from '../mailings/audience.ts';
import { fieldOf, namedPeople } from '../mailings/people-store.ts';
import type { Fragment, Sql } from '../storage/database.ts';
import type { Held } from './mailing-store.ts';

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
  ${namedPeople(sql, { projectId: held.project_id, list, field: held.customer_filter_field })},
  reached as (select max(line) as cursor from page having count(*) > 0)`;

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
