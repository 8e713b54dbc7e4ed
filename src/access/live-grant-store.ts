import type { Fragment, Sql } from '../platform/database/database.ts';

/**
 * A statement for a CTE: `project_id` and `application_id` of a grant that has not ended, or no row. Who ends the grant
 * waits for the statement, and so finds what the statement makes.
 */
export const liveGrant = (sql: Sql, projectId: string, applicationId: string | Fragment) => sql`
  select project_id, application_id from token_families
  where project_id = ${projectId} and application_id = ${applicationId} and revoked_at is null
  limit 1 for share`;
