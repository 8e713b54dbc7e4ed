import type { Month } from '../access/projects/retention.ts';
import { deletedRecords } from '../clients/profiles/retention-store.ts';
import { deletedAttempts, deletedEvents, isFinished } from '../events/retention-store.ts';
import { addedRemoved, removedGroups } from '../mailings/removed-store.ts';
import { forgottenIds } from '../messaging/chats/external-ids-store.ts';
import { countedPushes } from '../messaging/messages/queue-store.ts';
import { deletedMessages, isEnded } from '../messaging/messages/retention-store.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';
import { countedRows } from '../platform/database/row-counts.ts';
import { partOf, type Table, type Unit } from './units.ts';

/** Each as the JSON text of one row. */
export type Line = string;

/** Whether a row is of this month. In a partition of its own every row is. */
export const isOfMonth = (sql: Sql, row: Fragment, { from, to }: Month): Fragment => sql`
  ${row}.id >= uuid_floor(${from}) and ${row}.id < uuid_floor(${to})`;

const keyOf = (sql: Sql, table: Table, row: Fragment): Fragment => {
  switch (table) {
    case 'messages':
    case 'profile_audit':
      return sql`${row}.id`;
    case 'events':
      return sql`${row}.endpoint_id, ${row}.id`;
    case 'attempts':
      return sql`${row}.event_id, ${row}.id`;
  }
};

/** Whether nothing waits for the row. */
const mayGo = (sql: Sql, table: Table, row: Fragment): Fragment => {
  switch (table) {
    case 'messages':
      return isEnded(sql, row);
    case 'events':
      return isFinished(sql, row);
    case 'attempts':
    case 'profile_audit':
      return sql`true`;
  }
};

/** The next rows of a unit that may go, after the given one, in the order of the table's key. */
export async function linesAfter(sql: Sql, unit: Unit, last: Line | null, most: number): Promise<Line[]> {
  const { table, month, projectId } = unit;
  const key = keyOf(sql, table, sql`old`);
  const after = sql`
    and (${key}) > (
      select ${keyOf(sql, table, sql`last`)} from jsonb_populate_record(null::${sql(table)}, ${last}::jsonb) as last
    )`;
  const rows = await sql<{ line: Line }[]>`
    select to_jsonb(old)::text as line from ${sql(partOf(unit))} as old
    where project_id = ${projectId} and ${isOfMonth(sql, sql`old`, month)} ${last === null ? sql`` : after}
      and ${mayGo(sql, table, sql`old`)}
    order by ${key} limit ${most}`;
  return rows.map(({ line }) => line);
}

/**
 * Deletes rows that are still as in these lines, in one statement with everything that counts or names them. Returns
 * their number. A legal hold that is set meanwhile makes it zero.
 */
export async function deleteLines(sql: Sql, unit: Unit, lines: readonly Line[]): Promise<number> {
  const { table, month, projectId } = unit;
  const given = sql`jsonb_populate_recordset(null::${sql(table)}, case
    when exists (select from retention where project_id = ${projectId} and legal_hold) then '[]'
    else ${`[${lines.join()}]`}
  end::jsonb)`;
  const [row] = await sql<[{ count: number }]>`
    with gone as (${deleted(sql, table, given, month)}) ${settled(sql, table)}
    select (select count(*) from gone) as count ${isCounted(table) ? sql`, (select count(*) from counted)` : sql``}`;
  return row.count;
}

function deleted(sql: Sql, table: Table, given: Fragment, month: Unit['month']): Fragment {
  switch (table) {
    case 'messages':
      return deletedMessages(sql, given, month);
    case 'events':
      return deletedEvents(sql, given, month);
    case 'attempts':
      return deletedAttempts(sql, given, month);
    case 'profile_audit':
      return deletedRecords(sql, given, month);
  }
}

const isCounted = (table: Table): boolean => table === 'messages' || table === 'profile_audit';

/** What else changes with the rows of `gone`. */
function settled(sql: Sql, table: Table): Fragment {
  switch (table) {
    case 'messages':
      return sql`,
        counted as (${countedRows(
          sql,
          'messages',
          'push',
          sql`(
          select project_id, -difference as difference from ${countedPushes(sql, sql`gone`)} as pushes
        )`,
        )}),
        removed as (${addedRemoved(sql, removedGroups(sql, sql`gone`))}),
        unseen as (${forgottenIds(sql, sql`gone`)})`;
    case 'profile_audit':
      return sql`,
        counted as (${countedRows(
          sql,
          'profile_audit',
          '',
          sql`(
          select project_id, -count(*) as difference from gone group by project_id
        )`,
        )})`;
    case 'events':
    case 'attempts':
      return sql``;
  }
}
