import type { Fragment, Sql } from '../../platform/database/database.ts';
import { liveGrant } from '../live-grant-store.ts';

export type NewLink = {
  id: string;
  projectId: string;
  applicationId: string;
  operatorId: string;
  profileId: string | null;
  tokenHash: Buffer;
  createdAt: Date;
  expiresAt: Date;
};

/**
 * False when the application's access has ended meanwhile. An end of the access waits for the link, and then deletes it.
 */
export async function insertLink(sql: Sql, link: NewLink): Promise<boolean> {
  const count = await sql`
    with access as (${liveGrant(sql, link.projectId, link.applicationId)})
    insert into iframe_links (
      project_id, id, application_id, operator_id, profile_id, token_hash, created_at, expires_at
    )
    select project_id, ${link.id}, application_id, ${link.operatorId}, ${link.profileId}, ${link.tokenHash},
      ${link.createdAt}, ${link.expiresAt}
    from access`.count();
  return count > 0;
}

/** Gives a link a new token: the original was lost with the answer. Undefined when the link does not exist. */
export async function replaceToken(
  sql: Sql,
  projectId: string,
  id: string,
  tokenHash: Buffer,
): Promise<{ expires_at: Date } | undefined> {
  const [row] = await sql<{ expires_at: Date }[]>`
    update iframe_links set token_hash = ${tokenHash} where project_id = ${projectId} and id = ${id}
    returning expires_at`;
  return row;
}

/** Links that a browser may open: unopened links, and its own. */
const isOpenTo = (sql: Sql, tokenHash: Buffer, browserHash: Buffer | null, now: Date) => sql`
  token_hash = ${tokenHash} and expires_at > ${now}
  and (browser_hash is null or browser_hash = ${browserHash})`;

export async function isLinkOpen(
  sql: Sql,
  tokenHash: Buffer,
  browserHash: Buffer | null,
  now: Date,
): Promise<boolean> {
  const rows = await sql`select from iframe_links where ${isOpenTo(sql, tokenHash, browserHash, now)}`;
  return rows.length === 1;
}

/**
 * Admits a browser, and returns the link's id, which is also the session's id. Opening it again does not extend the
 * session.
 */
export async function openLink(
  sql: Sql,
  tokenHash: Buffer,
  browserHash: Buffer,
  now: Date,
  sessionExpiresAt: Date,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    update iframe_links set
      browser_hash = ${browserHash}, session_expires_at = coalesce(session_expires_at, ${sessionExpiresAt})
    where ${isOpenTo(sql, tokenHash, browserHash, now)}
    returning id`;
  return row?.id;
}

const isSession = (sql: Sql, id: string, browserHash: Buffer, now: Date) => sql`
  iframe_links.id = ${id} and browser_hash = ${browserHash} and session_expires_at > ${now}`;

export type Session = {
  project_id: string;
  id: string;
  profile_id: string | null;
  operator_id: string;
  operator: string;
  redirect_uris: string[];
};

/** The operator of this session in this browser. */
export async function findSession(
  sql: Sql,
  id: string,
  browserHash: Buffer,
  now: Date,
): Promise<Session | undefined> {
  const [row] = await sql<Session[]>`
    select iframe_links.project_id, iframe_links.id, profile_id, operator_id, operators.name as operator, redirect_uris
    from iframe_links
    join operators on operators.project_id = iframe_links.project_id and operators.id = operator_id
    join applications on applications.id = application_id
    where ${isSession(sql, id, browserHash, now)}`;
  return row;
}

/** Deletes links that can no longer be opened, and whose sessions have ended. */
export async function forgetLinks(sql: Sql, now: Date): Promise<void> {
  await sql`delete from iframe_links where greatest(expires_at, session_expires_at) <= ${now}`;
}

/** A statement for a CTE. `ended` has the projects and applications whose links end, with their sessions. */
export const deletedLinks = (sql: Sql, ended: Fragment) => sql`
  delete from iframe_links using ${ended} as ended
  where iframe_links.project_id = ended.project_id and iframe_links.application_id = ended.application_id`;

/** The same for an application that ends in every project. */
export const deletedLinksOf = (sql: Sql, applicationId: Fragment) => sql`
  delete from iframe_links where application_id = ${applicationId}`;
