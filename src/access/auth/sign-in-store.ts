import type { Pool, Sql } from '../../platform/database/database.ts';
import type { NewSession } from './session-store.ts';

/** An `invitation` asks its recipient to sign in, and opens nothing. */
export type LinkPurpose = 'sign_in' | 'password' | 'invitation';

export async function insertSignInLink(
  sql: Sql,
  link: {
    tokenHash: Buffer;
    userId: string;
    purpose: LinkPurpose;
    expiresAt: Date;
    invitedTo: string | null;
  },
): Promise<void> {
  await sql`
    insert into sign_in_links (token_hash, user_id, purpose, expires_at, invited_to)
    values (${link.tokenHash}, ${link.userId}, ${link.purpose}, ${link.expiresAt}, ${link.invitedTo})`;
}

/**
 * Makes a link for an administrator's eyes, by which the operator chooses a password. Makes none and returns false
 * when the operator has a password or belongs to another project: anyone who sees the link can become them. A project
 * that awaits proof of their address does not count. The link does not prove it.
 */
export async function insertShownLink(
  sql: Sql,
  link: { tokenHash: Buffer; projectId: string; operatorId: string; expiresAt: Date },
): Promise<boolean> {
  const rows = await sql`
    with vouched as (
      update users set address_proved = false from operators
      where operators.project_id = ${link.projectId} and operators.id = ${link.operatorId}
        and users.id = operators.user_id and password_hash is null and not awaits_proof
        and not exists (
          select from operators elsewhere
          where elsewhere.user_id = users.id and elsewhere.project_id <> operators.project_id
            and not elsewhere.awaits_proof
        )
      returning users.id
    )
    insert into sign_in_links (token_hash, user_id, purpose, expires_at, proves_address, invited_to)
    select ${link.tokenHash}, id, 'password', ${link.expiresAt}, false, ${link.projectId} from vouched
    returning 1`;
  return rows.length === 1;
}

const isGood = (sql: Sql, purpose: LinkPurpose, tokenHash: Buffer, now: Date) => sql`
  token_hash = ${tokenHash} and purpose = ${purpose} and used_at is null and expires_at > ${now}`;

/** `invited_to` is the name of the project to which the link invites. */
export type SignInUser = { email: string; projects: string[]; invited_to: string | null };

/** The user of a link that is still valid. */
export async function findSignInUser(
  sql: Sql,
  purpose: LinkPurpose,
  tokenHash: Buffer,
  now: Date,
): Promise<SignInUser | undefined> {
  const [row] = await sql<SignInUser[]>`
    select users.email, array(
      select projects.name from operators join projects on projects.id = operators.project_id
      where operators.user_id = users.id and not awaits_consent order by projects.name
    ) as projects, (select name from projects where id = invited_to) as invited_to
    from sign_in_links join users on users.id = user_id
    where ${isGood(sql, purpose, tokenHash, now)}`;
  return row;
}

/** The row of the link's user, locked. Until the commit that user gets no session, and no other password. */
const heldUser = (sql: Sql, purpose: LinkPurpose, tokenHash: Buffer, now: Date) => sql`
  select id from users
  where id = (select user_id from sign_in_links where ${isGood(sql, purpose, tokenHash, now)}) for update`;

/**
 * Spends the link and opens a session. False for a link that is not valid. Of several concurrent uses one succeeds. A
 * change of the password, which ends the link, is waited for.
 */
export async function spendSignInLink(sql: Sql, tokenHash: Buffer, session: NewSession): Promise<boolean> {
  const { now } = session;
  const rows = await sql`
    with held as (${heldUser(sql, 'sign_in', tokenHash, now)}),
    used as (
      update sign_in_links set used_at = ${now} from held
      where user_id = held.id and ${isGood(sql, 'sign_in', tokenHash, now)}
      returning user_id
    )
    insert into person_sessions (token_hash, user_id, created_at, seen_at)
    select ${session.tokenHash}, user_id, ${now}, ${now} from used
    returning 1`;
  return rows.length === 1;
}

/**
 * Spends a link by which a password is chosen, and returns the user's id. The user's sessions end, and other links
 * become invalid. Unless an administrator has seen the link, it proves the user's address. Projects that waited for
 * that proof admit the user. A link that invited to a project accepts that invitation.
 */
export async function setPassword(
  sql: Pool,
  tokenHash: Buffer,
  passwordHash: string,
  now: Date,
): Promise<string | undefined> {
  return await sql.begin(async (transaction) => {
    // A sign-in that is under way is waited for, so that the next statement sees its session.
    await heldUser(transaction, 'password', tokenHash, now);
    return spendPasswordLink(transaction, tokenHash, passwordHash, now);
  });
}

async function spendPasswordLink(
  sql: Sql,
  tokenHash: Buffer,
  passwordHash: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    with used as (
      update sign_in_links set used_at = ${now} where ${isGood(sql, 'password', tokenHash, now)}
      returning user_id, proves_address, invited_to
    ),
    others as (
      delete from sign_in_links using used
      where sign_in_links.user_id = used.user_id and token_hash <> ${tokenHash}
    ),
    sessions as (delete from person_sessions using used where person_sessions.user_id = used.user_id),
    admitted as (
      update operators set
        awaits_proof = awaits_proof and not proves_address,
        awaits_consent = awaits_consent and project_id is distinct from invited_to
      from used where operators.user_id = used.user_id and (awaits_proof or awaits_consent)
    )
    update users set password_hash = ${passwordHash}, address_proved = address_proved or proves_address
    from used where users.id = used.user_id
    returning users.id`;
  return row?.id;
}

export async function findPasswordHash(sql: Sql, userId: string): Promise<string | null> {
  const [row] = await sql<{ password_hash: string | null }[]>`
    select password_hash from users where id = ${userId}`;
  return row?.password_hash ?? null;
}

/**
 * Ends all of the user's sessions but the caller's, and the links that would open another. False, without effect, when
 * the caller's session has ended, or the password is no longer the one that they proved.
 */
export async function replacePassword(
  sql: Pool,
  userId: string,
  passwords: { proved: string; next: string },
  session: Buffer,
): Promise<boolean> {
  return await sql.begin(async (transaction) => {
    const held = await transaction`
      select 1 from users join person_sessions on user_id = users.id
      where users.id = ${userId} and password_hash = ${passwords.proved} and token_hash = ${session} for update`;
    if (held.length === 0) return false;
    await transaction`
      with others as (delete from person_sessions where user_id = ${userId} and token_hash <> ${session}),
      links as (delete from sign_in_links where user_id = ${userId})
      update users set password_hash = ${passwords.next} where id = ${userId}`;
    return true;
  });
}

export async function forgetSignInLinks(sql: Sql, now: Date): Promise<void> {
  await sql`delete from sign_in_links where expires_at <= ${now}`;
}
