import type { Fragment, Sql } from '../platform/database/database.ts';

/** A person's entry in the log of approvals. */
export type ApprovalEntry = { id: string; author_id: string; author_name: string | null };

/** A statement for a CTE: notes that each of the `mailings` waits for an approval of its revision. */
export const askedApproval = (sql: Sql, mailings: Fragment, entry: ApprovalEntry, now: Date): Fragment => sql`
  insert into mailing_approvals (project_id, mailing_id, id, kind, revision, author_id, author_name, created_at)
  select project_id, id, ${entry.id}, 'asked', revision, ${entry.author_id}, ${entry.author_name}, ${now}
  from ${mailings} as asked`;

/** Of a row of `mailings`: the scenarios that it and its variants send. */
const scenariosOf = (sql: Sql): Fragment => sql`
  scenarios
  where scenarios.project_id = mailings.project_id and (
    scenarios.id = mailings.node_id
    or scenarios.id in (
      select (variant ->> 'node_id')::integer from jsonb_array_elements(mailings.ab_test -> 'variants') as variant
    )
  )`;

/** A scenario in the version that a mailing sends. */
export type SentScenario = { id: number; name: string; version: number };

/** Of a mailing's row of `scenarios`: the approved version, or the tested one, or else the published one. */
const sentVersion = (sql: Sql): Fragment =>
  sql`coalesce((approved_versions ->> scenarios.id::text)::integer, scenarios.version)`;

/** Of a row of `mailings`: an array of `SentScenario`. A mailing that was neither tested nor approved sends what is published. */
export const sentScenarios = (sql: Sql): Fragment => sql`(
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', scenarios.id, 'name', scenarios.name,
      'version', ${sentVersion(sql)}
    )
    order by scenarios.id
  ), '[]')
  from ${scenariosOf(sql)}
)`;

/** The versions of a mailing's scenarios by their ids: the tested ones, or else the published ones. */
const presentVersions = (sql: Sql): Fragment => sql`(
  select coalesce(
    jsonb_object_agg(scenarios.id, ${sentVersion(sql)}), '{}'
  )
  from ${scenariosOf(sql)}
)`;

/** The versions of a mailing's scenarios that a person tested or approved, by their ids. Null where nobody did. */
export async function findSentVersions(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<{ [scenarioId: string]: number } | null> {
  const [row] = await sql<{ approved_versions: { [scenarioId: string]: number } | null }[]>`
    select approved_versions from mailings where project_id = ${projectId} and id = ${id}`;
  return row?.approved_versions ?? null;
}

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

/** What a person has read. */
export type Approved = {
  projectId: string;
  mailingId: string;
  revision: number;
  scenarios: readonly VersionRead[];
};

export type VersionRead = Pick<SentScenario, 'id' | 'version'>;

/**
 * Approves a revision of a mailing with versions of its scenarios, and the mailing is due then. False if one of them is
 * another by now, if nothing is awaited, or if the author would approve their own while the project asks for a second
 * person.
 */
export async function approveMailing(
  sql: Sql,
  { projectId, mailingId, revision, scenarios }: Approved,
  entry: ApprovalEntry,
  { now, dueAt }: { now: Date; dueAt: Date },
): Promise<boolean> {
  const versions = Object.fromEntries(scenarios.map(({ id, version }) => [id, version]));
  // An entry is repeated.
  if (Object.keys(versions).length < scenarios.length) return false;
  const approved = await sql`
    with approved as (
      update mailings set approval = 'given', due_at = ${dueAt}, approved_versions = ${presentVersions(sql)}
      where project_id = ${projectId} and id = ${mailingId} and revision = ${revision}
        and ${presentVersions(sql)} = ${sql.json(versions)}::jsonb and ${mayApprove(sql, projectId, entry.author_id)}
      returning project_id, id
    )
    insert into mailing_approvals (project_id, mailing_id, id, kind, revision, author_id, author_name, created_at)
    select project_id, id, ${entry.id}, 'approved', ${revision}, ${entry.author_id}, ${entry.author_name}, ${now}
    from approved
    returning id`;
  return approved.length === 1;
}
