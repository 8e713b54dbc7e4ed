import type { Sql } from '../storage/database.ts';

export type LinkPurpose = 'sign_in' | 'password';

export async function insertSignInLink(
  sql: Sql,
  link: { tokenHash: Buffer; userId: string; purpose: LinkPurpose; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into sign_in_links (token_hash, user_id, purpose, expires_at)
    values (${link.tokenHash}, ${link.userId}, ${link.purpose}, ${link.expiresAt})`;
}

const isGood = (sql: Sql, purpose: LinkPurpose, tokenHash: Buffer, now: Date) => sql`
  token_hash = ${tokenHash} and purpose = ${purpose} and used_at is null and expires_at > ${now}`;

export type SignInUser = { email: string; projects: string[] };

/** Whom a link that is still good belongs to. */
export async function findSignInUser(
  sql: Sql,
  purpose: LinkPurpose,
  tokenHash: Buffer,
  now: Date,
): Promise<SignInUser | undefined> {
  const [row] = await sql<SignInUser[]>`
    select users.email, array(
      select projects.name from operators join projects on projects.id = operators.project_id
      where operators.user_id = users.id order by projects.name
    ) as projects
    from sign_in_links join users on users.id = user_id
    where ${isGood(sql, purpose, tokenHash, now)}`;
  return row;
}

/** The user's id, and the link is good no more: of several uses at once one finds the user. */
export async function spendSignInLink(sql: Sql, tokenHash: Buffer, now: Date): Promise<string | undefined> {
  const [row] = await sql<{ user_id: string }[]>`
    update sign_in_links set used_at = ${now} where ${isGood(sql, 'sign_in', tokenHash, now)}
    returning user_id`;
  return row?.user_id;
}

/** The same for a link by which a password is chosen. The user's sessions end, and other links open nothing any more. */
export async function setPassword(
  sql: Sql,
  tokenHash: Buffer,
  passwordHash: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    with used as (
      update sign_in_links set used_at = ${now} where ${isGood(sql, 'password', tokenHash, now)}
      returning user_id
    ),
    others as (
      delete from sign_in_links using used
      where sign_in_links.user_id = used.user_id and token_hash <> ${tokenHash}
    ),
    sessions as (delete from person_sessions using used where person_sessions.user_id = used.user_id)
    update users set password_hash = ${passwordHash} from used where users.id = used.user_id
    returning users.id`;
  return row?.id;
}
