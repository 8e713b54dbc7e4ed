import type { Role } from '../../../access/auth/person.ts';
import type { Sql } from '../../../platform/database/database.ts';
import type { Slice } from '../../../platform/outbound/nearer-end.ts';

export type MemberRow = {
  id: string;
  user_id: string | null;
  name: string;
  email: string;
  role: Role;
  state: 'active' | 'invited' | 'links_only';
  /** Whether they have a password that they can sign in with. */
  signs_in: boolean;
  last_seen_at: Date | null;
  open_chats: number;
};

const memberColumns = (sql: Sql) => sql`
  operators.id, user_id, operators.name, coalesce(users.email, operators.email) as email, role,
  case when user_id is null then 'links_only' when password_hash is null or awaits_proof or awaits_consent then 'invited' else 'active' end
    as state,
  password_hash is not null and not awaits_proof as signs_in,
  operators.seen_at as last_seen_at,
  (
    select count(*)::int from sessions
    where sessions.project_id = operators.project_id and operator_id = operators.id and closed_at is null
  ) as open_chats`;

/** By name. */
export async function teamPage(
  sql: Sql,
  projectId: string,
  { limit, offset }: Pick<Slice, 'limit' | 'offset'>,
): Promise<{ count: number; rows: MemberRow[] }> {
  const [[counted], rows] = await Promise.all([
    sql<[{ count: number }]>`select count(*)::int as count from operators where project_id = ${projectId}`,
    sql<MemberRow[]>`
      select ${memberColumns(sql)} from operators left join users on users.id = user_id
      where project_id = ${projectId}
      order by lower(operators.name), operators.id limit ${limit} offset ${offset}`,
  ]);
  return { count: counted.count, rows };
}

export async function findMember(sql: Sql, projectId: string, id: string): Promise<MemberRow | undefined> {
  const [row] = await sql<MemberRow[]>`
    select ${memberColumns(sql)} from operators left join users on users.id = user_id
    where project_id = ${projectId} and operators.id = ${id}`;
  return row;
}

/**
 * The administrators who can sign in, locked one after the other in the order in which everybody locks them: of two who
 * step down at once, the later one sees that the earlier one has.
 */
const lockedAdmins = (sql: Sql, projectId: string) => sql`
  select operators.id from operators join users on users.id = user_id
  where project_id = ${projectId} and role = 'admin' and password_hash is not null and not awaits_proof and not awaits_consent
  order by operators.id for update of operators`;

const hasOthers = (sql: Sql, id: string) => sql`(select count(*) from admins where admins.id <> ${id}) > 0`;

/** What is not given stays. False, and nothing is changed, when nobody would be left to administer the project. */
export async function changeMember(
  sql: Sql,
  projectId: string,
  id: string,
  { name = null, role = null }: { name?: string | null; role?: Role | null },
): Promise<boolean> {
  const rows = await sql`
    with admins as (${lockedAdmins(sql, projectId)})
    update operators set name = coalesce(${name}, name), role = coalesce(${role}, role)
    where project_id = ${projectId} and id = ${id}
      and (coalesce(${role}, 'admin') = 'admin' or role = 'operator' or ${hasOthers(sql, id)})
    returning 1`;
  return rows.length === 1;
}

/**
 * Takes somebody out of the project: their open chats wait for anybody again, and links that are not used yet go with
 * them, unless another project knows them. False, as above, when nobody would be left to administer the project.
 */
export async function removeMemberRow(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const rows = await sql`
    with admins as (${lockedAdmins(sql, projectId)}),
    removed as (
      delete from operators
      where project_id = ${projectId} and id = ${id} and (role = 'operator' or ${hasOthers(sql, id)})
      returning user_id
    ),
    links as (
      delete from sign_in_links using removed
      where sign_in_links.user_id = removed.user_id and not exists (
        select from operators elsewhere
        where elsewhere.user_id = removed.user_id and elsewhere.project_id <> ${projectId}
      )
    ),
    theirs as (
      select id from sessions
      where project_id = ${projectId} and operator_id = ${id} and closed_at is null and exists (select from removed)
      order by id for update
    ),
    waiting as (
      update sessions set operator_id = null, operator_name = null from theirs
      where sessions.project_id = ${projectId} and sessions.id = theirs.id
      returning chat_id
    ),
    news as (insert into chat_news (project_id, chat_id) select ${projectId}, chat_id from waiting)
    select 1 from removed`;
  return rows.length === 1;
}
