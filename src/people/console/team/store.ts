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
  /** Whether they have a password to sign in with. */
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
