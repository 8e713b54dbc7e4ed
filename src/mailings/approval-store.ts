import type { Fragment, Sql } from '../platform/database/database.ts';

/** A person's entry in the log of approvals. */
export type ApprovalEntry = { id: string; author_id: string; author_name: string | null };

/** A statement for a CTE: notes that each of the `mailings` waits for an approval of its revision. */
export const askedApproval = (sql: Sql, mailings: Fragment, entry: ApprovalEntry, now: Date): Fragment => sql`
  insert into mailing_approvals (project_id, mailing_id, id, kind, revision, author_id, author_name, created_at)
  select project_id, id, ${entry.id}, 'asked', revision, ${entry.author_id}, ${entry.author_name}, ${now}
  from ${mailings} as asked`;

/** The published versions of the scenarios that a mailing and its variants send. Null without any. */
const presentVersions = (sql: Sql): Fragment => sql`(
  select jsonb_object_agg(scenarios.id, scenarios.version) from scenarios
  where scenarios.project_id = mailings.project_id and (
    scenarios.id = mailings.node_id
    or scenarios.id in (
      select (variant ->> 'node_id')::integer from jsonb_array_elements(mailings.ab_test -> 'variants') as variant
    )
  )
)`;

/** Of a row of `mailings`: whether this person may approve it. Authors may not while the project asks for a second. */
export const mayApprove = (sql: Sql, projectId: string, personId: string): Fragment => sql`
  approval = 'awaited' and state = 'planned' and (
    not ${isAuthor(sql, projectId, personId)} or not (select needs_approval from projects where projects.id = ${projectId})
  )`;

/** Whether the person made the row of `mailings` wait for approval, also before they left the project and came back. */
const isAuthor = (sql: Sql, projectId: string, personId: string): Fragment => sql`
  (author_id = ${personId} or coalesce(author_user_id = ${accountOf(sql, projectId, personId)}, false))`;

/** The account of a person in a project. Null for nobody. */
export const accountOf = (sql: Sql, projectId: string, personId: string | null): Fragment => sql`(
  select user_id from operators where operators.project_id = ${projectId} and operators.id = ${personId}::uuid
)`;

/**
 * Approves a revision of a mailing, which is due then. False if it is another revision by now, if nothing is awaited, or
 * if the author would approve their own while the project asks for a second person.
 */
export async function approveMailing(
  sql: Sql,
  { projectId, mailingId, revision }: { projectId: string; mailingId: string; revision: number },
  entry: ApprovalEntry,
  { now, dueAt }: { now: Date; dueAt: Date },
): Promise<boolean> {
  const approved = await sql`
    with approved as (
      update mailings set approval = 'given', due_at = ${dueAt}, approved_versions = ${presentVersions(sql)}
      where project_id = ${projectId} and id = ${mailingId} and revision = ${revision}
        and ${mayApprove(sql, projectId, entry.author_id)}
      returning project_id, id
    )
    insert into mailing_approvals (project_id, mailing_id, id, kind, revision, author_id, author_name, created_at)
    select project_id, id, ${entry.id}, 'approved', ${revision}, ${entry.author_id}, ${entry.author_name}, ${now}
    from approved
    returning id`;
  return approved.length === 1;
}
