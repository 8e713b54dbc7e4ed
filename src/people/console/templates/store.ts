import type { Template } from '../../../messaging/templates/store.ts';
import type { Sql } from '../../../platform/database/database.ts';

export type ListedRow = Template & { waiting_mailings: number };

/** How many there are, for an envelope. */
export async function countTemplates(sql: Sql, projectId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int from templates where project_id = ${projectId}`;
  return row.count;
}

/** By their pids. */
export function templatesPage(
  sql: Sql,
  projectId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedRow[]> {
  return sql<ListedRow[]>`
    select pid, body, variables, language, approval, (
      select count(*)::int from mailings where ${awaits(sql)}
    ) as waiting_mailings
    from templates where project_id = ${projectId} order by pid limit ${limit} offset ${offset}`;
}

const awaits = (sql: Sql) => sql`
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
