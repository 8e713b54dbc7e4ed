import { disabledEndpoints } from '../../events/endpoints/store.ts';
import type { Pool, Sql } from '../../platform/database/database.ts';
import { deletedLinks } from '../iframe/store.ts';
import type { Application } from './grant-request.ts';

/** A new pair in its stored form: as hashes. */
export type StoredPair = {
  accessHash: Buffer;
  accessExpiresAt: Date;
  refreshHash: Buffer;
  refreshExpiresAt: Date;
};

export type NewCode = {
  codeHash: Buffer;
  projectId: string;
  applicationId: string;
  redirectUri: string;
  codeChallenge: string | null;
  /** The operator who gave the access. */
  approvedBy: string;
  expiresAt: Date;
};

/** False when the application does not exist or has not registered exactly this address. */
export async function insertCode(sql: Sql, code: NewCode): Promise<boolean> {
  const rows = await sql`
    insert into oauth_codes (
      code_hash, project_id, application_id, redirect_uri, code_challenge, approved_by, expires_at
    )
    select ${code.codeHash}, ${code.projectId}, id, ${code.redirectUri}, ${code.codeChallenge}, ${code.approvedBy},
      ${code.expiresAt}
    from applications
    where id = ${code.applicationId} and ${code.redirectUri} = any (redirect_uris)
    returning 1`;
  return rows.length === 1;
}

/** The application with this id, in our spelling of the id. */
export async function findApplication(sql: Sql, clientId: string): Promise<Application | undefined> {
  const [row] = await sql<Application[]>`
    select id, name, redirect_uris as "redirectUris" from applications
    where id = ${clientId} and id::text = ${clientId}`;
  return row;
}

export async function findSecretHash(sql: Sql, applicationId: string): Promise<Buffer | null> {
  const [row] = await sql<{ secret_hash: Buffer }[]>`
    select secret_hash from applications where id = ${applicationId}`;
  return row?.secret_hash ?? null;
}

/** Stores the pair in the family that a CTE named `family` returns. Stores nothing if `family` is empty. */
const pairCtes = (sql: Sql, pair: StoredPair) => sql`
  access as (
    insert into access_tokens (token_hash, family_id, expires_at)
    select ${pair.accessHash}, id, ${pair.accessExpiresAt} from family
  ),
  refresh as (
    insert into refresh_tokens (token_hash, family_id, expires_at)
    select ${pair.refreshHash}, id, ${pair.refreshExpiresAt} from family
  )`;

export type NewFamily = { id: string; projectId: string; applicationId: string; createdAt: Date };

export async function insertFamily(sql: Sql, family: NewFamily, pair: StoredPair): Promise<void> {
  await sql`
    with family as (
      insert into token_families (id, project_id, application_id, created_at)
      values (${family.id}, ${family.projectId}, ${family.applicationId}, ${family.createdAt})
      returning id
    ), ${pairCtes(sql, pair)}
    select 1`;
}

export type CodeUse = {
  codeHash: Buffer;
  applicationId: string;
  /** Null when the client sent none. */
  redirectUri: string | null;
  /** Derived from the client's verifier. Null without one. */
  codeChallenge: string | null;
  familyId: string;
  now: Date;
};

/**
 * Spends the code and starts its family, or does nothing and returns false. Of two concurrent uses the second waits
 * for the first one's row, and then finds the code spent. The code of a person who is no administrator of the project
 * any more is refused. A verifier without a challenge is refused, and so is a challenge without its verifier. PKCE
 * therefore cannot be stripped on the way (RFC 9700, section 2.1.1).
 */
export async function redeemCode(sql: Sql, use: CodeUse, pair: StoredPair): Promise<boolean> {
  const rows = await sql`
    with spent as (
      update oauth_codes set family_id = ${use.familyId}
      where code_hash = ${use.codeHash} and application_id = ${use.applicationId}
        and family_id is null and expires_at > ${use.now}
        and redirect_uri = coalesce(${use.redirectUri}, redirect_uri)
        and code_challenge is not distinct from ${use.codeChallenge}
        and (approved_by is null or exists (
          select from operators
          where operators.project_id = oauth_codes.project_id and operators.id = approved_by and role = 'admin'
        ))
      returning project_id, application_id
    ),
    family as (
      insert into token_families (id, project_id, application_id, created_at)
      select ${use.familyId}, project_id, application_id, ${use.now} from spent
      returning id
    ), ${pairCtes(sql, pair)}
    select id from family`;
  return rows.length === 1;
}

const endedBecause = {
  revoked: 'The application has no access any more: it was revoked.',
  partlyRevoked: 'Tokens of the application were revoked. It has others, and must set its webhook again.',
  lapsed: 'The application has no access any more: it was not used for 90 days.',
} as const;

/**
 * Ends the accesses that a grant may have created: links to the chat center with their frames, and the integration's
 * webhook. The webhook's row is kept. A CTE named `ended` returns the applications and projects, with the reason.
 */
const silence = (sql: Sql, now: Date) => sql`
  frames as (${deletedLinks(sql, sql`ended`)}),
  webhooks as (${disabledEndpoints(sql, sql`ended`, now)})`;

/** The access of an application to a project. */
type Access = { project_id: string; application_id: string };

