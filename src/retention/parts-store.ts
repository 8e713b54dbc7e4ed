import { monthOf } from '../access/projects/retention.ts';
import { partHasUnsent } from '../events/retention-store.ts';
import { addRemoved, type RemovedGroup, removedGroups } from '../mailings/removed-store.ts';
import { forgottenIds } from '../messaging/chats/external-ids-store.ts';
import { countedPushes } from '../messaging/messages/queue-store.ts';
import { partHasWaiting } from '../messaging/messages/retention-store.ts';
import type { Fragment, Pool, Sql } from '../platform/database/database.ts';
import { countedRows } from '../platform/database/row-counts.ts';
import { isOfMonth } from './rows-store.ts';
import { type Part, partOf, type Table, type Unit } from './units.ts';

/** The months of a table, the oldest first: its partitions, and then what is in the default partition. */
export async function partsOfTable(sql: Sql, table: Table): Promise<Part[]> {
  const parts = (await monthsOfTable(sql, table)).map((name) => ({
    table,
    month: monthOf(name),
    isRest: false,
  }));
  const rest = (await monthsOfRest(sql, table)).map((name) => ({
    table,
    month: monthOf(name),
    isRest: true,
  }));
  return [...parts, ...rest];
}

/**
 * The months of the rows in the default partition. They were written while a month had no partition: after a long pause
 * of the program, or under a wrong clock. They are few, and are read.
 */
async function monthsOfRest(sql: Sql, table: Table): Promise<string[]> {
  const rows = await sql<{ month: string }[]>`
    select distinct to_char(to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
      at time zone 'utc', 'YYYYMM') as month
    from ${sql(`${table}_default`)} order by month`;
  return rows.map(({ month }) => month).filter((month) => month.length === 6);
}

/** The months of a table's partitions as `YYYYMM`, the oldest first. */
export async function monthsOfTable(sql: Sql, table: Table): Promise<string[]> {
  const rows = await sql<{ month: string }[]>`
    select substring(relname from '_(\\d{6})$') as month
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = to_regclass(${table}) and relname ~ '_\\d{6}$' order by month`;
  return rows.map(({ month }) => month);
}

/** The projects with rows in a partition. Reads one entry of its key for each. */
export async function projectsIn(sql: Sql, part: Part): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from projects
    where exists (select from ${sql(partOf(part))} as old
      where old.project_id = projects.id and ${isOfMonth(sql, sql`old`, part.month)}) order by id`;
  return rows.map(({ id }) => id);
}

/** How many rows a project has in a partition. */
export async function countRowsIn(sql: Sql, unit: Unit): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*) as count from ${sql(partOf(unit))} as old
    where project_id = ${unit.projectId} and ${isOfMonth(sql, sql`old`, unit.month)}`;
  return row.count;
}

/** Whether a partition has a row that must stay. */
export async function hasWaiting(sql: Sql, part: Part): Promise<boolean> {
  const [row] = await sql<[{ waits: boolean }]>`select ${waits(sql, part)} as waits`;
  return row.waits;
}

function waits(sql: Sql, part: Part): Fragment {
  const name = sql(partOf(part));
  switch (part.table) {
    case 'messages':
      return partHasWaiting(sql, name, part.month);
    case 'events':
      return partHasUnsent(sql, name);
    case 'attempts':
    case 'profile_audit':
      return sql`false`;
  }
}

type Difference = { project_id: string; difference: number };

/** What the rows of a partition have added to numbers that outlive them. */
export type Tally = { rows: Difference[]; mailings: RemovedGroup[] };

type Key = { project_id: string; id: string };

/**
 * The tally of the next rows of a partition, and the key of the last of them. Null at the end. Also forgets the outside
 * ids of messages.
 */
export async function tallyAfter(
  sql: Sql,
  part: Part,
  after: Key,
  most: number,
): Promise<(Tally & { last: Key }) | null> {
  const [row] = await sql<[Tally & { last: Key | null }]>`
    with page as materialized (
      select * from ${sql(partOf(part))}
      where (project_id, id) > (${after.project_id}, ${after.id}) order by project_id, id limit ${most}
    )
    ${part.table === 'messages' ? sql`, unseen as (${forgottenIds(sql, sql`page`)})` : sql``}
    select ${ofPage(sql, part.table)},
      (select jsonb_build_object('project_id', project_id, 'id', id) from page order by project_id desc, id desc limit 1)
        as last`;
  return row.last === null ? null : { ...row, last: row.last };
}

function ofPage(sql: Sql, table: Table): Fragment {
  const list = (rows: Fragment) => sql`coalesce((select jsonb_agg(one) from ${rows} as one), '[]')`;
  if (table !== 'messages') {
    const rows = sql`(select project_id, count(*) as difference from page group by project_id)`;
    return sql`${list(rows)} as rows, '[]'::jsonb as mailings`;
  }
  return sql`
    ${list(countedPushes(sql, sql`page`))} as rows, ${list(removedGroups(sql, sql`page`))} as mailings`;
}

/** Statements wait behind this one while it waits for its lock. */
const lockTimeout = "set local lock_timeout = '1s'";

/**
 * Drops a partition and settles its tally, all or nothing. False when a row in it must stay after all. `mayGo` is asked
 * while nobody else can use the table.
 * @throws `55P03` when other statements hold the table too long
 */
export async function dropPart(
  sql: Pool,
  part: Part,
  { tally, now, mayGo }: { tally: Tally; now: Date; mayGo(transaction: Sql): Promise<boolean> },
): Promise<boolean> {
  return await sql.begin(async (transaction) => {
    await transaction.unsafe(lockTimeout);
    await transaction`lock table only ${sql(part.table)} in access exclusive mode`;
    await transaction`lock table ${sql(partOf(part))} in access exclusive mode`;
    if ((await hasWaiting(transaction, part)) || !(await mayGo(transaction))) return false;
    await settleTally(transaction, part.table, tally);
    await transaction`drop table ${sql(partOf(part))}`;
    await transaction`
      update archives set removed_at = ${now}
      where table_name = ${part.table} and month = ${part.month.name} and removed_at is null`;
    return true;
  });
}

async function settleTally(sql: Sql, table: Table, { rows, mailings }: Tally): Promise<void> {
  await addRemoved(sql, mailings);
  if (rows.length === 0 || (table !== 'messages' && table !== 'profile_audit')) return;
  const given = sql`(
    select project_id, -sum(difference) as difference
    from jsonb_to_recordset(${sql.json(rows)}) as given (project_id uuid, difference bigint) group by project_id
  )`;
  await countedRows(sql, table, table === 'messages' ? 'push' : '', given);
}
