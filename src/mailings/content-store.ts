import type { Sql } from '../platform/database/database.ts';
import type { MailingContent } from './render.ts';

export async function findContent(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<MailingContent | undefined> {
  const [row] = await sql<MailingContent[]>`
    select text, links, template_body, template_variables,
      case when templates.pid is not null then
        jsonb_build_object('name', coalesce(templates.name, templates.pid), 'language', templates.language)
      end as template
    from mailings
    left join templates on templates.project_id = mailings.project_id and templates.pid = template_whatsapp
    where mailings.project_id = ${projectId} and mailings.id = ${id}`;
  return row;
}
