import { createHash } from 'node:crypto';
import type { Month } from '../access/projects/retention.ts';
import { deletedRecords } from '../clients/profiles/retention-store.ts';
import { deletedAttempts, deletedEvents, isFinished } from '../events/retention-store.ts';
import { addedRemoved, removedGroups } from '../mailings/removed-store.ts';
import { forgottenIds } from '../messaging/chats/external-ids-store.ts';
import { countedPushes } from '../messaging/messages/queue-store.ts';
import { deletedMessages, isEnded } from '../messaging/messages/retention-store.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';
import { countedRows } from '../platform/database/row-counts.ts';
import type { Key } from './archives-store.ts';
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

/** The columns that tell the rows of a unit apart, in the order of the table's key. */
const keyColumns = {
  messages: ['id'],
  profile_audit: ['id'],
  events: ['endpoint_id', 'id'],
  attempts: ['event_id', 'id'],
};

export function keyIn(table: Table, line: Line): Key {
  const row: Record<string, unknown> = JSON.parse(line);
  return JSON.stringify(Object.fromEntries(keyColumns[table].map((column) => [column, row[column]])));
}

/** Rows behind the first key, and up to the second one. Null: from the first row, or up to the last one. */
export type Range = { after: Key | null; until: Key | null };

/** The rows of a range that may go. */
function within(sql: Sql, { table, month, projectId }: Unit, { after, until }: Range): Fragment {
  const key = keyOf(sql, table, sql`old`);
  const given = (json: Key) => sql`(
    select ${keyOf(sql, table, sql`given`)} from jsonb_populate_record(null::${sql(table)}, ${json}::jsonb) as given
  )`;
  return sql`
    project_id = ${projectId} and ${isOfMonth(sql, sql`old`, month)} and ${mayGo(sql, table, sql`old`)}
    ${after === null ? sql`` : sql`and (${key}) > ${given(after)}`}
    ${until === null ? sql`` : sql`and (${key}) <= ${given(until)}`}`;
}

/** The next rows of a range that may go, in the order of the table's key. A line is a key, too. */
export async function linesIn(sql: Sql, unit: Unit, range: Range, most: number): Promise<Line[]> {
  const rows = await sql<{ line: Line }[]>`
    select to_jsonb(old)::text as line from ${sql(partOf(unit))} as old
    where ${within(sql, unit, range)} order by ${keyOf(sql, unit.table, sql`old`)} limit ${most}`;
  return rows.map(({ line }) => line);
}

/** The beginning of a row's hash. A digest is the sum of these. */
export const hashOf = (line: Line): bigint =>
  BigInt(`0x${createHash('sha256').update(line).digest('hex').slice(0, 15)}`);

/** The digest of the next rows of a range, and the key of the last one. Null at its end. */
export async function digestIn(
  sql: Sql,
  unit: Unit,
  range: Range,
  most: number,
): Promise<{ digest: bigint; last: Key } | null> {
  const [row] = await sql<[{ digest: string; last: Key | null }]>`
    with page as materialized (
      select row_number() over (order by ${keyOf(sql, unit.table, sql`old`)}) as place, to_jsonb(old) as whole
      from ${sql(partOf(unit))} as old
      where ${within(sql, unit, range)} order by ${keyOf(sql, unit.table, sql`old`)} limit ${most}
    )
    select
      coalesce(sum(('x' || left(encode(sha256(convert_to(whole::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0)::text
        as digest,
      (select whole::text from page order by place desc limit 1) as last
    from page`;
  if (row.last === null) return null;
  return { digest: BigInt(row.digest), last: keyIn(unit.table, row.last) };
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