/**
 * Ends accesses, and what they made. A thief of some tokens may have set a webhook that hears everything: it ends also if
 * the application has other tokens. The statement that silences begins after the first has its locks. It sees each link
 * and webhook whose maker found the access alive.
 */
async function endAccess(
  sql: Pool,
  now: Date,
  end: (transaction: Sql) => Promise<readonly Access[]>,
): Promise<boolean> {
  return await sql.begin(async (transaction) => {
    const all = await end(transaction);
    if (all.length === 0) return false;
    const [projects, applications] = [
      all.map(({ project_id }) => project_id),
      all.map(({ application_id }) => application_id),
    ];
    await transaction`
      with ended as (
        select *, case when exists (
          select from token_families
          where token_families.project_id = access.project_id and token_families.application_id = access.application_id
            and revoked_at is null
        ) then ${endedBecause.partlyRevoked} else ${endedBecause.revoked} end as reason
        from unnest(${projects}::uuid[], ${applications}::uuid[]) as access (project_id, application_id)
      ), ${silence(transaction, now)}
      select 1`;
    return true;
  });
}

/** Revokes the tokens from the first use of a spent code. */
export async function revokeFamilyOfCode(sql: Pool, use: CodeUse): Promise<void> {
  await endAccess(
    sql,
    use.now,
    (transaction) => transaction<Access[]>`
      update token_families set revoked_at = ${use.now}
      from oauth_codes
      where code_hash = ${use.codeHash} and oauth_codes.application_id = ${use.applicationId}
        and token_families.id = oauth_codes.family_id and revoked_at is null
      returning token_families.project_id, token_families.application_id`,
  );
}

export type RefreshUse = {
  tokenHash: Buffer;
  applicationId: string;
  now: Date;
  /** A token that was rotated at this time or later is still served. */
  graceSince: Date;
};

/**
 * Rotates the token within its family, or does nothing and returns false. The grace period runs from the first use.
 */
export async function rotateRefreshToken(sql: Sql, use: RefreshUse, pair: StoredPair): Promise<boolean> {
  const rows = await sql`
    with family as (
      update refresh_tokens as token set rotated_at = coalesce(rotated_at, ${use.now})
      from token_families
      where token.token_hash = ${use.tokenHash}
        and token_families.id = token.family_id
        and token_families.application_id = ${use.applicationId} and revoked_at is null
        and case when rotated_at is null then expires_at > ${use.now} else rotated_at >= ${use.graceSince} end
      returning token_families.id
    ), ${pairCtes(sql, pair)}
    select id from family`;
  return rows.length === 1;
}

/**
 * Revokes the family of a refresh token that was rotated before the grace period: one of its two users is a thief.
 */
export async function revokeFamilyOfRefreshToken(sql: Pool, use: RefreshUse): Promise<void> {
  await endAccess(
    sql,
    use.now,
    (transaction) => transaction<Access[]>`
      update token_families set revoked_at = ${use.now}
      from refresh_tokens
      where token_hash = ${use.tokenHash} and rotated_at < ${use.graceSince}
        and token_families.id = family_id
        and application_id = ${use.applicationId} and revoked_at is null
      returning project_id, application_id`,
  );
}

/** False when the project has no such family, or when it is already revoked. */
export function revokeFamily(sql: Pool, projectId: string, familyId: string, now: Date): Promise<boolean> {
  return endAccess(
    sql,
    now,
    (transaction) => transaction<Access[]>`
      update token_families set revoked_at = ${now}
      where id = ${familyId} and project_id = ${projectId} and revoked_at is null
      returning project_id, application_id`,
  );
}

/** Ends everything at once: tokens, unused codes, links to the chat center with their sessions, and the webhook. */
export async function revokeAccess(
  sql: Pool,
  projectId: string,
  applicationId: string,
  now: Date,
): Promise<void> {
  await endAccess(sql, now, async (transaction) => {
    // A code that is used at this moment is waited for, so that the next statement sees its family.
    await transaction`
      delete from oauth_codes
      where project_id = ${projectId} and application_id = ${applicationId} and family_id is null`;
    await transaction`
      update token_families set revoked_at = ${now}
      where project_id = ${projectId} and application_id = ${applicationId} and revoked_at is null`;
    return [{ project_id: projectId, application_id: applicationId }];
  });
}

/**
 * Deletes lapsed access tokens, codes that were never used, and families whose last refresh token lapsed. An
 * application without another family in the project is silenced. Rotated refresh tokens stay as long as their family,
 * so that a late reuse is noticed.
 */
export async function forgetExpiredTokens(sql: Sql, now: Date): Promise<void> {
  await sql`
    with lapsed as (delete from access_tokens where expires_at <= ${now}),
    dead as (
      select id, project_id, application_id, revoked_at from token_families where not exists (
        select from refresh_tokens where family_id = token_families.id and expires_at > ${now}
      )
    ),
    ended as (
      select distinct project_id, application_id, ${endedBecause.lapsed} as reason from dead
      where revoked_at is null and not exists (
        select from token_families alive
        where alive.project_id = dead.project_id and alive.application_id = dead.application_id
          and alive.revoked_at is null and alive.id not in (select id from dead)
      )
    ), ${silence(sql, now)},
    codes as (
      delete from oauth_codes
      where family_id in (select id from dead) or (family_id is null and expires_at <= ${now})
    )
    delete from token_families using dead where token_families.id = dead.id`;
}
