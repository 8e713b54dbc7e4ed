import type { Sql } from '../../../platform/database/database.ts';

export type ApplicationRow = {
  id: string;
  name: string;
  is_own: boolean;
  redirect_uris: string[];
  connected_at: Date | null;
  /** The expiry of its last refresh token. */
  lapses_at: Date | null;
  has_webhook: boolean;
  projects: number;
};

/** The applications that the project owns, or that have access to it, by name. */
export function listApplicationRows(sql: Sql, projectId: string, now: Date): Promise<ApplicationRow[]> {
  return sql<ApplicationRow[]>`
    select id, name, owner_id is not distinct from ${projectId} as is_own,
      case when owner_id = ${projectId} then redirect_uris else '{}' end as redirect_uris,
      connected_at, lapses_at,
      exists (
        select from endpoints where endpoints.project_id = ${projectId} and endpoints.application_id = applications.id
          and disabled_at is null
      ) as has_webhook,
      case when owner_id = ${projectId} then (
        select count(distinct project_id)::int from token_families
        where application_id = applications.id and revoked_at is null
      ) else 0 end as projects
    from applications left join (
      select application_id, min(token_families.created_at) as connected_at, max(expires_at) as lapses_at
      from token_families join refresh_tokens on family_id = token_families.id
      where project_id = ${projectId} and revoked_at is null
      group by application_id having max(expires_at) > ${now}
    ) as granted on application_id = id
    where owner_id = ${projectId} or application_id is not null
    order by lower(name), id`;
}

/** Whether the application has any data in the project, or a code with which it can get it. */
export async function hasAccess(sql: Sql, projectId: string, applicationId: string): Promise<boolean> {
  const rows = await sql`
    select from token_families
    where project_id = ${projectId} and application_id = ${applicationId} and revoked_at is null
    union all
    select from oauth_codes
    where project_id = ${projectId} and application_id = ${applicationId} and family_id is null
    limit 1`;
  return rows.length > 0;
}

export async function isOwn(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const rows = await sql`select from applications where id = ${id} and owner_id = ${projectId}`;
  return rows.length > 0;
}

/** The projects where the application has any data. */
export async function projectsOf(sql: Sql, id: string): Promise<string[]> {
  const rows = await sql<{ project_id: string }[]>`
    select project_id from token_families where application_id = ${id}
    union select project_id from oauth_codes where application_id = ${id}
    union select project_id from endpoints where application_id = ${id}
    union select project_id from iframe_links where application_id = ${id}`;
  return rows.map(({ project_id }) => project_id);
}
