import type { Sql } from '../platform/database/database.ts';
import type { MailingContent } from './render.ts';

export async function findContent(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<MailingContent | undefined> {
  const [row] = await sql<MailingContent[]>`
    select text, links, template_body, template_variables from mailings
    where project_id = ${projectId} and id = ${id}`;
  return row;
}
