import type { Fragment, Sql } from '../../platform/database/database.ts';

/** A group under the name that a text uses. */
export type NamedGroup = { name: string; id: string };

/** The groups of names in texts. Of several groups with one name the oldest counts. Unknown names are skipped. */
export function findGroupsNamed(
  sql: Sql,
  projectId: string,
  names: readonly string[],
): Promise<NamedGroup[]> {
  return sql<NamedGroup[]>`
    select named.name, found.id
    from unnest(${[...names]}::text[]) as named (name)
    cross join lateral (
      select id from promocode_groups
      where project_id = ${projectId} and promocode_digest(promocode_groups.name) = promocode_digest(named.name)
      order by id limit 1
    ) as found`;
}

const isAvailable = (sql: Sql, projectId: string, now: Date) => sql`
  project_id = ${projectId} and status = 'AVAILABLE' and coalesce(expires_at, 'infinity'::timestamptz) > ${now}`;

const inOrder = (sql: Sql) => sql`coalesce(expires_at, 'infinity'::timestamptz), id`;

/** The number of codes of a group that can be taken now, up to `upTo`. */
export async function countAvailable(
  sql: Sql,
  projectId: string,
  groupId: string,
  now: Date,
  upTo: number,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      select from promocodes where ${isAvailable(sql, projectId, now)} and group_id = ${groupId} limit ${upTo}
    ) as available`;
  return row.count;
}

/**
 * Defines the CTE `name`, after helper CTEs whose names begin with `code_`. It finds a code of each group for every row of
 * `recipients (message_id, chat_id)`, and locks the codes for the statement. Its column `promocodes` is
 * `{"<group's name>": "CODE"}`. A recipient is missing there if a group ran out of codes. The codes that expire first are
 * taken first, then the oldest.
 */
export const reservedCtes = (
  sql: Sql,
  name: Fragment,
  {
    recipients,
    projectId,
    groups,
    now,
  }: { recipients: Fragment; projectId: string; groups: readonly NamedGroup[]; now: Date },
) => sql`
  code_places as (
    select message_id, chat_id, row_number() over (order by message_id) as place from ${recipients} as recipients
  ),
  code_groups as (select * from jsonb_to_recordset(${sql.json(groups)}) as named (name text, id uuid)),
  code_held as materialized (
    select named.id as group_id, named.name, code.id, code.code,
      row_number() over (partition by named.id order by code.expiry, code.id) as place
    from code_groups as named
    cross join lateral (
      select id, code, coalesce(expires_at, 'infinity'::timestamptz) as expiry from promocodes
      where ${isAvailable(sql, projectId, now)} and group_id = named.id
      order by ${inOrder(sql)} limit (select count(*) from code_places)
      for update skip locked
    ) as code
  ),
  ${name} as (
    select message_id, chat_id, jsonb_object_agg(held.name, held.code) as promocodes, array_agg(held.id) as codes
    from code_places join code_held as held using (place)
    where place <= (
      select min(codes) from (
        select count(held.id) as codes from code_groups as named left join code_held as held on held.group_id = named.id
        group by named.id
      ) as of_groups
    )
    group by message_id, chat_id
  )`;

type Issuing = { reserved: Fragment; inserted: Fragment; projectId: string; now: Date };

/**
 * A statement for a CTE. It issues the codes of `reserved`, the CTE of `reservedCtes`, to the messages in `inserted (id)`.
 * The message must have the codes in `content.promocodes`. A failed message gives its codes back by that mark.
 */
export const issuedCodes = (sql: Sql, { reserved, inserted, projectId, now }: Issuing) => sql`
  with taken as (
    select message_id, chat_id, unnest(codes) as code_id
    from ${reserved} as reserved join ${inserted} as inserted on inserted.id = reserved.message_id
  )
  update promocodes set
    status = 'ISSUED', issued_chat_id = taken.chat_id, issued_at = ${now}, reserved_for = taken.message_id,
    updated_at = ${now}
  from taken
  -- The array tells the planner that they are few. For a join alone it would read all codes of the project.
  where project_id = ${projectId} and promocodes.id = any (array(select code_id from taken))
    and promocodes.id = taken.code_id`;

export type Recipient = { message_id: string; chat_id: string };

/** `promocodes` has the groups' names as keys. */
export type Taken = { message_id: string; promocodes: { [group: string]: string } };

/**
 * Takes a code of each group for every recipient, whose message the caller's transaction writes. A recipient gets
 * none, and is missing in the answer, if a group ran out of codes.
 */
export function takeCodes(
  sql: Sql,
  projectId: string,
  groups: readonly NamedGroup[],
  recipients: readonly Recipient[],
  now: Date,
): Promise<Taken[]> {
  return sql<Taken[]>`
    with recipients as (
      select * from jsonb_to_recordset(${sql.json(recipients)}) as (message_id uuid, chat_id uuid)
    ),
    ${reservedCtes(sql, sql`reserved`, { recipients: sql`recipients`, projectId, groups, now })},
    inserted as (select message_id as id from reserved),
    issued as (${issuedCodes(sql, { reserved: sql`reserved`, inserted: sql`inserted`, projectId, now })})
    select message_id, promocodes from reserved`;
}

/** The message no longer gives its codes back: they belong to `owner` instead, which is no message. */
export async function reserveAnew(
  sql: Sql,
  projectId: string,
  messageId: string,
  owner: string,
): Promise<void> {
  await sql`
    update promocodes set reserved_for = ${owner} where project_id = ${projectId} and reserved_for = ${messageId}`;
}
