import type { Sql } from '../platform/database/database.ts';
import { linksIn } from '../platform/links.ts';
import type { Said } from './ab-test/schema.ts';
import type { Found } from './check-content.ts';
import type { MailingCreate } from './schema.ts';
import { findTracksLinks } from './store.ts';

/** What a checked body says, in the columns of `mailings`. */
export async function contentRow(
  sql: Sql,
  projectId: string,
  body: MailingCreate,
  { scenario, template, variables }: Found,
): Promise<Said> {
  return {
    text: body.text ?? null,
    links: await trackedLinks(sql, projectId, body.text ?? null),
    node_id: scenario?.id ?? null,
    node_name: scenario?.name ?? null,
    node_get_params: (body.node_get_params ?? []).map(({ name, value, type }) => ({
      name,
      value,
      type: type ?? 'string',
    })),
    template_whatsapp: template?.pid ?? null,
    template_body: template?.body ?? null,
    template_variables: variables,
  };
}

async function trackedLinks(sql: Sql, projectId: string, text: string | null): Promise<string[]> {
  const links = text === null ? [] : linksIn(text);
  return links.length > 0 && (await findTracksLinks(sql, projectId)) ? links : [];
}
