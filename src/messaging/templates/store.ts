import type { Sql } from '../../platform/database/database.ts';

export type Approval = 'approved' | 'pending' | 'rejected';

export type Template = {
  /** The name under which partners know it. */
  pid: string;
  /** With variables written as `{{name}}`. */
  body: string;
  /** Their names, in the order in which they first appear. */
  variables: string[];
  language: string;
  approval: Approval;
};

/** Adds the template, or replaces the one with that pid. */
export async function saveTemplate(
  sql: Sql,
  projectId: string,
  template: Template,
  createdAt: Date,
): Promise<void> {
  const { pid, body, variables, language, approval } = template;
  await sql`
    insert into templates (project_id, pid, body, variables, language, approval, created_at)
    values (${projectId}, ${pid}, ${body}, ${variables}, ${language}, ${approval}, ${createdAt})
    on conflict (project_id, pid) do update set
      body = excluded.body, variables = excluded.variables, language = excluded.language, approval = excluded.approval`;
}

/** By their pids. */
export function listTemplates(sql: Sql, projectId: string): Promise<Template[]> {
  return sql<Template[]>`
    select pid, body, variables, language, approval from templates where project_id = ${projectId} order by pid`;
}

/** Null when the project has no template with that pid. */
export async function findTemplate(sql: Sql, projectId: string, pid: string): Promise<Template | null> {
  const [row] = await sql<Template[]>`
    select pid, body, variables, language, approval from templates where project_id = ${projectId} and pid = ${pid}`;
  return row ?? null;
}

/** The condition by which a mailing that is planned or under way sends the template. */
export const awaits = (sql: Sql) => sql`
  mailings.project_id = templates.project_id and template_whatsapp = templates.pid
  and state in ('planned', 'in_process')`;

/** What came of it: a template that mailings are waiting for stays. */
export async function deleteTemplate(
  sql: Sql,
  projectId: string,
  pid: string,
): Promise<'deleted' | 'awaited' | 'missing'> {
  const [row] = await sql<[{ found: boolean; deleted: boolean }]>`
    with gone as (
      delete from templates
      where project_id = ${projectId} and pid = ${pid} and not exists (select from mailings where ${awaits(sql)})
      returning pid
    )
    select exists (select from templates where project_id = ${projectId} and pid = ${pid}) as found,
      exists (select from gone) as deleted`;
  if (row.deleted) return 'deleted';
  return row.found ? 'awaited' : 'missing';
}
