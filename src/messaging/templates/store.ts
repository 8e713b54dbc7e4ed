import type { Sql } from '../../platform/database/database.ts';

export type Approval = 'approved' | 'pending' | 'rejected';

export type Template = {
  /** The name that partners use. */
  pid: string;
  /** With variables written as `{{name}}`. */
  body: string;
  /** The names of those of the body, and then of those that the provider needs outside of it. */
  variables: string[];
  language: string;
  approval: Approval;
  /** The provider's name for it. */
  name: string;
};

/** A template that a person adds has its pid as its name. */
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

/** In the order of their pids. */
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

/** A condition: a planned or running mailing sends the template. */
export const awaits = (sql: Sql) => sql`
  mailings.project_id = templates.project_id and template_whatsapp = templates.pid
  and state in ('planned', 'in_process')`;

/** The result. A template that mailings wait for stays. */
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

/** A template as a provider lists it. `reason` is its reason for a rejection. */
export type ListedTemplate = Template & { reason?: string };

/** Writes all templates of a channel's provider, and rejects those that the provider no longer has. */
export async function saveProviderTemplates(
  sql: Sql,
  { projectId, id: channelId }: { projectId: string; id: string },
  templates: readonly ListedTemplate[],
  now: Date,
): Promise<void> {
  await sql`
    with listed as (
      select * from jsonb_to_recordset(${sql.json(templates)})
        as listed (pid text, name text, body text, variables text[], language text, approval text, reason text)
    ),
    gone as (
      update templates set approval = 'rejected'
      where project_id = ${projectId} and channel_id = ${channelId} and pid not in (select pid from listed)
    )
    insert into templates (project_id, pid, name, body, variables, language, approval, approval_detail, channel_id, created_at)
    select ${projectId}, pid, name, body, variables, language, approval, coalesce(reason, ''), ${channelId},
      ${now}::timestamptz
    from listed
    order by pid
    on conflict (project_id, pid) do update set name = excluded.name, body = excluded.body,
      variables = excluded.variables, language = excluded.language, approval = excluded.approval,
      approval_detail = excluded.approval_detail, channel_id = excluded.channel_id`;
}
