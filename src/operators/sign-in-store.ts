import type { Sql } from '../storage/database.ts';

export async function insertSignInLink(
  sql: Sql,
  link: { tokenHash: Buffer; userId: string; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into sign_in_links (token_hash, user_id, expires_at)
    values (${link.tokenHash}, ${link.userId}, ${link.expiresAt})`;
}

export type SignInUser = { id: string; email: string; projects: string[] };

const userColumns = (sql: Sql) => sql`
  users.id, users.email,
  array(
    select projects.name from operators join projects on projects.id = operators.project_id
    where operators.user_id = users.id order by projects.name
  ) as projects`;

/** Whom a link that is still good belongs to. */
export async function findSignInUser(
  sql: Sql,
  tokenHash: Buffer,
  now: Date,
): Promise<SignInUser | undefined> {
  const [row] = await sql<SignInUser[]>`
    select ${userColumns(sql)} from sign_in_links join users on users.id = user_id
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`;
  return row;
}

/** The same, and the link is good no more: of several uses at once one finds the user. */
export async function useSignInLink(sql: Sql, tokenHash: Buffer, now: Date): Promise<SignInUser | undefined> {
  const [row] = await sql<SignInUser[]>`
    update sign_in_links set used_at = ${now} from users
    where users.id = user_id and token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
    returning ${userColumns(sql)}`;
  return row;
}
