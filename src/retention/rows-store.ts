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
import { nilUuid } from '../platform/id.ts';
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

/** The rows that may go behind one key and up to another. Null: up to the last one. */
function between(sql: Sql, { table, month, projectId }: Unit, after: Fragment, until: Key | null): Fragment {
  const key = keyOf(sql, table, sql`old`);
  const given = (json: Fragment) => sql`(
    select ${keyOf(sql, table, sql`given`)} from jsonb_populate_record(null::${sql(table)}, ${json}::jsonb) as given
  )`;
  return sql`
    project_id = ${projectId} and ${isOfMonth(sql, sql`old`, month)} and ${mayGo(sql, table, sql`old`)}
    and (${key}) > ${given(after)} ${until === null ? sql`` : sql`and (${key}) <= ${given(sql`${until}`)}`}`;
}

/** Before every row of a table. */
const firstKey = (table: Table): Key =>
  JSON.stringify(Object.fromEntries(keyColumns[table].map((column) => [column, nilUuid])));

/** A page has at most so many rows, and one block behind this many bytes of their lines. */
export type Most = { rows: number; bytes: number };

/** A row may have hundreds of kilobytes. One block of such rows is read in less than half a second. */
const blockRows = 16;

/**
 * A CTE: the `blocks` of the next rows of a range, in the order of the table's key. A block has `found`, an expression
 * over the `line`s of its rows.
 */
function blocksOf(sql: Sql, unit: Unit, { after, until }: Range, most: Most, found: Fragment): Fragment {
  const { table } = unit;
  return sql`
    recursive blocks as (
      select 0 as place, null::text[] as lines, null::numeric as digest, ${after ?? firstKey(table)}::text as last,
        0::bigint as rows, 0::bigint as bytes
      union all
      select place + 1, block.lines, block.digest, block.last, blocks.rows + block.rows,
        blocks.bytes + block.bytes
      from blocks cross join lateral (
        select ${found}, (array_agg(line))[count(*)::integer] as last, count(*) as rows, sum(octet_length(line)) as bytes
        from (
          select to_jsonb(old)::text as line from ${sql(partOf(unit))} as old
          where ${between(sql, unit, sql`blocks.last`, until)}
          order by ${keyOf(sql, table, sql`old`)} limit ${blockRows}
        ) as next
      ) as block
      where blocks.rows < ${most.rows} and blocks.bytes < ${most.bytes} and block.rows > 0
    )`;
}

/** The next rows of a range that may go, in the order of the table's key. A line is a key, too. */
export async function linesIn(sql: Sql, unit: Unit, range: Range, most: Most): Promise<Line[]> {
  const found = sql`array_agg(line) as lines, null::numeric as digest`;
  const rows = await sql<{ line: Line }[]>`
    with ${blocksOf(sql, unit, range, most, found)}
    select line from blocks cross join unnest(lines) with ordinality as of_block (line, number)
    order by place, number`;
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
  most: Most,
): Promise<{ digest: bigint; last: Key } | null> {
  const found = sql`null::text[] as lines, sum(
    ('x' || left(encode(sha256(convert_to(line, 'UTF8')), 'hex'), 15))::bit(60)::bigint
  ) as digest`;
  const [row] = await sql<[{ digest: string; last: Key | null }]>`
    with ${blocksOf(sql, unit, range, most, found)}
    select coalesce(sum(digest), 0)::text as digest, (array_agg(last order by place desc))[1] as last
    from blocks where place > 0`;
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
