import type { Fragment, Sql } from '../platform/database/database.ts';
import type { Block } from './identifiers.ts';

/** A list whose pieces are stored before their mailing. */
export type ArrivingList = { project_id: string; id: string };

export async function beginList(sql: Sql, { project_id, id }: ArrivingList, now: Date): Promise<void> {
  await sql`insert into arriving_lists (project_id, id, begun_at) values (${project_id}, ${id}, ${now})`;
}

/** Stores nothing if the list was forgotten meanwhile. */
export async function addPiece(sql: Sql, { project_id, id }: ArrivingList, block: Block): Promise<void> {
  await sql`
    insert into mailing_identifiers (project_id, mailing_id, list, last_line, lines, identifiers, variables)
    select project_id, id, 'array', last_line, lines, identifiers, nullif(variables, 'null')
    from arriving_lists, jsonb_to_recordset(${sql.json([block])}) as block (
      last_line integer, lines integer[], identifiers text[], variables jsonb
    )
    where project_id = ${project_id} and id = ${id}
    for share of arriving_lists`;
}

/** A statement for a CTE: the list, if all of it is still there. It stays until the statement has ended. */
export const arrivedList = (sql: Sql, { project_id, id }: ArrivingList) => sql`
  select project_id, id from arriving_lists where project_id = ${project_id} and id = ${id} for update`;

/** CTEs that give the list to a `mailing` with `project_id` and `id`. Long texts are not copied. */
export const givenCtes = (sql: Sql, list: ArrivingList, mailing: Fragment) => sql`
  given as (
    update mailing_identifiers set mailing_id = mailing.id from ${mailing} as mailing
    where mailing_identifiers.project_id = ${list.project_id} and mailing_identifiers.mailing_id = ${list.id}
  ),
  arrived as (
    delete from arriving_lists using ${mailing} as mailing
    where arriving_lists.project_id = ${list.project_id} and arriving_lists.id = ${list.id}
  )`;

/** Deletes a list that gets no mailing. */
export async function forgetList(sql: Sql, { project_id, id }: ArrivingList): Promise<void> {
  await forget(sql, sql`project_id = ${project_id} and id = ${id}`);
}

/** Deletes one of the lists that began before this time. False if there is none. */
export function forgetOneBefore(sql: Sql, before: Date): Promise<boolean> {
  return forget(
    sql,
    sql`(project_id, id) in (select project_id, id from arriving_lists where begun_at < ${before} limit 1)`,
  );
}

async function forget(sql: Sql, which: Fragment): Promise<boolean> {
  const [row] = await sql<[{ is_forgotten: boolean }]>`
    with gone as (delete from arriving_lists where ${which} returning project_id, id),
    pieces as (
      delete from mailing_identifiers using gone
      where mailing_identifiers.project_id = gone.project_id and mailing_identifiers.mailing_id = gone.id
    )
    select exists (select from gone) as is_forgotten`;
  return row.is_forgotten;
}
