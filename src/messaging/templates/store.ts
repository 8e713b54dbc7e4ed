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
