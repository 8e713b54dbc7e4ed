import { saidBy } from '../messaging/messages/said-store.ts';
import type { Sql } from '../platform/database/database.ts';
import type { MailingContent } from './render.ts';

/** @param variant Null outside of A/B tests. */
export async function findContent(
  sql: Sql,
  projectId: string,
  id: string,
  variant: number | null,
): Promise<MailingContent | undefined> {
  const [row] = await sql<MailingContent[]>`
    select said.text, said.links, said.template_body, said.template_variables,
      case when templates.pid is not null then
        jsonb_build_object('name', coalesce(templates.name, templates.pid), 'language', templates.language,
          'variables', templates.variables)
      end as template
    from mailings
    cross join lateral ${saidBy(sql, sql`${variant}::integer`)} as said
    left join templates on templates.project_id = mailings.project_id and templates.pid = said.template_whatsapp
    where mailings.project_id = ${projectId} and mailings.id = ${id}`;
  return row;
}
