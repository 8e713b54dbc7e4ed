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
  /** As its provider calls it. */
  name: string;
};

/** What a person adds is called by its pid. */
export type NewTemplate = Omit<Template, 'name'>;

const templateColumns = (sql: Sql) => sql`pid, body, variables, language, approval`;

/** Adds the template, or replaces the one with that pid. */
export async function saveTemplate(
  sql: Sql,
  projectId: string,
  template: NewTemplate,
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
export function listTemplates(sql: Sql, projectId: string): Promise<NewTemplate[]> {
  return sql<NewTemplate[]>`
    select ${templateColumns(sql)} from templates where project_id = ${projectId} order by pid`;
}

/** Null when the project has no template with that pid. */
export async function findTemplate(sql: Sql, projectId: string, pid: string): Promise<Template | null> {
  const [row] = await sql<Template[]>`
    select ${templateColumns(sql)}, coalesce(name, pid) as name
    from templates where project_id = ${projectId} and pid = ${pid}`;
  return row ?? null;
}

/** Writes all templates that a channel's provider has, and rejects those that it has no more. */
export async function saveProviderTemplates(
  sql: Sql,
  { projectId, id: channelId }: { projectId: string; id: string },
  templates: readonly Template[],
  now: Date,
): Promise<void> {
  await sql`
    with listed as (
      select * from jsonb_to_recordset(${sql.json(templates)})
        as listed (pid text, name text, body text, variables text[], language text, approval text)
    ),
    gone as (
      update templates set approval = 'rejected'
      where project_id = ${projectId} and channel_id = ${channelId} and pid not in (select pid from listed)
    )
    insert into templates (project_id, pid, name, body, variables, language, approval, channel_id, created_at)
    select ${projectId}, pid, name, body, variables, language, approval, ${channelId}, ${now}::timestamptz from listed
    order by pid
    on conflict (project_id, pid) do update set name = excluded.name, body = excluded.body,
      variables = excluded.variables, language = excluded.language, approval = excluded.approval,
      channel_id = excluded.channel_id`;
}
